"""Rows of many cells: what is asked of one of them is not lost among the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.domain.answers import State
from core.evidence.reading.pairs import PairReader
from core.workspace import Workspace
from tests.support.pdfs import make_pdf_of

PUMPS = (
    ("Medicine", "Syringe", "Bolus", "Starting rate", "Usual range", "Highest rate", "Line", "Comments"),
    ("Alfentanil", "25 mg in 50 mL of sodium chloride 0.9% or glucose 5%", "0.5 to 1 mg", "1 mg/hour",
     "1 to 5 mg/hour", "8 mg/hour", "Peripheral or central, by a pump with a lock",
     "First choice for stays below 72 hours. Halve the rate in cirrhosis."),
    ("Fentanyl", "2,500 micrograms in 50 mL, which is undiluted", "50 to 100 micrograms",
     "50 micrograms/hour", "25 to 200 micrograms/hour", "300 micrograms/hour",
     "Peripheral or central, by a pump with a lock",
     "Preferred opioid in renal failure for stays over 72 hours."),
    ("Morphine", "50 mg in 50 mL of sodium chloride 0.9%", "2 to 5 mg", "2 mg/hour",
     "1 to 5 mg/hour", "10 mg/hour", "Peripheral or central, by a pump with a lock",
     "Not in renal failure. Drink nothing for 2 hours."),
)  # fmt: skip
LEVELS = (
    ("Added drug", "What it is added to", "Effect", "What to do"),
    ("Verapamil", "Colchicine", "AUC up by 103%", "Halve the dose"),
    ("Ciclosporin", "Colchicine", "AUC up by 259%", "Do not combine"),
)


@pytest.fixture
def chart(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    made = make_pdf_of(
        tmp_path / "pumps.pdf",
        "Infusions in intensive care",
        "1 Sedation\n\nAll syringes are labelled. The rate is written down every hour.",
        PUMPS,
        "2 Colchicine\n\nOther drugs change how much of it is taken up.",
        LEVELS,
    )
    assert own_workspace.library.ingest(made).state == "ready"
    return own_workspace


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("alfentanil liver cirrhosis", "Halve the rate in cirrhosis"),
        ("Which infusion is preferred with kidney failure expected to stay over three days?",
         "Preferred opioid in renal failure"),
        # What is asked stands in another cell than the words that it is asked with.
        ("By how much does verapamil raise colchicine exposure?", "AUC up by 103%"),
    ],
)  # fmt: skip
def test_the_cell_that_is_asked_for_is_found_in_a_row_of_many(
    chart: Workspace, question: str, told: str
) -> None:
    answer = chart.chat.answer(question)
    assert answer.state is not State.NOT_IN_LIBRARY
    assert told in answer.text


@pytest.mark.parametrize(
    ("question", "begins", "read", "left_out"),
    [
        ("alfentanil liver cirrhosis", "Medicine: Alfentanil", "in cirrhosis", "a lock"),
        ("bolus of alfentanil", "Medicine: Alfentanil", "0.5 to 1 mg", "a lock"),
        ("By how much does verapamil raise colchicine exposure?", "Added drug: Verapamil", "103%", ""),
    ],
)  # fmt: skip
def test_what_the_model_reads_of_a_row(
    chart: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    begins: str,
    read: str,
    left_out: str,
) -> None:
    """The cells that are asked for, or all of a row where the words asked with stand in no head and it is
    short."""
    texts: list[str] = []
    own = PairReader.read

    def listened(self: PairReader, question: str, those: Sequence[str], *more: Any) -> Any:
        texts.extend(those)
        return own(self, question, those, *more)

    monkeypatch.setattr(PairReader, "read", listened)
    chart.chat.answer(question)
    row = next(text for text in texts if begins in text)
    assert read in row
    assert not left_out or left_out not in row


def test_the_row_is_told_whole(chart: Workspace) -> None:
    answer = chart.chat.answer("alfentanil liver cirrhosis")
    row = next(one for one in answer.sentences if "cirrhosis" in one.text)
    assert all(cell in row.text for cell in PUMPS[1])
