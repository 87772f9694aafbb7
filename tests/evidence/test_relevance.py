"""Relevance of texts to clauses, over the sample leaflets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Hit
from core.evidence.relevance import Relevance, Subjects
from core.questions.clauses import Clause, read_clauses
from core.workspace import Workspace


@pytest.fixture(scope="module")
def relevance(workspace: Workspace) -> Relevance:
    return Relevance(workspace.library_store, ("leaflets",), workspace.encoder().count_tokens)


def clause(workspace: Workspace, question: str) -> Clause:
    return read_clauses(question, workspace.names.entities_in)[0]


def hit(workspace: Workspace, file: str, section: str) -> Hit:
    store = workspace.library_store
    document = next(d for d in store.documents() if d.file == file)
    chunk = next(c for c in store.document_chunks(document.id) if c.section == section)
    return Hit(chunk, document, 1.0, 0.5)


@given(question=st.text(max_size=60), text=st.text(max_size=120), cosine=st.floats(-1, 1))
def test_relevance_is_a_share(
    question: str, text: str, cosine: float, relevance: Relevance, workspace: Workspace
) -> None:
    storage = hit(workspace, "Metformin.pdf", "storage")
    assert 0 <= relevance.of(Clause(question), text, cosine, storage) <= 1


@given(low=st.floats(-1, 1), high=st.floats(-1, 1))
def test_more_similarity_is_more_relevance(
    low: float, high: float, relevance: Relevance, workspace: Workspace
) -> None:
    asked = clause(workspace, "How is metformin stored?")
    storage = hit(workspace, "Metformin.pdf", "storage")
    one, other = (relevance.of(asked, "Keep it dry.", c, storage) for c in sorted((low, high)))
    assert one <= other


def test_words_that_are_there_count(relevance: Relevance, workspace: Workspace) -> None:
    asked = clause(workspace, "Does metformin lower vitamin B12?")
    warnings = hit(workspace, "Metformin.pdf", "warnings")
    with_words = relevance.of(asked, "It can lower the level of vitamin B12.", 0.5, warnings)
    without = relevance.of(asked, "Surgery must be planned.", 0.5, warnings)
    assert with_words > without + 0.2


def test_the_name_in_the_title_alone_is_not_enough(
    relevance: Relevance, workspace: Workspace
) -> None:
    asked = clause(workspace, "Who invented ibuprofen?")
    indications = hit(workspace, "Ibuprofen.pdf", "indications")
    threshold = workspace.settings.relevance_threshold
    assert relevance.of(asked, "Ibuprofen lowers fever.", 0.65, indications) < threshold


def test_a_word_that_asks_for_the_section_counts_there_and_less_than_the_word(
    relevance: Relevance, workspace: Workspace
) -> None:
    asked = clause(workspace, "How is metformin kept?")  # a word that the heading does not have
    storage = hit(workspace, "Metformin.pdf", "storage")
    dose = hit(workspace, "Metformin.pdf", "posology")
    there = relevance.of(asked, "Not above 30 °C.", 0.5, storage)
    said = relevance.of(asked, "To be kept below 30 °C.", 0.5, storage)
    assert said > there > relevance.of(asked, "Not above 30 °C.", 0.5, dose)


def test_a_brand_name_is_covered_by_the_substance(
    relevance: Relevance, workspace: Workspace
) -> None:
    asked = clause(workspace, "Glucophage kidneys")
    warnings = hit(workspace, "Metformin.pdf", "warnings")
    assert [entity.name for entity in asked.entities] == ["Metformin"]
    assert relevance.of(asked, "The kidneys are checked.", 1.0, warnings) > 0.95


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("What are the side effects of Ozempic?", ["ozempic"]),
        ("What is the dose of Zzyzxavir?", ["zzyzxavir"]),
        ("Can my kids take ibuprofen?", []),  # an everyday word that the leaflets lack
        ("How is Glucophage stored?", []),
        ("What is the dose of 9999x?", []),
    ],
)
def test_names_that_the_library_lacks(
    question: str, unknown: list[str], relevance: Relevance, workspace: Workspace
) -> None:
    assert relevance.unknown_names(clause(workspace, question)) == unknown


TITLES = {"Metformin 500 mg film-coated tablets", "Warfarin 5 mg tablets", "Zorvexil leaflet"}


@pytest.mark.parametrize(
    ("question", "title", "text", "allowed"),
    [
        ("dose of metformin", "Metformin 500 mg film-coated tablets", "One tablet.", True),
        ("dose of metformin", "Warfarin 5 mg tablets", "One tablet.", False),
        # The dose that stands beside its name in another medicine's leaflet is the other's.
        ("dose of metformin", "Warfarin 5 mg tablets", "With metformin, one tablet.", False),
        ("interactions of metformin", "Warfarin 5 mg tablets", "With metformin, check.", True),
        ("dose of Glucophage", "Metformin 500 mg film-coated tablets", "One tablet.", True),
        ("dose of Zorvexil", "Zorvexil leaflet", "One tablet.", True),
        ("dose of Zorvexil", "Warfarin 5 mg tablets", "One tablet.", False),
        ("is there a leaflet on tablets", "Warfarin 5 mg tablets", "One tablet.", True),
        ("which tablets help", "Warfarin 5 mg tablets", "One tablet.", True),
    ],
)
def test_only_texts_about_the_medicine_that_is_asked_for(
    question: str, title: str, text: str, allowed: bool, workspace: Workspace
) -> None:
    subjects = Subjects(clause(workspace, question), TITLES, workspace.names.entity_ids_in)
    assert subjects.allow(title, text) is allowed
