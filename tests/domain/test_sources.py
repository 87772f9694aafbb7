"""The sources of an answer: each once, the most relevant first, with all that a reader asks of one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Answer, Citation, DocumentCitation, EntityLink, GraphCitation
from core.domain.evidence.sources import answer_sources
from tests.domain.answers import an_answer


def _passage(n: int, page: int, relevance: float) -> DocumentCitation:
    return DocumentCitation(
        n, "d1", f"c{n}", "A.pdf", page, "dosage", "How to take", f"quote {n}", n, n + 5, relevance
    )


def _fact(n: int, relevance: float) -> GraphCitation:
    return GraphCitation(
        n,
        "D1",
        "Metformin",
        "Drug",
        "TREATS",
        f"X{n}",
        "gout",
        "Disease",
        relevance,
        {"source": "me"},
    )


citations = st.lists(st.tuples(st.booleans(), st.integers(1, 3), st.floats(0, 1)), max_size=12).map(
    lambda drawn: tuple(
        _passage(n, page, share) if is_passage else _fact(n, share)
        for n, (is_passage, page, share) in enumerate(drawn, 1)
    )
)


def _answer(cited: tuple[Citation, ...]) -> Answer:
    return replace(an_answer("q", "a"), citations=cited, entities=())


@pytest.mark.req("KG-9", "KG-27", "KG-29")
@given(citations)
def test_every_citation_belongs_to_one_source_and_the_most_relevant_is_first(
    cited: tuple[Citation, ...],
) -> None:
    sources = answer_sources(_answer(cited))
    assert sorted(n for one in sources for n in one.citations) == [one.n for one in cited]
    assert [one.relevance for one in sources] == sorted(
        (one.relevance for one in sources), reverse=True
    )
    places = [(one.id, one.page) for one in sources if one.kind == "document"]
    assert len(places) == len(set(places))
    for one in sources:
        own = [each for each in cited if each.n in one.citations]
        assert one.relevance == max(each.relevance for each in own)
        for each in own:
            if isinstance(each, DocumentCitation):
                assert each.quote in one.excerpt and one.name == "A.pdf" and one.page == each.page


@pytest.mark.req("KG-27", "KG-30")
def test_an_entity_has_its_type_name_id_relevance_excerpt_and_properties() -> None:
    entity = EntityLink(
        "D1", "Drug", "Metformin", 0.7, "named", "Metformin treats gout", {"indication": "diabetes"}
    )
    (source,) = answer_sources(
        replace(_answer(()), entities=(entity, replace(entity, relevance=0.2)))
    )
    assert (source.kind, source.type, source.name, source.id) == (
        "entity",
        "Drug",
        "Metformin",
        "D1",
    )
    assert (source.relevance, source.excerpt) == (0.7, "Metformin treats gout")
    assert source.properties == {"indication": "diabetes"} and source.citations == ()
