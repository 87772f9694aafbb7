"""A dosing table of a document: the row that is asked for, and never another patient's."""

from __future__ import annotations

import io
from pathlib import Path

import fpdf
import pytest
from PIL import Image

from core.answers.draft import checked_draft
from core.domain.answers import Answer, DocumentCitation, State, Support
from core.text.tables.lines import HEAD, UNREAD
from core.workspace import Workspace
from tests.support.answering import Open
from tests.support.asking import assert_evidence, documents, documents_of

WEIGHTS = [
    ("Body weight (kg)", "Single dose", "Interval"),
    ("10 to 19", "125 mg", "every 12 hours"),
    ("20 to 29", "250 mg", "every 12 hours"),
    ("30 to 39", "375 mg", "every 12 hours"),
]
KIDNEYS = [
    ("Renal impairment", "Creatinine clearance (mL/min)", "Recommended daily dose"),
    ("Mild", "60 to 89", "20 mg"),
    ("Moderate", "30 to 59", "15 mg"),
    ("Severe", "below 30", "10 mg"),
]
AGES = [
    ("Infection", "Severity", "Usual dose for adults", "Usual dose for children under 12 years"),
    ("Ear", "Mild", "512 mg", "64 mg"),
    ("Ear", "Severe", "1024 mg", "128 mg"),
    ("Skin", "Mild", "514 mg", "66 mg"),
    ("Skin", "Severe", "1026 mg", "132 mg"),
]
ASTHMA = [
    ("Severity", "Usual adult dose", "Usual dose for children*"),
    ("Mild", "701 mg", "71 mg"),
    ("Severe", "702 mg", "72 mg"),
]
NOTE = (
    "*The dose for children is intended for those below 40 kg. Children weighing 40 kg or more should be "
    "dosed according to the adult recommendations."
)
ADULT_KIDNEYS = [
    ("Creatinine clearance (mL/min)", "Dose"),
    ("50 to 79", "403 mg once a day"),
    ("30 to 49", "402 mg once a day"),
    ("10 to 29", "401 mg once a day"),
]
LEADS_IN = (
    "Doses in adults and adolescents 12 years of age and older with hay fever and "
    "kidney problems are as follows:"
)
DOSES = [row[1] for row in WEIGHTS[1:]] + [row[2] for row in KIDNEYS[1:]]


