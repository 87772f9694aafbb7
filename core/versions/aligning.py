"""Units of two versions brought together: those that say the same, those that say it otherwise, and those
that only one version has.

All words of a section are aligned at once (the longest common subsequence), so that it does not matter
where a version ends its lines, pages and sentences. Units then belong together whose words are aligned.
"""

from __future__ import annotations

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
    """The units of one section in pairs, in the order of the new version."""
    links = _links(old, new)
    groups = _Groups(len(old), len(new))
    for one, other in links:
        groups.join(one, len(old) + other)
    return _ordered(old, new, groups.members())


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


def _ordered(
    old: Sequence[Unit], new: Sequence[Unit], members: Sequence[tuple[list[int], list[int]]]
) -> list[Pair]:
    """In the order of the new version; what only the old one has follows what stood before it there."""
    of_old = {place: here for here in members for place in here[0]}
    place = -1
    keyed: list[tuple[tuple[int, int, int], Pair]] = []
    for number in range(len(old)):
        here = of_old[number]
        if here[1]:
            place = max(place, here[1][0])
        else:
            keyed.append(((place, 1, number), Pair([old[number]], [])))
    for before, after in members:
        if after:
            keyed.append(
                ((after[0], 0, 0), Pair([old[one] for one in before], [new[one] for one in after]))
            )
    keyed.sort(key=lambda one: one[0])
    return [pair for _, pair in keyed]


def brought_together(pairs: Sequence[list[Pair]]) -> None:
    """Find what was taken out in one place and stands in another, and make one pair of it, there.

    Args:
        pairs: of each section; what was moved goes out of the lists that it was taken out of.
    """
    gone = [(place, pair) for place, here in enumerate(pairs) for pair in here if not pair.new]
    come = [pair for here in pairs for pair in here if not pair.old]
    numbers = _Numbering()
    targets = [(pair, [numbers[word.key] for word in pair.new[0].words]) for pair in come]
    found: list[tuple[float, int, int]] = []
    for one, (_, pair) in enumerate(gone):
        keys = [numbers[word.key] for word in pair.old[0].words]
        if len(keys) < _FEWEST_MOVED:
            continue
        for other, (_, target) in enumerate(targets):
            if len(target) >= _FEWEST_MOVED:
                like = Indel.normalized_similarity(keys, target, score_cutoff=_MOVED)
                if like:
                    found.append((-like, one, other))
    taken_old, taken_new = set[int](), set[int]()
    for _, one, other in sorted(found):
        if one in taken_old or other in taken_new:
            continue
        taken_old.add(one)
        taken_new.add(other)
        place, pair = gone[one]
        come[other].old, come[other].moved = pair.old, True
        pairs[place].remove(pair)
