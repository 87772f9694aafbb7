"""Whose medicine a passage speaks of: of another's, and of an animal's, nothing is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.provenance.within import EVERYTHING, Within
from core.evidence.patients.species import species_in
from core.evidence.wider.asked_passages import naming
from core.workspace import Workspace
from tests.support.pdfs import make_pdf

_ZELVANTINE = (
    "Package leaflet: Information for the user\nZelvantine 20 mg tablets\n\n"
    "3. How to take Zelvantine\nThe recommended dose of Zelvantine is 20 mg once a day.\n\n"
    "In the study the starting dose of Orbexanol was 75 mg once a day for the first 7 days.\n\n"
    "5. How to store Zelvantine\nStore Zelvantine below 25 degrees in the original carton."
)
_ORBEXANOL = (
    "Package leaflet: Information for the user\nOrbexanol 75 mg capsules\n\n"
    "3. How to take Orbexanol\nThe recommended dose of Orbexanol is 75 mg twice a day.\n\n"
    "5. How to store Orbexanol\nStore Orbexanol in a refrigerator."
)


@pytest.fixture
def two_leaflets(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    """Leaflets of two medicines that no graph knows, one of which names the other."""
    for name, text in (("one.pdf", _ZELVANTINE), ("two.pdf", _ORBEXANOL)):
        assert own_workspace.library.ingest(make_pdf(tmp_path / name, text)).state == "ready"
    return own_workspace


@pytest.mark.req("PR-3")
def test_a_medicine_that_no_graph_knows_has_its_own_document_alone(two_leaflets: Workspace) -> None:
    answer = two_leaflets.chat.answer("What is the recommended dose of Zelvantine?")
    assert "20 mg once a day" in answer.text and "twice" not in answer.text
    answer = two_leaflets.chat.answer("What is the recommended dose of Orbexanol?")
    assert "75 mg twice a day" in answer.text and "20 mg" not in answer.text


@pytest.mark.req("PR-3")
def test_what_is_asked_further_on_is_asked_of_the_same_medicine(two_leaflets: Workspace) -> None:
    question = "What is the dose of Orbexanol, and how must it be stored?"
    first, second = two_leaflets.chat._reader.planned(question, None)
    assert first.search_text == "What is the dose of Orbexanol"
    assert second.search_text == "how must it be stored (Orbexanol)"
    answer = two_leaflets.chat.answer(question)
    assert "75 mg" in answer.text and "refrigerator" in answer.text
    assert "below 25 degrees" not in answer.text


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    "question",
    [
        # A name that stands in no document, and words that stand in each.
        "What is the recommended dose of Natalizumab?",
        "How should Kesimpta be stored?",
        "Does dalfampridine need kidney function monitoring, and how often?",
    ],
)
def test_of_a_medicine_that_no_document_speaks_of_nothing_is_told(
    two_leaflets: Workspace, question: str
) -> None:
    assert two_leaflets.chat.answer(question).refused


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    "question",
    [
        "What is the dose of metformin for a dog?",
        "Can my cat have ibuprofen for pain?",
        "Wie viel Ibuprofen darf ein Hund bekommen?",
    ],
)
def test_what_is_told_for_people_is_told_for_no_animal(workspace: Workspace, question: str) -> None:
    assert workspace.chat.answer(question).refused


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("name", ["aspirin", "acetylsalicylic acid", "naproxen", "carbamazepine"])
def test_a_leaflet_that_names_another_medicine_tells_no_dose_of_it(
    workspace: Workspace, name: str
) -> None:
    assert workspace.chat.answer(f"What is the maximum daily dose of {name}?").refused


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("name", ["simvastatin", "naproxen", "carbamazepine"])
def test_what_a_leaflet_says_of_a_drink_is_said_of_no_other_medicine(
    workspace: Workspace, name: str
) -> None:
    """Metformin's warns of alcohol in much of its text, and is not on alcohol."""
    answer = workspace.chat.answer(f"Can I drink alcohol with {name}?")
    assert "alcohol" not in answer.text.casefold()


