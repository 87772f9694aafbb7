"""A table that goes on over the page, where its heads are not repeated: its rows are told with them."""

from __future__ import annotations

from pathlib import Path

import fpdf
import pytest
from fpdf.enums import TableHeadingsDisplay

from core.domain.answers import State
from core.text.statements import statements
from core.workspace import Workspace
from tests.documents.reading.tables.drawn_tables import DOSES, LEFT, ruled

HEADS = ("Body weight", "Loading dose of Zelvurin", "Volume")
ROWS = [
    (f"{40 + 2 * n} to {41 + 2 * n} kg", f"{100 + 10 * n} mg", f"{50 + n} mL") for n in range(50)
]


def _pdf(path: Path, *, behind: str = "", rows_before: int = 50) -> Path:
    """A table of which page 2 has the rest; `behind`, where given, ends it and another one begins there."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=10)
    pdf.add_page()
    pdf.multi_cell(
        0, 6, "Zelvurin 10 mg/mL solution\n\n4.2 Posology\n\n", new_x="LMARGIN", new_y="NEXT"
    )
    rows = [HEADS, *ROWS[:rows_before]]
    with pdf.table(rows, repeat_headings=TableHeadingsDisplay.NONE):
        pass
    if behind:
        pdf.multi_cell(0, 6, f"\n{behind}\n\n", new_x="LMARGIN", new_y="NEXT")
        pdf.add_page()
        with pdf.table(ROWS[rows_before:], first_row_as_headings=False):
            pass
    pdf.output(str(path))
    return path


def _chat(workspace: Workspace, path: Path) -> Workspace:
    assert workspace.library.ingest(path).state == "ready"
    return workspace


@pytest.mark.req("PR-3")
def test_a_row_of_the_next_page_is_told_with_the_heads_of_the_first(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    chat = _chat(own_workspace, _pdf(tmp_path / "zelvurin.pdf")).chat
    answer = chat.answer("What is the loading dose of Zelvurin at 131 kg?")
    assert answer.state is State.ANSWERED
    assert (
        "Body weight: 130 to 131 kg; Loading dose of Zelvurin: 550 mg; Volume: 95 mL" in answer.text
    )
    (sentence,) = [one for one in answer.sentences if "130 to 131" in one.text]
    cited = [answer.citations[number - 1] for number in sentence.citations]
    pages = {one.page: one.quote for one in cited}
    assert "550 mg" in pages[2], "the row"
    assert "Loading dose of Zelvurin" in pages[1], "and the heads, on their own page"
    first = chat.answer("What is the loading dose of Zelvurin at 45 kg?")
    assert "44 to 45 kg; Loading dose of Zelvurin: 120 mg" in first.text


@pytest.mark.req("PR-3")
def test_a_row_that_the_page_parts_is_told_whole(own_workspace: Workspace, tmp_path: Path) -> None:
    """And cited on both pages: half of it would tell a dose without its condition."""
    pdf = fpdf.FPDF(unit="pt")
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.text(LEFT, 60, "Zelvurin 25 mg tablets")
    pdf.text(LEFT, 90, "4.2 Posology")
    begun = ("Weak kidneys", "25 mg a day", "200 mg, halved for those\nwhose creatinine is above")
    ruled(pdf, 640, [*DOSES, begun], bold=1, open_end=True)
    pdf.add_page()
    ruled(pdf, 45, [("", "", "150 micromol/l"), *DOSES[3:]], bold=0, open_end=False)
    pdf.output(str(made := tmp_path / "zelvurin.pdf"))
    answer = _chat(own_workspace, made).chat.answer(
        "What is the highest dose of Zelvurin for weak kidneys?"
    )
    assert "200 mg, halved for those whose creatinine is above 150 micromol/l" in answer.text
    (sentence,) = [one for one in answer.sentences if "150 micromol" in one.text]
    cited = [answer.citations[number - 1] for number in sentence.citations]
    assert {one.page for one in cited} == {1, 2}


def test_what_stands_between_ends_the_table(own_workspace: Workspace, tmp_path: Path) -> None:
    made = _pdf(
        tmp_path / "zelvurin.pdf", behind="The next table is for volunteers.", rows_before=20
    )
    answer = _chat(own_workspace, made).chat.answer(
        "What is the loading dose of Zelvurin at 131 kg?"
    )
    assert "Loading dose of Zelvurin: 550 mg" not in answer.text


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("6 to 12 years\t20 mg", "Table 1: Amoxicillin – Age: 6 to 12 years; Daily dose: 20 mg."),
        # Another table's: its first cells have no numbers, or it has another number of cells.
        ("Maximum daily dose of ibuprofen\t400 mg", "Maximum daily dose of ibuprofen: 400 mg."),
        ("6 to 12 years\t20 mg\tonce", ""),
    ],
)
def test_only_a_row_like_those_before_goes_on(row: str, told: str) -> None:
    first = (
        "Table 1: Amoxicillin\n\u2003Age\tDaily dose\nUnder 2 years\t5 mg\n2 to 5 years\t10 mg\n"
    )
    found, _ = statements(f"{first}{row}\n", lambda _line: False, breaks=[len(first)])
    last = found[-1]
    assert last.row and (last.text == told if told else "Amoxicillin" not in last.text)
    assert bool(last.before) == last.text.startswith("Table 1")


def test_a_caption_below_begins_another_table() -> None:
    first = "\u2003Age\tDaily dose of amoxicillin\nUnder 2 years\t5 mg\n2 to 5 years\t10 mg\n"
    behind = "Under 2 years\t50 mg\nOver 2 years\t90 mg\n\nTable 2: Dose of ibuprofen\n"
    found, _ = statements(f"{first}{behind}", lambda _line: False, breaks=[len(first)])
    ibuprofen = [one.text for one in found if "50 mg" in one.text]
    assert ibuprofen and "amoxicillin" not in ibuprofen[0]
