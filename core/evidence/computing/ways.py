"""How named entities are connected: the shortest ways between each two, told step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product

from core.domain.graph import FoundPaths, Path
from core.domain.plans import AnswerList, Member, Named, Plan
from core.evidence.computing.member_reader import MemberReader, Told
from core.graph.walks.paths import MAX_PATH_HOPS, find_paths

_MOST_PATHS = 3  # told between two entities; the explorer shows more
_MOST_PAIRS = 6  # of four names


@dataclass(frozen=True, slots=True)
class Ways:
    """Finds the ways that a plan asks for.

    Args:
        along: relationship types; the ways over these alone, where there are any.
    """

    plan: Plan
    reader: MemberReader
    along: Sequence[str] = ()

    def told(self) -> tuple[list[Told], list[AnswerList]]:
        """A sentence for each way, and for each two names the list of what lies between them."""
        told: dict[str, Told] = {}
        lists: list[AnswerList] = []
        for first, second in list(combinations(self.plan.subjects, 2))[:_MOST_PAIRS]:
            if set(first.ids) & set(second.ids):
                text = f"{first.text} and {second.text} are two names of {first.name} in the graph."
                told[text] = Told(text)
                continue
            found = self._between(first, second)
            for path in found.paths:
                text = "; ".join(one.removesuffix(".") for one in path.words)
                text = f"{text[:1].upper()}{text[1:]}."
                told.setdefault(text, Told(text, tuple(chain.from_iterable(path.steps))))
            if not found.paths:
                no_way = _no_way(first, second, complete=found.complete)
                told[no_way] = Told(no_way)
            if members := _members(found.paths):
                title = f"Between {first.name} and {second.name}"
                lists.append(self.reader.listed(title, members))
        return list(told.values()), lists

    def _between(self, first: Named, second: Named) -> FoundPaths:
        found = FoundPaths((), complete=True)
        position = self.reader.projection.position
        for along in dict.fromkeys((tuple(self.along), ())):
            # Of entities of one name the first that leads anywhere is meant.
            for one, other in product(first.ids, second.ids):
                if one not in position or other not in position:
                    continue
                found = find_paths(
                    self.reader.graph, one, other, limit=_MOST_PATHS, relationship_types=along
                )
                if found.paths:
                    return found
        return found


def _no_way(first: Named, second: Named, *, complete: bool) -> str:
    names = f"{first.name} and {second.name}"
    if complete:
        return f"The graph does not connect {names} by {MAX_PATH_HOPS} relationships or fewer."
    return f"No way between {names} was found in the graph before the search was given up."


def _members(paths: Sequence[Path]) -> list[Member]:
    """What lies between the ends, each once with the relationships of its ways that lead through it."""
    found: dict[str, Member] = {}
    for path in paths:
        for place, entity in enumerate(path.entities[1:-1], start=1):
            keys = tuple(fact.key for step in path.steps[place - 1 : place + 1] for fact in step)
            before = found[entity.id].relationships if entity.id in found else ()
            found[entity.id] = Member(
                entity.id, entity.type, entity.name, tuple(dict.fromkeys((*before, *keys)))
            )
    return list(found.values())
