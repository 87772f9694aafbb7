"""Which reactions are of one class of frequency: all that a label tells of it, wherever that stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.domain.answers import Answer, State
from core.domain.boards.records import FrequencyClass
from core.domain.leaflets.plan import ADVERSE_REACTIONS, Aspect, DocumentPlan, Wanted
from core.evidence.reading.frequencies import classes_in, labels_in
from core.evidence.wider.of_class import class_asked
from core.workspace import Workspace
from tests.support.pdfs import make_pdf_of

TABLE = (
    ("System organ class", "Common", "Uncommon", "Rare"),
    ("Blood", "Anaemia", "", "Leukopenia"),
    ("Immune system", "", "Rash", "Sarcoidosis"),
    ("Nervous system", "Headache", "Tremor", ""),
    ("Eye", "", "", "Uveitis, glaucoma"),
    ("Kidneys", "Cystitis", "", "-"),
)
GERMAN = (
    "Ramivelin 5 mg Tabletten",
    "4. Welche Nebenwirkungen sind möglich?",
    "Blut",
    "Häufig: Anämie. Selten: Leukopenie, Agranulozytose.",
    "Nervensystem",
    "Häufig: Kopfschmerzen, Schwindel",
    "Herz",
    "Selten: Torsade de pointes",
    "Atemwege Häufig: Husten Selten: Atemdepression",
    "5. Wie ist Ramivelin aufzubewahren?",
    "Nicht über 25 °C lagern.",
)


def _told(answer: Answer) -> str:
    return " ".join(one.text for one in answer.sentences)


def _velorin(
    workspace: Workspace, folder: Path, *side_effects: str | Sequence[Sequence[str]]
) -> Workspace:
    file = make_pdf_of(
        folder / "velorin.pdf",
        "Velorin 20 mg tablets",
        "4. Possible side effects",
        *side_effects,
        "5. How to store Velorin",
        "Store Velorin below 25 degrees.",
    )
    assert workspace.library.ingest(file).state == "ready"
    return workspace


@pytest.mark.req("PR-4")
def test_all_rows_of_the_class_are_told_and_no_cell_of_another(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    shelf = _velorin(own_workspace, tmp_path, "Table 1: Side effects of Velorin", TABLE)
    answer = shelf.chat.answer("Which rare side effects does Velorin have?")
    words = _told(answer)
    assert answer.state is State.ANSWERED
    assert all(f"Rare: {one}" in words for one in ("Leukopenia", "Sarcoidosis", "Uveitis"))
    assert not any(one in words for one in ("Anaemia", "Rash", "Headache", "Tremor", "Kidneys"))
    assert words.count("Table 1: Side effects of Velorin") == 1
    assert all(one.decisive for one in answer.sentences if "Rare:" in one.text)


def test_of_a_class_that_no_row_has_no_row_of_another_is_told(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    shelf = _velorin(own_workspace, tmp_path, "Table 1: Side effects of Velorin", TABLE)
    words = _told(shelf.chat.answer("Which very common side effects does Velorin have?"))
    others = ("Anaemia", "Rash", "Headache", "Tremor", "Leukopenia", "Sarcoidosis", "Uveitis")
    assert not any(one in words for one in others)


@pytest.mark.req("PR-4")
def test_all_lines_of_the_class_are_told(own_workspace: Workspace, tmp_path: Path) -> None:
    file = make_pdf_of(tmp_path / "ramivelin.pdf", *GERMAN)
    assert own_workspace.library.ingest(file).state == "ready"
    words = _told(own_workspace.chat.answer("Welche seltenen Nebenwirkungen hat Ramivelin?"))
    assert all(one in words for one in ("Leukopenie", "Torsade", "Atemdepression"))
    assert "Kopfschmerzen" not in words


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("which rare side effects does X have", FrequencyClass.RARE),
        ("very common adverse reactions of X", FrequencyClass.VERY_COMMON),
        ("seltene Nebenwirkungen von X", FrequencyClass.RARE),
        ("Welke bijwerkingen komen zelden voor?", FrequencyClass.RARE),
        ("the most common side effects of X", None),
        ("is it more common than with placebo?", None),
        ("common and rare side effects of X", None),
        ("side effects of X", None),
    ],
)
def test_a_question_asks_for_one_class(text: str, asked: FrequencyClass | None) -> None:
    plan = DocumentPlan(aspects=(Aspect(ADVERSE_REACTIONS, 0.9),), wanted=Wanted.LIST)
    assert class_asked(plan, text) is asked


def test_how_often_something_comes_asks_for_no_class() -> None:
    aspects = (Aspect(ADVERSE_REACTIONS, 0.9),)
    for wanted in (Wanted.FREQUENCY, Wanted.YES_NO):
        assert class_asked(DocumentPlan(aspects=aspects, wanted=wanted), "rare?") is None
    assert class_asked(DocumentPlan(aspects=(Aspect("posology", 0.9),)), "rare?") is None
    assert class_asked(None, "rare side effects") is None


def test_classes_are_told_apart_and_a_label_has_a_colon() -> None:
    assert classes_in("very rare, rare and not known") == [
        FrequencyClass.VERY_RARE, FrequencyClass.RARE, FrequencyClass.NOT_KNOWN,
    ]  # fmt: skip
    assert labels_in("Eye Common: pain Rare (< 1/1,000): glaucoma") == [
        FrequencyClass.COMMON, FrequencyClass.RARE,
    ]  # fmt: skip
    assert labels_in("Rare cases of glaucoma were seen.") == []


def test_the_item_of_the_class_is_told_of_a_list_that_has_one_for_each(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    shelf = _velorin(
        own_workspace,
        tmp_path,
        "- Common: diarrhoea, rash",
        "- Uncommon: headache, itching",
        "- Rare: kidney stones, haemolytic anaemia",
    )
    words = _told(shelf.chat.answer("Rare side effects of Velorin in children?"))
    assert "kidney stones" in words and "headache" not in words and "diarrhoea" not in words
