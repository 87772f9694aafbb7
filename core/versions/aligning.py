"""Units of two versions brought together: those that say the same, those that say it otherwise, and those
that only one version has.

All words of a section are aligned at once (the longest common subsequence), so that it does not matter
where a version ends its lines, pages and sentences. Units then belong together whose words are aligned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from rapidfuzz.distance import Indel, LCSseq

from core.versions.units import Unit
from core.versions.words import is_number

_LIKE = 0.6  # share of the words of the shorter of two units that are aligned with the other
_PART = 0.3  # and of the longer, unless all of that is aligned with something
_MOVED = 0.8  # likeness, in [0, 1], from which a unit elsewhere is the same one; below, two doses look alike
_FEWEST_MOVED = 4  # words; less is a heading, a label or a unit that many lists have
_MASK = "#"


@dataclass(slots=True)
class Pair:
    """Units of the old and the new version that belong together; one side may have none."""

    old: list[Unit]
    new: list[Unit]
    moved: bool = False


def aligned(old: Sequence[Unit], new: Sequence[Unit]) -> list[Pair]:
    """The units of one section in pairs."""
    links = _links(old, new)
    groups = _Groups(len(old), len(new))
    for one, other in links:
        groups.join(one, len(old) + other)
    return [
        Pair([old[one] for one in before], [new[one] for one in after])
        for before, after in groups.members()
    ]


def _links(old: Sequence[Unit], new: Sequence[Unit]) -> set[tuple[int, int]]:
    owners = [place for place, unit in enumerate(old) for _ in unit.words]
    others = [place for place, unit in enumerate(new) for _ in unit.words]
    common: dict[tuple[int, int], int] = defaultdict(int)
    known_old, known_new = [0] * len(old), [0] * len(new)
    numbers = _Numbering()
    then = [numbers[word.key] for unit in old for word in unit.words]
    now = [numbers[word.key] for unit in new for word in unit.words]
    for step in LCSseq.opcodes(then, now):
        if step.tag != "equal":
            continue
        for one, other in zip(
            range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True
        ):
            pair = owners[one], others[other]
            common[pair] += 1
            known_old[pair[0]] += 1
            known_new[pair[1]] += 1
    links = set[tuple[int, int]]()
    for (one, other), shared in common.items():
        a, b = len(old[one].words), len(new[other].words)
        if shared < _LIKE * min(a, b):
            continue
        longer = known_old[one] / a if a >= b else known_new[other] / b
        if shared >= _PART * max(a, b) or longer >= _LIKE:
            links.add((one, other))
    return links | _alike_but_for_numbers(old, new, links)


def _alike_but_for_numbers(
    old: Sequence[Unit], new: Sequence[Unit], links: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Of units without a link, in order, those that differ in nothing but their numbers: "10 mg", "20 mg"."""
    left = [place for place in range(len(old)) if place not in {one for one, _ in links}]
    right = [place for place in range(len(new)) if place not in {other for _, other in links}]
    numbers = _Numbering()
    then = [numbers[_masked(old[place])] for place in left]
    now = [numbers[_masked(new[place])] for place in right]
    found = set[tuple[int, int]]()
    for step in LCSseq.opcodes(then, now):
        if step.tag == "equal":
            found |= set(
                zip(left[step.src_start : step.src_end], right[step.dest_start : step.dest_end],
                    strict=True)
            )  # fmt: skip
    return found


def _masked(unit: Unit) -> tuple[str, ...]:
    return tuple(_MASK if is_number(word) else word.key for word in unit.words)


class _Numbering:
    """A number for each thing, the same for equal ones: what the aligner compares."""

    def __init__(self) -> None:
        counter = count()
        self._numbers: dict[object, int] = defaultdict(lambda: next(counter))

    def __getitem__(self, thing: object) -> int:
        return self._numbers[thing]


