"""The first passages of a search in the order of their best statements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.documents import Hit
from core.evidence.wider.reordered import by_statements
from core.workspace import Workspace


@pytest.fixture
def hits(sample_workspace: Workspace) -> list[Hit]:
    """Passages of the sample's leaflets, none more promising than another."""
    store = sample_workspace.library_store
    documents = [one for index in store.indexes() for one in store.documents(index.name)]
    leaflet = next(one for one in documents if one.file == "Metformin.pdf")
    chunks = store.document_chunks(leaflet.id)
    assert len(chunks) > 10
    return [Hit(chunk, leaflet, 0.0, 0.0, 0.0) for chunk in chunks]


def ordered(workspace: Workspace, question: str, hits: list[Hit]) -> list[Hit]:
    return by_statements(question, hits, workspace.sources.passages(), workspace.sources.tokens)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("eGFR 45 to 59", "eGFR 45 to 59 mL/min: at most 2,000 mg a day"),
        ("I left out a tablet, what now?", "Leave out the missed tablet"),
    ],
)
def test_the_passage_whose_statement_meets_the_question_is_first(
    sample_workspace: Workspace, hits: list[Hit], question: str, answer: str
) -> None:
    best, *_ = ordered(sample_workspace, question, hits)
    assert answer in " ".join(best.chunk.text.split())


def test_none_is_lost_and_those_beyond_the_first_stay(
    sample_workspace: Workspace, hits: list[Hit]
) -> None:
    many = [replace(hit, relative=1 - place / 100) for place, hit in enumerate(hits * 3)]
    found = ordered(sample_workspace, "eGFR 45 to 59", many)
    assert found[20:] == many[20:]
    assert sorted(map(id, found)) == sorted(map(id, many))
    assert ordered(sample_workspace, "eGFR 45 to 59", []) == []


def test_a_passage_that_search_holds_for_far_more_likely_stays_ahead(
    sample_workspace: Workspace, hits: list[Hit]
) -> None:
    liked = replace(hits[-1], relative=2.5)
    assert ordered(sample_workspace, "eGFR 45 to 59", [*hits[:5], liked])[0] is liked
