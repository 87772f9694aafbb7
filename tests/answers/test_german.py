"""German questions on a German leaflet, an invented one with the headings that all of them have."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.domain.answers import State
from core.workspace import Workspace
from tests.support.answering import Open

LEAFLET = Path(__file__).with_name("german_leaflet.md")


@pytest.fixture(scope="module")
def german(open_shared: Open, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("german")
    path = shutil.copy(LEAFLET, folder / "Beispielin.md")
    found = open_shared(folder / "data", writer=True)
    assert found.library.ingest(Path(path)).state == "ready"
    return found


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wofür wird Beispielin angewendet?", "Zahnschmerzen"),
        ("Wie hoch ist die maximale Tagesdosis von Beispielin?", "1.200 mg"),
        ("Wie viele Stunden müssen zwischen zwei Einnahmen liegen?", "mindestens 6 Stunden"),
        ("Wie bewahre ich Beispielin auf?", "30 °C"),
        ("Welche Nebenwirkungen hat Beispielin?", "Sodbrennen"),
        ("Darf ich Beispielin in der Schwangerschaft nehmen?", "sechs Monaten"),
        ("Kann ich Beispielin mit Warfarin nehmen?", "Warfarin kann verstärkt werden"),
        ("Darf ich Beispielin bei Windpocken nehmen?", "abgeraten"),
        ("Welche Bestandteile enthält Beispielin?", "Maisstärke"),
        ("Darf ich mit Beispielin Auto fahren?", "Straßenverkehr"),
    ],
)
def test_a_german_question_finds_its_place(german: Workspace, question: str, said: str) -> None:
    answer = german.chat.answer(question)
    assert not answer.refused
    assert said in " ".join(sentence.text for sentence in answer.sentences)


def test_contraindications_are_told_whole_with_their_lead_in(german: Workspace) -> None:
    """The list follows a comma, not a colon, and stands under another heading."""
    sentence, *others = german.chat.answer(
        "Wann darf Beispielin nicht eingenommen werden?"
    ).sentences
    assert not any("maximale Tagesdosis" in one.text for one in others)
    assert sentence.text.startswith("Beispielin darf nicht eingenommen werden, wenn Sie allergisch")
    for item in ("Asthmaanfällen", "Magen-", "Nierenfunktionsstörung", "letzten drei Monate"):
        assert item in sentence.text


@pytest.mark.parametrize(
    "question",
    [
        "Wann darf Xarelto nicht eingenommen werden?",
        "Wie hoch ist die Dosis von Eliquis?",
    ],
)
def test_what_the_leaflet_does_not_say_is_refused(german: Workspace, question: str) -> None:
    assert german.chat.answer(question).refused


def test_what_it_costs_is_at_most_answered_by_the_closest_passages(german: Workspace) -> None:
    answer = german.chat.answer("Was kostet Beispielin?")
    assert answer.state is State.MAY_NOT_ANSWER
    assert answer.confidence is not None and answer.confidence < 0.35


def test_a_word_of_another_language_is_no_misspelt_english_one(german: Workspace) -> None:
    question = "In welchem Jahr wurde Beispielin zugelassen?"
    assert german.chat.answer(question).read_as == question
