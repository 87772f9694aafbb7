"""A plain answer for tests that need some answer."""

from __future__ import annotations

from core.domain.answers import Answer, EntityLink, Sentence, Support


def an_answer(question: str, said: str = "Yes.", *entities: EntityLink) -> Answer:
    """An extractive answer of one unsupported sentence."""
    return Answer(
        question=question,
        read_as=question,
        query_type="hybrid",
        refused=False,
        sentences=(Sentence(said, Support.UNSUPPORTED, ()),),
        citations=(),
        entities=entities,
        nearest=(),
        timings_ms={"retrieve": 1.0, "expand": 1.0, "generate": 1.0},
        model="extractive",
        session="s",
        disclaimer="",
    )
