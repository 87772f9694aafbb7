"""What changed since an earlier answer, in few words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.answers.provenance.comparison import compare
from core.domain.answers import Answer, State
from core.domain.provenance.trace import GraphVersion


class Change(StrEnum):
    """A kind of change."""

    SOURCE_DELETED = "source_deleted"
    SOURCE_REPLACED = "source_replaced"
    GRAPH = "graph"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Changed:
    """One thing that changed, in words for the analyst."""

    what: Change
    text: str


def changed_since(
    before: Answer,
    deleted: Collection[str],
    replaced: Collection[str],
    graph: GraphVersion | None,
    now: Answer | None = None,
) -> tuple[Changed, ...]:
    """What changed since an answer was made.

    Args:
        deleted, replaced: files that it cites and that are gone, or there in another version.
        graph: as it is now; None where it cannot be reached.
        now: an answer of today to the same question; None where there is none.
    """
    return tuple(_changes(before, deleted, replaced, graph, now))


def _changes(
    before: Answer,
    deleted: Collection[str],
    replaced: Collection[str],
    graph: GraphVersion | None,
    now: Answer | None,
) -> Iterator[Changed]:
    for file in sorted(deleted):
        yield Changed(Change.SOURCE_DELETED, f"{file} was deleted")
    for file in sorted(replaced):
        yield Changed(Change.SOURCE_REPLACED, f"{file} was replaced by another version")
    then = before.trace.graph if before.trace is not None else None
    if then is not None and graph is not None:
        if then.sha256 != graph.sha256:
            yield Changed(Change.GRAPH, "the graph was imported anew, with other relationships")
        elif then.generation != graph.generation:
            yield Changed(Change.GRAPH, "the graph was imported anew, with the same relationships")
    if now is None or State.GRAPH_UNAVAILABLE in (before.state, now.state):
        return
    if now.refused != before.refused:
        said = "it is not answered today" if now.refused else "it is answered today"
        yield Changed(Change.ANSWER, said)
    elif compare(before, now).evidence:
        yield Changed(Change.ANSWER, "other answer today: it cites other evidence")
