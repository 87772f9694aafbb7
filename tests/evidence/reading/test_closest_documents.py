"""Which documents say most of what is asked of each."""

from __future__ import annotations

import pytest

from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.domain.provenance.within import EVERYTHING, Within
from core.evidence.reading.closest_documents import ClosestDocuments
from core.questions.clauses import Clause
from core.workspace import Workspace


def ranked(workspace: Workspace, text: str, within: Within = EVERYTHING) -> list[str]:
    closest = ClosestDocuments(workspace.retriever)
    return [title.split()[0] for _, title in closest(Clause(text), (LEAFLETS,), within)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("must not be taken with grapefruit", {"Atorvastatin", "Sertraline", "Warfarin"}),
        ("dürfen nicht mit Grapefruitsaft eingenommen werden", {"Atorvastatin", "Warfarin"}),
        ("must not be crushed", {"Methotrexate"}),
    ],
)
def test_documents_with_what_is_asked_come_first(
    sample_workspace: Workspace, text: str, expected: set[str]
) -> None:
    found = ranked(sample_workspace, text)
    assert expected <= set(found[: len(expected) + 2])
    assert len(found) == len(set(found))


def test_of_the_documents_and_the_index_that_are_asked_alone(sample_workspace: Workspace) -> None:
    documents = sample_workspace.catalogue.documents(LEAFLETS)
    two = {one.id: one for one in documents if one.file.startswith(("Metformin", "Warfarin"))}
    within = Within(documents=tuple(two))
    assert ranked(sample_workspace, "must not be taken with grapefruit", within) == [
        "Warfarin",
        "Metformin",
    ]
    closest = ClosestDocuments(sample_workspace.retriever)
    assert closest(Clause("interact with grapefruit"), (ABSTRACTS,), within) == []


def test_an_index_that_is_gone_has_none(sample_workspace: Workspace) -> None:
    closest = ClosestDocuments(sample_workspace.retriever)
    found = closest(Clause("interact with grapefruit"), ("gone", LEAFLETS), EVERYTHING)
    assert found == closest(Clause("interact with grapefruit"), (LEAFLETS,), EVERYTHING)


def test_where_nobody_has_the_rarest_word_no_other_stands_for_it(
    sample_workspace: Workspace,
) -> None:
    closest = ClosestDocuments(sample_workspace.retriever)
    assert closest._rarest("be crushed", LEAFLETS) == "crushed"
    assert closest._rarest("be crushed with ptarmigan", LEAFLETS) == ""
