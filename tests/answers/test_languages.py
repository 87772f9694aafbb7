"""Questions in other languages than English: German ones on a German leaflet, an invented one with the headings
that all of them have; ones in a language whose conditions nothing reads."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.domain.answers import State
from core.workspace import Workspace
from tests.support.answering import Open

LEAFLET = Path(__file__).with_name("german_leaflet.md")
_ENGLISH = """# Larvexin

## Posology

The dose of larvexin is 40 mg once daily for adults.

Children of 6 to 12 years take 10 mg once daily.
"""
_FRENCH = """# Sorvaline

## Posologie

La dose de sorvaline est de 40 mg une fois par jour chez l'adulte.
"""


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


def test_what_it_costs_is_said_by_no_leaflet(german: Workspace) -> None:
    assert german.chat.answer("Was kostet Beispielin?").state is State.NOT_IN_LIBRARY


def test_a_word_of_another_language_is_no_misspelt_english_one(german: Workspace) -> None:
    question = "In welchem Jahr wurde Beispielin zugelassen?"
    assert german.chat.answer(question).read_as == question


@pytest.fixture(scope="module")
def shelf(open_shared: Open, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("unread")
    found = open_shared(folder / "data", writer=True)
    for name, text in (("larvexin", _ENGLISH), ("sorvaline", _FRENCH)):
        path = Path(folder / f"{name}.md")
        path.write_text(text, encoding="utf-8")
        assert found.library.ingest(path).state == "ready"
    return found


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can I take Beispielin if I have chickenpox?", "abgeraten"),
        ("What is Beispielin used for?", "Zahnschmerzen"),
        ("What's the maximum daily dose of Beispielin?", "1.200 mg"),
        ("How many hours between two doses of Beispielin?", "mindestens 6 Stunden"),
        ("how do I store Beispielin", "30 °C"),
        ("Beispielin common side effects", "Sodbrennen"),
        ("What are the contraindications of Beispielin?", "Asthmaanfällen"),
        ("How much Beispielin for a 7 year old?", "höchstens 600 mg"),
        ("Can Beispielin be taken with methotrexate?", "Methotrexat-Spiegeln"),
    ],
)
def test_an_english_question_is_answered_from_a_german_leaflet(
    german: Workspace, question: str, said: str
) -> None:
    answer = german.chat.answer(question)
    assert said in " ".join(sentence.text for sentence in answer.sentences)
    assert answer.state is State.MAY_NOT_ANSWER  # matched word by word: too few of them are right


def test_and_so_is_a_dutch_one(german: Workspace) -> None:
    answer = german.chat.answer("Mag ik Beispielin gebruiken bij waterpokken?")
    assert "abgeraten" in " ".join(sentence.text for sentence in answer.sentences)


def test_what_it_was_searched_as_is_in_its_trace(german: Workspace) -> None:
    answer = german.chat.answer("how do I store Beispielin")
    assert answer.trace is not None
    (clause,) = answer.trace.clauses
    assert (
        clause.startswith("how do I store Beispielin (searched as: ")
        and "Beispielin" in clause[30:]
    )


def test_a_refused_question_on_a_medicine_with_a_german_leaflet_is_told_so(
    german: Workspace,
) -> None:
    answer = german.chat.answer("How much did Beispielin sell in Brazil last year?")
    assert answer.refused and "“Beispielin.md” is in German: ask in German" in answer.notice
    other = german.chat.answer("What is the dose of Xarelto?")
    assert other.refused and "in German" not in other.notice


@pytest.mark.parametrize(
    ("question", "called"),
    [
        ("Quelle est la dose de larvexin chez l'enfant de 8 ans ?", "French"),
        ("Quelle est la dose de sorvaline chez l'adulte ?", "French"),
        ("¿Cuál es la dosis de larvexin en los niños?", "Spanish"),
        ("Qual è la dose di larvexin negli adulti?", "Italian"),
    ],
)
def test_what_is_found_is_no_firm_answer_and_the_language_is_named(
    shelf: Workspace, question: str, called: str
) -> None:
    answer = shelf.chat.answer(question)
    assert f"reads as {called}" in answer.notice
    assert answer.state is not State.ANSWERED


@pytest.mark.parametrize(
    "question",
    [
        "What is the dose of larvexin for adults?",
        "Wie hoch ist die Dosis von Larvexin?",
        "Hoeveel larvexin mag je kind van 8 jaar nemen?",
    ],
)
def test_english_german_and_dutch_are_read(shelf: Workspace, question: str) -> None:
    assert "reads as" not in shelf.chat.answer(question).notice