class _Groups:
    """Places that are joined, directly or through others; the old version's first, then the new one's."""

    def __init__(self, old: int, new: int) -> None:
        self._old = old
        self._parents = list(range(old + new))

    def _root(self, place: int) -> int:
        while self._parents[place] != place:
            self._parents[place] = self._parents[self._parents[place]]
            place = self._parents[place]
        return place

    def join(self, one: int, other: int) -> None:
        self._parents[self._root(one)] = self._root(other)

    def members(self) -> list[tuple[list[int], list[int]]]:
        found: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place in range(len(self._parents)):
            side = found[self._root(place)]
            if place < self._old:
                side[0].append(place)
            else:
                side[1].append(place - self._old)
        return list(found.values())


def brought_together(pairs: Sequence[Pair]) -> list[Pair]:
    """All pairs of a document, with what only one version has in a section looked for in the others.

    What stands in the same order as all else has not moved: its heading was another one, or was not
    recognised. What does not, and is as good as the same, was moved.
    """
    whole = [pair for pair in pairs if pair.old and pair.new]
    gone = sorted((unit for pair in pairs if not pair.new for unit in pair.old), key=_place)
    come = sorted((unit for pair in pairs if not pair.old for unit in pair.new), key=_place)
    tried = aligned(gone, come)
    candidates = [pair for pair in tried if pair.old and pair.new]
    kept = _in_order(whole, candidates)
    whole += kept
    used = {_place(unit) for pair in kept for unit in pair.old}
    used_new = {_place(unit) for pair in kept for unit in pair.new}
    gone = [unit for unit in gone if _place(unit) not in used]
    come = [unit for unit in come if _place(unit) not in used_new]
    moved = _moved(gone, come)
    whole += [Pair([gone[one]], [come[other]], moved=True) for one, other in moved.items()]
    whole += [Pair([unit], []) for place, unit in enumerate(gone) if place not in moved]
    there = set(moved.values())
    return whole + [Pair([], [unit]) for place, unit in enumerate(come) if place not in there]


def _in_order(whole: Sequence[Pair], candidates: Sequence[Pair]) -> list[Pair]:
    """The candidates that stand in the longest row of pairs which both versions have in the same order."""
    row = sorted([*whole, *candidates], key=lambda pair: _place(pair.new[0]))
    ends: list[int] = []  # of the best row of each length, its last pair
    keys: list[tuple[int, int]] = []
    before: list[int] = []
    for at, pair in enumerate(row):
        key = _place(pair.old[0])
        length = bisect_left(keys, key)
        keys[length : length + 1] = [key]
        ends[length : length + 1] = [at]
        before.append(ends[length - 1] if length else -1)
    best = set[int]()
    at = ends[-1] if ends else -1
    while at >= 0:
        best.add(id(row[at]))
        at = before[at]
    return [pair for pair in candidates if id(pair) in best]


def _moved(gone: Sequence[Unit], come: Sequence[Unit]) -> dict[int, int]:
    """Of what was taken out, what stands elsewhere, and where: the likest first."""
    numbers = _Numbering()
    targets = [[numbers[word.key] for word in unit.words] for unit in come]
    found: list[tuple[float, int, int]] = []
    for one, unit in enumerate(gone):
        keys = [numbers[word.key] for word in unit.words]
        if len(keys) < _FEWEST_MOVED:
            continue
        for other, target in enumerate(targets):
            like = Indel.normalized_similarity(keys, target, score_cutoff=_MOVED)
            if like:
                found.append((-like, one, other))
    moved: dict[int, int] = {}
    for _, one, other in sorted(found):
        if one not in moved and other not in moved.values():
            moved[one] = other
    return moved


def ordered(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of a section in the order of the new version; what only the old one has follows what stood
    before it there."""
    anchors = sorted(
        (_place(pair.old[0]), _place(pair.new[0]))
        for pair in pairs
        if pair.old and pair.new and not pair.moved
    )

    def key(pair: Pair) -> tuple[tuple[int, int], int, tuple[int, int]]:
        if pair.new:
            return _place(pair.new[0]), 0, (0, 0)
        here = bisect_left(anchors, (_place(pair.old[0]), (0, 0)))
        return anchors[here - 1][1] if here else (-1, -1), 1, _place(pair.old[0])

    return sorted(pairs, key=key)


def _place(unit: Unit) -> tuple[int, int]:
    return unit.place.page, unit.place.start
