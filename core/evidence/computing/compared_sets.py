"""Sets held against each other: what is in all, in some, and in one alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.domain.plans import AnswerList, Member, Named, Plan, Selection
from core.evidence.computing.member_reader import TOLD, MemberReader, Told, names
from core.graph.sets import Members, members

# From so many sets on those that share something are told by how many they are: of four there are ten ways to
# be some of them, of three only three.
_MANY = 4


@dataclass(frozen=True, slots=True)
class _Shared:
    """Members that are in some of the sets and in no other.

    Attributes:
        places: of these sets, ascending.
    """

    places: tuple[int, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class ComparedSets:
    """The sets of a plan that compares, told in parts that have no member in common, so that their sizes add up
    to the number of all members."""

    plan: Plan
    reader: MemberReader

    def told(self) -> tuple[list[Told], list[AnswerList]]:
        """A sentence and a list for each part; for all sets and for each alone also where there is nothing."""
        sets = [members(one, self.reader.projection) for one in self.plan.sets]
        told = [
            Told(f"The graph has no {self.reader.wording.several(selection)}.")
            for selection, own in zip(self.plan.sets, sets, strict=True)
            if not own.any()
        ]
        lists: list[AnswerList] = []
        for title, parts, says_which in self._parts(sets):
            found = [member for part in parts for member in part.members]
            lists.append(self.reader.listed(title, found))
            told.append(self._sentence(title, parts, found, says_which=says_which))
        return told, lists

    def _parts(self, sets: Sequence[Members]) -> Iterator[tuple[str, list[_Shared], bool]]:
        """The title of each part, what is in it, and whether each member must say which sets it is in: what
        most sets share comes first."""
        count, called = len(sets), self._names()
        everywhere = tuple(range(count))
        yield "In both" if count == 2 else "In all", [self._shared(everywhere, sets)], False
        for size in range(count - 1, 1, -1):
            each = [self._shared(places, sets) for places in combinations(range(count), size)]
            some = [one for one in each if one.members]
            if some and count >= _MANY:
                yield f"In {size} of {count}", some, True
            elif count < _MANY:
                for one in some:
                    yield f"Only {_joined([called[n] for n in one.places])}", [one], False
        for place in range(count):
            yield f"Only {called[place]}", [self._shared((place,), sets)], False

    def _shared(self, places: tuple[int, ...], sets: Sequence[Members]) -> _Shared:
        """What is in the sets at some places alone."""
        own = np.logical_and.reduce([sets[place] for place in places])
        others = [one for place, one in enumerate(sets) if place not in places]
        if others:
            own = own & ~np.logical_or.reduce(others)
        selections = [self.plan.sets[place] for place in places]
        return _Shared(
            places, tuple(self.reader.members(np.flatnonzero(own).tolist(), *selections))
        )

    def _sentence(
        self, title: str, parts: Sequence[_Shared], found: Sequence[Member], *, says_which: bool
    ) -> Told:
        if not found:
            return Told(f"{title}: none.")
        shown = found[:TOLD]
        said = self._each(parts, len(found)) if says_which else names(shown, len(found))
        return Told(f"{title} ({len(found):,}): {said}.", self.reader.facts(shown))

    def _each(self, parts: Sequence[_Shared], total: int) -> str:
        """The first members in words, those that are in the same sets together with the names of these."""
        called, room, said = self._names(), TOLD, list[str]()
        for part in parts:
            shown = part.members[:room]
            room -= len(shown)
            if shown:
                which = _joined([called[place] for place in part.places])
                said.append(f"{names(shown, len(shown))} ({which})")
        more = total - (TOLD - room)
        return "; ".join(said) + (f"; and {more:,} more" if more else "")

    def _names(self) -> list[str]:
        """What each set is called: by what it is about, or in full where that is the same of two."""
        short = [_about(one) for one in self.plan.sets]
        if all(short) and len(set(short)) == len(short):
            return short
        return [self.reader.wording.several(one) for one in self.plan.sets]


def _about(selection: Selection) -> str:
    """The one name in what is said of a set; "" where that is no name, or more than one."""
    ends = [one.of for one in selection.all_conditions()]
    return ends[0].name if len(ends) == 1 and isinstance(ends[0], Named) else ""


def _joined(called: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(called[:-1]), called[-1])))