def _lay(pdf: fpdf.FPDF, part: str | list[tuple[str, ...]]) -> None:
    """Text or a table below what is there."""
    if isinstance(part, str):
        pdf.multi_cell(0, 6, part, new_x="LMARGIN", new_y="NEXT")
    else:
        with pdf.table(part, line_height=6):
            pass
    pdf.ln(3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("labels")
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    for part in (
        "Velorin film-coated tablets\n3. How to take Velorin\nTake the tablets with water.",
        "Table 1: Dose of Velorin in children by body weight",
        WEIGHTS,
        "Table 2: Dose of Velorin in renal impairment",
        KIDNEYS,
        "Table 3: Dose of Velorin in infections",
        AGES,
        "Table 4: Dose of Velorin in asthma",
        ASTHMA,
        NOTE,
        "In gout, the dose of Velorin is:\n- 301 mg once a day in adults.\n"
        "- 31 mg once a day in children from 6 to 11 years.",
        "Heart failure: start with 2.5 mg once a day. It is raised to 35 mg once a day.",
        "High blood pressure: the starting dose is 11 mg a day, the highest dose 81 mg a day.",
        LEADS_IN,
        ADULT_KIDNEYS,
        "Swallow the tablets whole.\n4. Possible side effects\nHeadache may occur.",
    ):
        _lay(pdf, part)
    pdf.output(str(made / "Velorin.pdf"))
    return made


@pytest.fixture(scope="module")
def workspace(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, open_shared: Open
) -> Workspace:
    made = open_shared(tmp_path_factory.mktemp("data"), writer=True)
    assert made.library.ingest(folder / "Velorin.pdf").state == "ready"
    return made


def told(answer: Answer) -> str:
    return " ".join(sentence.text for sentence in answer.sentences)


def test_the_row_of_the_patient_and_no_other(workspace: Workspace, folder: Path) -> None:
    for question, dose in (
        ("What is the dose of Velorin for a child weighing 25 kg?", "250 mg"),
        ("What is the dose of Velorin for a child of 35 kg?", "375 mg"),
        ("What is the dose of Velorin in severe renal impairment?", "10 mg"),
        ("What is the dose of Velorin for mild renal impairment?", "20 mg"),
        ("What is the dose of Velorin with a creatinine clearance of 45 mL/min?", "15 mg"),
    ):
        answer = workspace.chat.answer(question)
        words = told(answer)
        others = [other for other in DOSES if other != dose]
        assert f": {dose}" in words, question
        assert not any(f": {other}" in words for other in others), question
        assert_evidence(answer, workspace, folder)


def test_a_row_is_told_without_the_column_of_others(workspace: Workspace, folder: Path) -> None:
    answer = workspace.chat.answer(
        "What is the dose of Velorin for a severe ear infection in a child of 7 years?"
    )
    words = told(answer)
    assert "128 mg" in words and not any(f" {one} mg" in words for one in (1024, 64, 512, 66))
    assert_evidence(answer, workspace, folder)
    answer = workspace.chat.answer("Dose of Velorin for adults with a mild ear infection?")
    words = told(answer)
    assert "512 mg" in words and not any(f" {one} mg" in words for one in (1024, 64, 128))


def test_a_note_says_whose_number_a_row_has(workspace: Workspace, folder: Path) -> None:
    """Above the limit of the note it is the row's other column that holds, and the note says so."""
    for question, dose, other in (
        ("What is the dose of Velorin in mild asthma for a child of 45 kg?", "701 mg", " 71 mg"),
        ("What is the dose of Velorin in mild asthma for a child of 20 kg?", " 71 mg", "701 mg"),
        ("What is the dose of Velorin in mild asthma for an adult of 80 kg?", "701 mg", " 71 mg"),
    ):
        answer = workspace.chat.answer(question)
        assert dose in told(answer) and other not in told(answer), question
        assert (NOTE in told(answer)) is ("child" in question)
        assert_evidence(answer, workspace, folder)
        quotes = [" ".join(one.quote.split()) for one in documents(answer)]
        assert (NOTE in quotes) is ("child" in question)


def test_the_items_of_other_patients_stand_apart(workspace: Workspace, folder: Path) -> None:
    answer = workspace.chat.answer("What is the dose of Velorin in gout for a child of 8 years?")
    decisive = [one.text for one in answer.sentences if one.decisive]
    assert any("31 mg" in text for text in decisive)
    assert not any("301 mg" in text for text in decisive)
    assert all(one.others for one in answer.sentences if "301 mg" in one.text)
    assert_evidence(answer, workspace, folder)


def test_what_leads_in_a_table_says_whose_its_rows_are(workspace: Workspace) -> None:
    """The row holds no age of its own: a child's clearance finds none of it."""
    question = (
        "What is the dose of Velorin in hay fever with a creatinine clearance of 20 mL/min for"
    )
    answer = workspace.chat.answer(f"{question} an adult?")
    assert LEADS_IN in told(answer) and "401 mg" in told(answer)  # and is told with them
    assert all(one.row is ("mg" in one.text) for one in answer.sentences)
    assert "401 mg" not in told(workspace.chat.answer(f"{question} a child of 8 years?"))


def test_a_dose_is_told_for_the_illness_that_is_asked_about(workspace: Workspace) -> None:
    words = told(workspace.chat.answer("In heart failure, what is the first dose of Velorin?"))
    assert "2.5 mg" in words and "11 mg" not in words and "81 mg" not in words


def test_without_a_dose_for_the_patient_it_says_whose_the_leaflet_tells(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer("What is the dose of Velorin for a patient weighing 5 kg?")
    assert answer.refused
    assert "No dose is told for a patient of 5 kg" in answer.notice
    assert "for a patient of 10 to 19 kg" in answer.notice


def test_adults_doses_that_a_note_gives_to_a_weight_are_no_answer_for_an_unknown_illness(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer("What is the dose of Velorin for a patient weighing 70 kg?")
    # They are of one illness of several, and nobody said which is meant: what is closest is told with its own.
    assert answer.state is not State.ANSWERED
    assert answer.refused or all(
        "asthma" in one.text for one in answer.sentences if " mg" in one.text
    )
    others = [row[1] for row in WEIGHTS[1:]] + [row[3] for row in AGES[1:]]
    assert not any(f": {dose}" in told(answer) for dose in others)


def test_heads_and_caption_are_cited_beside_the_row(workspace: Workspace) -> None:
    answer = workspace.chat.answer("What is the dose of Velorin in severe renal impairment?")
    sentence = answer.sentences[0]
    assert sentence.text == (
        "Table 2: Dose of Velorin in renal impairment – Renal impairment: Severe; "
        "Creatinine clearance (mL/min): below 30; Recommended daily dose: 10 mg."
    )
    assert sentence.row  # and so stands on its own line
    row, heads = documents_of(answer, sentence)
    assert row.quote.split("\t") == list(KIDNEYS[3])
    assert heads.quote.startswith("Table 2") and heads.quote.endswith(KIDNEYS[0][2])
    assert not sentence.problems and not set(documents(answer)) - {row, heads}


def test_the_marks_of_a_row_lie_on_it(workspace: Workspace) -> None:
    """On the page's picture the row is marked over its three columns, and no row above or below it."""
    answer = workspace.chat.answer("What is the dose of Velorin in severe renal impairment?")
    row = documents(answer)[0]
    picture = workspace.library.page_image(row.document_id, 1, [(row.start, row.end)])
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    yellow = [place for place, pixel in enumerate(image.getdata()) if pixel[2] < 100 < pixel[0]]
    lines = {place // image.width for place in yellow}
    columns = {place % image.width * 3 // image.width for place in yellow}
    assert max(lines) - min(lines) < 6 * 2 * (72 / 25.4) * 1.6  # less than two rows of 6 mm
    assert columns == {0, 1, 2}


def _cited(quote: str) -> DocumentCitation:
    return DocumentCitation(
        n=1,
        document_id="document",
        chunk_id="chunk",
        file="Velorin.pdf",
        page=1,
        section="posology",
        heading="3. How to take Velorin",
        quote=quote,
        start=0,
        end=len(quote),
        relevance=0.9,
    )


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("In severe renal impairment the recommended daily dose is 10 mg [1].", True),
        ("Patients with severe renal impairment take 20 mg a day [1].", False),
        ("With a creatinine clearance of 30 to 59 mL/min the daily dose is 15 mg [1].", True),
        ("With a creatinine clearance of 45 mL/min the daily dose is 10 mg [1].", False),
        ("It is 10 mg in severe, 15 mg in moderate and 20 mg in mild renal impairment [1].", True),
    ],
)
def test_what_a_model_says_of_a_row_is_held_against_its_patients(
    sentence: str, is_right: bool
) -> None:
    rows = "\n".join("\t".join(row) for row in KIDNEYS)
    cited = _cited(f"Table 2: Recommended daily dose in renal impairment\n{HEAD}{rows}")
    (checked,) = checked_draft(sentence, [cited], "model").sentences
    assert (checked.support is Support.DOCUMENT) is is_right, checked.problems


def test_a_table_whose_rows_nothing_tells_is_shown_and_not_quoted(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Typed columns that wrap alike: the words of an adult's dose stand on the lines of a child's."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.text(20, 20, "Zorvexil 500 mg tablets")
    pdf.text(20, 30, "3. How to take Zorvexil")
    for line, (left, right) in enumerate((
        ("Adults and", "Take 2 tablets every 4 hours as"),
        ("teenagers", "needed, but never more than 8 tablets"),
        ("Children", "Take 1 tablet every 4 hours as"),
        ("under 12", "needed, but never more than 4 tablets"),
    )):  # fmt: skip
        blanks = " " * int((70 - pdf.get_string_width(left)) / pdf.get_string_width(" "))
        pdf.text(20, 40 + 5 * line, left + blanks + right)
    pdf.output(str(tmp_path / "Zorvexil.pdf"))
    assert workspace.library.ingest(tmp_path / "Zorvexil.pdf").state == "ready"
    answer = workspace.chat.answer("How many tablets of Zorvexil may children take?")
    assert answer.may_not_answer and told(answer) == UNREAD
    (cited,) = documents(answer)
    assert cited.page == 1 and "Take 1 tablet" in cited.quote


def test_a_table_for_others_has_no_row_for_the_patient(
    tmp_path: Path, own_workspace: Workspace
) -> None:
    """A cell that warns of younger patients makes the row no dose of theirs."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    above = "Ostaxil oral suspension\n3. How to take Ostaxil\nTake it with water.\nTable 1: Dose of Ostaxil in "
    rows = [
        ("Infection", "Usual dose"),
        ("Ear", "45 mg/kg a day, not with probenecid in children under 2 years"),
        ("Skin", "47 mg/kg a day"),
    ]
    pdf.multi_cell(0, 6, f"{above}patients older than 3 months", new_x="LMARGIN", new_y="NEXT")
    with pdf.table(rows, line_height=6):
        pass
    pdf.multi_cell(0, 6, "Infants up to 3 months: the highest dose is 30 mg/kg a day.")
    pdf.output(str(tmp_path / "Ostaxil.pdf"))
    assert own_workspace.library.ingest(tmp_path / "Ostaxil.pdf").state == "ready"
    words = told(own_workspace.chat.answer("Dose of Ostaxil for an infant of 2 months?"))
    assert "30 mg/kg" in words and "45 mg/kg" not in words
    words = told(
        own_workspace.chat.answer("Dose of Ostaxil for a child of 5 years with a skin infection?")
    )
    assert "47 mg/kg" in words and "30 mg/kg" not in words


KEYED = [
    ("CrCl (mL/min)", "Standard", "Sepsis*"),
    ("above 40", "451 mg every 8 hours", "452 mg every 6 hours"),
    ("20 to 40", "453 mg every 8 hours", "454 mg every 8 hours"),
]


@pytest.mark.req("PR-3")
def test_a_note_makes_no_row_of_others_the_patients(
    tmp_path: Path, own_workspace: Workspace
) -> None:
    """The row's first cell says whose it is, whomever a note on one of its columns speaks of."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    above = "Velorin injection\n3. How Velorin is given\nTable 1: Dose of Velorin"
    pdf.multi_cell(0, 6, above, new_x="LMARGIN", new_y="NEXT")
    with pdf.table(KEYED, line_height=6):
        pass
    note = "* Also pneumonia. With vancomycin and a CrCl below 60 mL/min give it every 8 hours."
    pdf.multi_cell(0, 6, f"{note}\n5. How Velorin is stored\nStore it in a cool place.")
    pdf.output(str(tmp_path / "Velorin.pdf"))
    assert own_workspace.library.ingest(tmp_path / "Velorin.pdf").state == "ready"
    words = told(own_workspace.chat.answer("Dose of Velorin in sepsis with a CrCl of 50 mL/min?"))
    assert "452 mg" in words and "453 mg" not in words and "454 mg" not in words


@pytest.mark.req("PR-3")
def test_a_column_for_those_who_take_something_else_is_not_told(
    tmp_path: Path, own_workspace: Workspace
) -> None:
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    above = "Velorin tablets\n3. How to take Velorin\nTake it with water.\nTable 1: Dose of Velorin in epilepsy"
    rows = [
        (
            "Time",
            "In patients taking valproate",
            "In patients not taking carbamazepine, phenytoin(b), or valproate",
            "In patients taking carbamazepine or phenytoin(b) and not taking valproate",
        ),
        ("Weeks 1 and 2", "12 mg a day", "25 mg a day", "51 mg a day"),
        ("Weeks 3 and 4", "26 mg a day", "52 mg a day", "103 mg a day"),
    ]
    pdf.multi_cell(0, 6, above, new_x="LMARGIN", new_y="NEXT")
    with pdf.table(rows, line_height=6):
        pass
    pdf.output(str(tmp_path / "Velorin.pdf"))
    assert own_workspace.library.ingest(tmp_path / "Velorin.pdf").state == "ready"
    for patient, dose in (
        ("taking valproate", 12),
        ("not taking valproate or carbamazepine", 25),
        ("who takes neither phenytoin nor valproate", 25),
        ("taking carbamazepine but not valproate", 51),
    ):
        question = f"What is the dose of Velorin in weeks 1 and 2 for an adult {patient}?"
        words = told(own_workspace.chat.answer(question))
        found = [one for one in (12, 25, 51, 26, 52, 103) if f": {one} mg" in words]
        assert found == [dose], (question, words)


MEDICINES = [
    ("Drug", "Starting dose", "Maintenance dose", "Dose adjustment"),
    ("Siponimod", "0.25 mg on day 1", "2 mg once daily", "1 mg with some genotypes"),
    ("Ozanimod", "0.23 mg on day 1", "0.92 mg once daily", "Every other day in hepatic impairment"),
    ("Ponesimod", "3 mg on day 1", "20 mg once daily", "Not in severe hepatic impairment"),
]


@pytest.fixture(scope="module")
def guideline(tmp_path_factory: pytest.TempPathFactory, open_shared: Open) -> Workspace:
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, "Treatment of multiple sclerosis", new_x="LMARGIN", new_y="NEXT")
    pdf.multi_cell(0, 6, "Table 1: Doses of oral drugs", new_x="LMARGIN", new_y="NEXT")
    with pdf.table(MEDICINES, line_height=6):
        pass
    path = tmp_path_factory.mktemp("guideline") / "guideline.pdf"
    pdf.output(str(path))
    made = open_shared(tmp_path_factory.mktemp("guideline_data"), writer=True)
    assert made.library.ingest(path).state == "ready"
    return made


@pytest.mark.parametrize(
    ("drug", "dose"),
    [("ponesimod", "20 mg once daily"), ("siponimod", "2 mg once daily"), ("cladribine", None)],
)
def test_a_row_of_another_medicine_answers_nothing(
    guideline: Workspace, drug: str, dose: str | None
) -> None:
    words = told(guideline.chat.answer(f"What is the maintenance dose of {drug}?"))
    assert [row[2] for row in MEDICINES[1:] if f": {row[2]}" in words] == [dose] * bool(dose)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("said", "first", "dosed"),
    [
        (
            "The safety and efficacy of Ferrumol in children from birth to 23 months of age have not been "
            "established.",
            "450 mg",
            True,
        ),
        ("Ferrumol is contraindicated in children.", "contraindicated", False),
    ],
)
def test_a_row_for_a_childs_weight_comes_before_what_is_not_known_of_small_children(
    own_workspace: Workspace, tmp_path: Path, said: str, first: str, dosed: bool
) -> None:
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, "Ferrumol 90 mg tablets\n4.2 Posology", new_x="LMARGIN", new_y="NEXT")
    for part in (
        "Table 1: Starting dose of Ferrumol by body weight",
        [("Body weight", "Daily dose"), ("16 to 22 kg", "270 mg"), ("29 to 35 kg", "450 mg")],
        said,
    ):
        _lay(pdf, part)
    pdf.output(str(tmp_path / "Ferrumol.pdf"))
    assert own_workspace.library.ingest(tmp_path / "Ferrumol.pdf").state == "ready"
    answer = own_workspace.chat.answer(
        "What is the starting dose of Ferrumol for a child of 31 kg?"
    )
    assert first in answer.sentences[0].text
    assert ("450 mg" in answer.text) is dosed and "270 mg" not in answer.text
    assert ("No dose is told" not in answer.notice) is dosed
    assert ("23 months" in answer.text) is dosed
