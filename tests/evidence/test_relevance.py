"""What words weigh, and what a clause is about, over the sample leaflets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from core.documents.store.full_text import FullText
from core.evidence.relevance import NamingShares, Relevance, Subjects
from core.questions.clauses import Clause, read_clauses
from core.text.glosses.in_english import in_english
from core.workspace import Workspace


@pytest.fixture(scope="module")
def relevance(workspace: Workspace) -> Relevance:
    return Relevance(workspace.library_store, ("leaflets",), workspace.encoder().count_tokens)


def clause(workspace: Workspace, question: str) -> Clause:
    return read_clauses(question, workspace.names.entities_in)[0]


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


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Mag ik zzyzxavir gebruiken bij nierproblemen?", ["zzyzxavir"]),
        ("Zu welcher Wirkstoffgruppe gehört Zzyzxavir?", ["zzyzxavir"]),
    ],
)
def test_a_word_that_could_be_put_into_english_is_no_unknown_name(
    question: str, unknown: list[str], relevance: Relevance, workspace: Workspace
) -> None:
    asked = clause(workspace, question)
    assert set(relevance.unknown_names(asked)) > set(unknown)
    assert relevance.unknown_names(asked.in_words(in_english)) == unknown


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Welche Laborwerte sind unter Dauertherapie zu kontrolieren?", []),
        ("Zu welcher Wirkstoffgruppe gehört Zzyzxavir?", ["zzyzxavir"]),
        ("Ik ben mijn tablet 15 uur geleden vergeten, alsnog innemen?", []),
        ("Wie oft nimmt man Torasiviran bei Bluthochdruck?", ["torasiviran"]),
        ("Hoe moet zzyzxavir worden afgebouwd?", ["zzyzxavir"]),
    ],
)
def test_words_of_the_language_are_no_unknown_names(
    question: str, unknown: list[str], relevance: Relevance, workspace: Workspace
) -> None:
    """Compounds, misspelt words, and those of the other language that a question may be in."""
    assert relevance.may_be_medicines(clause(workspace, question)) == unknown


TITLES = {"Metformin 500 mg film-coated tablets", "Warfarin 5 mg tablets", "Zorvexil leaflet"}


@pytest.mark.parametrize(
    ("question", "title", "text", "allowed"),
    [
        ("dose of metformin", "Metformin 500 mg film-coated tablets", "One tablet.", True),
        ("dose of metformin", "Warfarin 5 mg tablets", "One tablet.", False),
        # The dose that stands beside its name in another medicine's leaflet is the other's.
        ("dose of metformin", "Warfarin 5 mg tablets", "With metformin, one tablet.", False),
        ("interactions of metformin", "Warfarin 5 mg tablets", "With metformin, check.", True),
        # A guideline on an illness is no medicine's own document.
        ("dose of metformin", "Type 2 diabetes mellitus in adults", "Metformin: one tablet.", True),
        # Nor is one that only includes another medicine.
        ("dose of metformin", "Diabetes and surgery, including warfarin", "Metformin: one.", True),
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


def test_a_document_s_names_are_counted_once_until_it_is_corrected(workspace: Workspace) -> None:
    class Counting:
        """A library that counts its searches."""

        searches = 0

        def __getattr__(self, name: str) -> Any:
            self.searches += name == "search_text"
            return getattr(workspace.library_store, name)

    library, shares = Counting(), NamingShares()
    document = next(
        one for one in workspace.library_store.documents("leaflets") if "Metformin" in one.file
    )
    by_question = [
        Relevance(
            cast(FullText, library), ("leaflets",), workspace.encoder().count_tokens, shares
        ).naming(one, "metformin")
        for one in (document, document, replace(document, corrections=1))
    ]
    assert by_question[0] == by_question[1] == by_question[2] > 0.5
    assert library.searches == 2