@pytest.mark.req("PR-3")
def test_a_leaflet_that_often_names_another_listed_medicine_is_not_on_that_one(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    trial = " ".join(
        f"In study {number} patients had ponesimod 20 mg or teriflunomide once daily."
        for number in range(1, 9)
    )
    text = (
        "Package leaflet: Information for the user\nPonesimod 20 mg tablets\n\n"
        "2. Dosage and administration\nThe recommended dosage is 20 mg once daily.\n\n"
        f"14. Clinical studies\n{trial}"
    )
    assert own_workspace.library.ingest(make_pdf(tmp_path / "p.pdf", text)).state == "ready"
    told = own_workspace.chat.answer("What is the recommended dosage of ponesimod?")
    assert "The recommended dosage is 20 mg" in told.text
    other = own_workspace.chat.answer("What is the recommended dosage of teriflunomide?")
    assert "The recommended dosage" not in other.text


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("for my two dogs", "en", {"dogs"}),
        ("a catheter in the category of doses", "en", set()),
        ("Mein Hund und die Katzen", "de", {"hund", "katzen"}),
        ("voor mijn hond", "nl", {"hond"}),
        ("für Erwachsene", "de", set()),
        ("a child swallowed it", "", set()),
    ],
)
def test_animals_are_whole_words_of_a_language(text: str, code: str, found: set[str]) -> None:
    assert species_in(text, code) == found


@given(st.text(), st.sampled_from(["", "en", "de", "nl", "fr"]))
def test_animals_stand_in_the_text(text: str, code: str) -> None:
    assert all(one in text.casefold() or one in text.lower() for one in species_in(text, code))


@pytest.mark.req("PR-3")
def test_a_name_in_small_letters_that_no_graph_knows_has_its_own_document_alone(
    two_leaflets: Workspace,
) -> None:
    answer = two_leaflets.chat.answer("how should orbexanol be stored")
    assert "refrigerator" in answer.text and "below 25" not in answer.text
    answer = two_leaflets.chat.answer("starting dose orbexanol study")
    assert "once a day for the first 7 days" in answer.text


def test_the_passage_that_names_what_no_document_is_on_is_looked_into(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """Search brings those that have the further words of "patiromer start and max dose", too."""
    text = (
        "Management of hyperkalaemia in adults\n\n1 Scope\nFor all wards.\n\n"
        "2 Removing potassium\nPatiromer: 8.4 g once daily, raised weekly to 25.2 g."
    )
    assert own_workspace.library.ingest(make_pdf(tmp_path / "g.pdf", text)).state == "ready"
    chat, sources = own_workspace.chat, own_workspace.sources
    scope = chat._scope()
    reader = chat._reader.calling(scope)

    def brought(question: str, within: Within = EVERYTHING) -> list[str]:
        (clause,) = reader.planned(question, reader.planner.read(question), scope)
        hits, ids = naming(clause, [], {}, within, lambda: sources.relevance(scope))
        assert {hit.chunk.id for hit in hits} == ids
        return [hit.chunk.text for hit in hits]

    (found,) = brought("patiromer start and max dose")
    assert "8.4 g once daily" in found
    assert not brought("resonium start and max dose")
    assert not brought("patiromer start and max dose", Within(sections=("storage",)))


def test_with_or_without_food_asks_for_no_list(own_workspace: Workspace, tmp_path: Path) -> None:
    text = (
        "Zelvantine 20 mg tablets\n\nHow to take Zelvantine\nYou may take Zelvantine with or without food. "
        "Swallow it whole.\n\nStorage\nStore Zelvantine below 25 degrees."
    )
    assert own_workspace.library.ingest(make_pdf(tmp_path / "z.pdf", text)).state == "ready"
    assert (
        "with or without food" in own_workspace.chat.answer("Zelvantine with or without food").text
    )
