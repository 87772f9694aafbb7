"""The entities that an answer lists, and those that "Show in graph" opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.answers import Answer, Citation, EntityLink, GraphCitation, NamedEntity
from core.domain.graph import NAMED_IN_QUESTION, RankedEntity, Subgraph
from core.errors import StoreUnavailable
from core.evidence.retrieval import SIMILAR
from core.evidence.sources import Sources
from core.graph.phrases import relationship_phrase

_SUBGRAPH_ENTITIES = 60  # what "Show in graph" opens: readable on one canvas


def entity_links(
    answer: Answer, subgraph: Subgraph, entity_ids_in: Callable[[str], set[str]], most: int
) -> tuple[EntityLink, ...]:
    """Named entities, those of cited facts and quotes, then the nearest others; the most relevant
    first (KG-27, KG-29).

    Args:
        entity_ids_in: ids of the entities named in a text.
        most: how many, named ones always.
    """
    excerpts = _excerpts(answer.citations, entity_ids_in)
    ranked = sorted(
        subgraph.entities,
        key=lambda one: (
            one.reason != NAMED_IN_QUESTION,
            one.entity.id not in excerpts,
            -one.relevance,
        ),
    )
    told = [(one, excerpts.get(one.entity.id) or _told_by(one, answer.question)) for one in ranked]
    told = [(one, excerpt) for one, excerpt in told if excerpt]
    named = sum(1 for one, _ in told if one.reason == NAMED_IN_QUESTION)
    return tuple(
        EntityLink(
            one.entity.id,
            one.entity.type,
            one.entity.name,
            round(one.relevance, 4),
            one.reason,
            excerpt,
            dict(one.entity.properties),
        )
        for one, excerpt in sorted(told[: max(most, named)], key=lambda pair: -pair[0].relevance)
    )


def with_named_entities(answer: Answer, sources: Sources) -> Answer:
    """An answer whose sentences keep which entities they name, so that a later graph changes nothing of it.

    While the graph cannot be reached they keep nothing.
    """
    found = [sources.names.mentions_in(sentence.text) for sentence in answer.sentences]
    try:
        known = sources.graph.entities({one.entity_id for some in found for one in some})
    except StoreUnavailable:
        return answer
    sentences = (
        replace(
            sentence,
            entities=tuple(
                NamedEntity(one.start, one.end, entity.id, entity.name, entity.type)
                for one in mentions
                if (entity := known.get(one.entity_id)) is not None
            ),
        )
        for sentence, mentions in zip(answer.sentences, found, strict=True)
    )
    return replace(answer, sentences=tuple(sentences))


def _excerpts(
    citations: Sequence[Citation], entity_ids_in: Callable[[str], set[str]]
) -> dict[str, str]:
    """Entity id -> the first cited fact or quote that speaks of it."""
    found: dict[str, str] = {}
    for citation in citations:
        if isinstance(citation, GraphCitation):
            verb = relationship_phrase(citation.relationship, forward=True)
            text = f"{citation.source} {verb} {citation.target}"
            ids = [citation.source_id, citation.target_id]
        else:
            text, ids = citation.quote, sorted(entity_ids_in(citation.quote))
        for entity_id in ids:
            found.setdefault(entity_id, text)
    return found


def _told_by(one: RankedEntity, question: str) -> str:
    """What speaks of an entity that no citation names: the fact it was reached by, or the question.
    Empty for one that only a passage mentions which is not cited."""
    if one.hops:
        return f"{one.entity.name} {one.reason}"
    return question if one.reason in (NAMED_IN_QUESTION, SIMILAR) else ""


def shown_entities(
    citations: Sequence[Citation], links: Sequence[EntityLink], subgraph: Subgraph
) -> list[str]:
    """Ids for "Show in graph": the ends of cited facts, the listed entities, then the nearest."""
    ids: dict[str, None] = {}
    for citation in citations:
        if isinstance(citation, GraphCitation):
            ids.update(dict.fromkeys((citation.source_id, citation.target_id)))
    ids.update(dict.fromkeys(link.id for link in links))
    if not ids:
        ids.update(dict.fromkeys(subgraph.entity_ids[:10]))
    return list(ids)[:_SUBGRAPH_ENTITIES]
