"""A medicine that the documents call by another name of the same substance."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.support.pdfs import make_pdf

LABEL = (
    "Fingolimod capsules, for oral use\n\n"
    "1 INDICATIONS AND USAGE\nFingolimod is indicated for relapsing forms of multiple sclerosis. The effect of "
    "fingolimod on the heart is described below.\n\n"
    "2 DOSAGE AND ADMINISTRATION\nThe recommended dosage of fingolimod is 0.5 mg orally once daily.\n\n"
    "16 HOW SUPPLIED\nStore fingolimod capsules at 20 to 25 degrees Celsius and protect them from moisture."
)


def _with(workspace: Workspace, folder: Path, text: str) -> Workspace:
    assert workspace.library.ingest(make_pdf(folder / "label.pdf", text)).state == "ready"
    return workspace


@pytest.fixture
def label(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    return _with(own_workspace, tmp_path, LABEL)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("written", ["Gilenya", "gilenya", "GILENYA"])
def test_a_trade_name_is_read_as_its_substance_and_said(label: Workspace, written: str) -> None:
    answer = label.chat.answer(f"How should {written} be stored?")
    assert answer.read_as.casefold() == "how should fingolimod be stored?"
    assert "protect them from moisture" in answer.text
    assert f"No document that was searched names “{written}”" in answer.notice
    assert "a name of the same substance" in answer.notice


def test_a_substance_that_is_written_with_a_capital_alone_is_known_as_one(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    leaflet = _with(
        own_workspace,
        tmp_path,
        "Merkblatt Phenprocoumon\n\nEinnahme\nPhenprocoumon wird abends eingenommen.\n\n"
        "Aufbewahrung\nPhenprocoumon vor Licht geschützt aufbewahren.",
    )
    answer = leaflet.chat.answer("Wie wird Marcumar aufbewahrt?")
    assert answer.read_as == "Wie wird Phenprocoumon aufbewahrt?"
    assert "vor Licht" in answer.text


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("Phenprocoumondosis am Abend?", "Phenprocoumon Dosis am Abend?"),
        (
            "Wie lange dauert die Phenprocoumontherapie?",
            "Wie lange dauert die Phenprocoumon Therapie?",
        ),
        # Neither a salt nor a word that begins with no medicine's name is parted.
        ("Was ist Metoprololsuccinat?", "Was ist Metoprololsuccinat?"),
        ("Welche Tagesdosis am Abend?", "Welche Tagesdosis am Abend?"),
    ],
)
def test_a_compound_that_begins_with_a_medicine_is_read_in_two_words(
    own_workspace: Workspace, tmp_path: Path, question: str, read_as: str
) -> None:
    text = "Merkblatt Phenprocoumon\n\nEinnahme\nPhenprocoumon wird abends eingenommen."
    leaflet = _with(own_workspace, tmp_path, text)
    assert leaflet.chat.answer(question).read_as == read_as


@pytest.mark.req("PR-4")
def test_another_medicine_of_the_kind_is_not_read_so(label: Workspace) -> None:
    """Zeposia is ozanimod, of which no document tells."""
    answer = label.chat.answer("How should Zeposia be stored?")
    assert answer.read_as == "How should Zeposia be stored?"
    assert answer.refused


@pytest.mark.req("PR-4")
def test_a_trade_name_is_not_read_as_another_one(own_workspace: Workspace, tmp_path: Path) -> None:
    """Both are abemaciclib; which strengths each has is not known."""
    leaflet = make_pdf(
        tmp_path / "ramiven.pdf",
        "Ramiven 50 mg tablets\n\n"
        "2. How to take Ramiven\nYour doctor tells you how many tablets of Ramiven you take each day.\n\n"
        "5. How to store Ramiven\nKeep Ramiven in the blister and out of the light.",
    )
    assert own_workspace.library.ingest(leaflet).state == "ready"
    answer = own_workspace.chat.answer("How should Verzenio be stored?")
    assert answer.read_as == "How should Verzenio be stored?"
    assert answer.refused


def test_a_name_that_a_document_has_stays(label: Workspace, tmp_path: Path) -> None:
    leaflet = make_pdf(
        tmp_path / "gilenya.pdf",
        "Gilenya 0.5 mg hard capsules\n\n5. How to store Gilenya\nStore Gilenya below 25 degrees.",
    )
    assert label.library.ingest(leaflet).state == "ready"
    answer = label.chat.answer("How should Gilenya be stored?")
    assert answer.read_as == "How should Gilenya be stored?"
    assert "same substance" not in answer.notice
    assert "below 25 degrees" in answer.text


TRADE_NAME = (
    "These highlights do not include all the information needed to use ZEPOSIA safely and effectively. "
    "See full prescribing information for ZEPOSIA.\nZEPOSIA (ozanimod) capsules, for oral use\n\n"
    "1 INDICATIONS AND USAGE\nZEPOSIA is indicated for relapsing forms of multiple sclerosis.\n\n"
    "2 DOSAGE AND ADMINISTRATION\nThe recommended dosage of ZEPOSIA is 0.92 mg orally once daily.\n\n"
    "12.3 Pharmacokinetics\nThe dose of ozanimod was studied from 0.25 mg on. The exposure of ozanimod "
    "rises with the dose. Food has no effect on ozanimod.\n\n"
    "16 HOW SUPPLIED\nStore ZEPOSIA at 20 to 25 degrees Celsius."
)


@pytest.mark.req("KB-8")
@pytest.mark.req("PR-3")
def test_who_asks_for_the_substance_is_told_what_is_said_of_the_trade_name(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    one = own_workspace.library.ingest(make_pdf(tmp_path / "zeposia.pdf", TRADE_NAME))
    assert one.state == "ready"
    (document,) = own_workspace.library_store.documents("leaflets")
    assert document.title == "ZEPOSIA (ozanimod)"
    answer = own_workspace.chat.answer("What is the dose of ozanimod?")
    assert "0.92 mg orally once daily" in answer.sentences[0].text
    stored = own_workspace.chat.answer("How is ozanimod stored?")
    assert "20 to 25 degrees" in stored.text


@pytest.mark.req("PR-3")
def test_a_document_is_found_by_what_its_tablets_contain(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """Beside one that has the substance in its title, and no dose."""
    leaflet = (
        "1. NAME OF THE MEDICINAL PRODUCT\nTrovaxia 2.5 mg film-coated tablets\n\n"
        "2. QUALITATIVE AND QUANTITATIVE COMPOSITION\nEach tablet contains 2.5 mg of apixaban.\n\n"
        "4.2 Posology and method of administration\nThe usual dose is 2.5 mg taken orally twice daily.\n\n"
        "4.3 Contraindications\nActive bleeding. A lesion at risk of bleeding. Disease of the liver.\n\n"
        "4.8 Undesirable effects\nBleeding, anaemia, nausea and bruises are common with Trovaxia.\n\n"
        "4.9 Overdose\nBleeding may follow. Charcoal may be considered.\n\n"
        "5.2 Pharmacokinetic properties\nThe half-life of Trovaxia is 12 hours. Food does not matter.\n\n"
        "6.3 Shelf life\n3 years.\n\n6.4 Special precautions for storage\nStore Trovaxia below 25 degrees.\n\n"
        "6.5 Nature and contents of container\nBlisters of 10 and of 60 tablets."
    )
    guideline = (
        "Guideline: apixaban in bleeding\n\nLast dose\nNote when the last dose of apixaban was taken.\n\n"
        "Charcoal\nGive charcoal within 4 hours of a dose of apixaban."
    )
    for name, text in (("trovaxia.pdf", leaflet), ("guideline.pdf", guideline)):
        assert own_workspace.library.ingest(make_pdf(tmp_path / name, text)).state == "ready"
    document = own_workspace.library_store.documents_named("leaflets", "trovaxia.pdf")[0]
    assert "apixaban" not in document.title
    for question, said in (
        ("What is the dose of apixaban?", "2.5 mg taken orally twice daily"),
        ("Half-life of apixaban?", "12 hours"),
    ):
        answer = own_workspace.chat.answer(question)
        assert said in answer.text
        assert "trovaxia.pdf" in {one.file for one in answer.citations if one.kind != "graph"}


METOVEX = "\n\n".join(
    [
        "Bijsluiter: informatie voor de gebruiker\n\nMetovex 2,5 mg tabletten",
        "1. Waarvoor wordt dit middel gebruikt?\nMetovex wordt gebruikt bij reuma.",
        "2. Wanneer mag u dit middel niet gebruiken?\nU drinkt veel alcohol. Uw nieren werken slecht.",
        "3. Hoe gebruikt u dit middel?\nDe startdosis bij reuma is 7,5 mg per week.",
        *(
            f"4.{number} {told}\n{told} komen voor bij gebruikers van dit middel. "
            + "Neem contact op met uw arts of apotheker als u er last van heeft. " * 8
            for number, told in enumerate(
                (
                    "Hoofdpijn",
                    "Misselijkheid",
                    "Huiduitslag",
                    "Vermoeidheid",
                    "Haaruitval",
                    "Koorts",
                ),
                1,
            )
        ),
        "5. Hoe bewaart u dit middel?\nBewaren beneden 30 graden.",
        "6. Aanvullende informatie\nDe werkzame stof in dit middel is methotrexaat.",
    ]
)


@pytest.mark.parametrize(
    "question",
    [
        "Wat is de startdosis methotrexaat bij reuma?",
        "Met hoeveel mg methotrexaat begin je bij reuma?",
        "Wat is de startdosis van Metovex bij reuma?",
    ],
)
def test_a_dutch_leaflet_is_asked_for_by_its_substance(
    own_workspace: Workspace, tmp_path: Path, question: str
) -> None:
    """Whose Dutch name is on no list; the question was refused."""
    answer = _with(own_workspace, tmp_path, METOVEX).chat.answer(question)
    assert "7,5 mg per week" in answer.text


def test_a_name_that_is_not_spoken_to_its_end_is_the_substances_that_documents_have(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """No title has it; where documents have two that begin so, neither is meant for sure."""
    ward = _with(
        own_workspace,
        tmp_path,
        "Infections in hospital\n\n1. Vancomycin\n\nKeep the trough of vancomycin between 10 and 15 mg/l.\n\n"
        "2. Amoxicillin\n\nThe dose of amoxicillin is 500 mg three times daily.\n\n"
        "3. Amoxapine\n\nThe dose of amoxapine is not changed beside it.",
    )
    answer = ward.chat.answer("Which trough of vanco is wanted?")
    assert answer.read_as == "Which trough of vancomycin is wanted?"
    assert "between 10 and 15 mg/l" in answer.text
    assert "500 mg" not in ward.chat.answer("What is the dose of amox?").text
    assert "500 mg" in ward.chat.answer("What is the dose of amoxi?").text


ASSAY = (
    "Fingolimod capsules, for oral use\n\n"
    "2 DOSAGE AND ADMINISTRATION\nThe recommended dosage of fingolimod is 0.5 mg orally once daily. At a "
    "glomerular filtration rate of 15 to 29 mL/min the dose of fingolimod is 0.25 mg once daily.\n\n"
    "5 WARNINGS AND PRECAUTIONS\nDo not start fingolimod in patients with atrial fibrillation.\n\n"
    "12 CLINICAL PHARMACOLOGY\nThe lower limit of quantification was 0.08 ng/mL in plasma."
)


@pytest.fixture
def assay(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    return _with(own_workspace, tmp_path, ASSAY)


@pytest.mark.parametrize(
    ("question", "read_as", "said"),
    [
        ("LLOQ of fingolimod in plasma?", "lower limit of quantification of fingolimod in plasma?", "0.08"),
        ("May fingolimod be started with AF?", "May fingolimod be started with atrial fibrillation?",
         "Do not start fingolimod"),
        # It tells of a patient as it is.
        ("Dose of fingolimod with a GFR of 20?", "Dose of fingolimod with a GFR of 20?", "0.25 mg"),
        # None of the documents has the words for it either.
        ("Fingolimod and UTI?", "Fingolimod and UTI?", ""),
    ],
)  # fmt: skip
def test_a_short_form_that_no_document_has_is_read_as_its_words(
    assay: Workspace, question: str, read_as: str, said: str
) -> None:
    answer = assay.chat.answer(question)
    assert answer.read_as == read_as
    assert said in answer.text


def test_a_short_form_that_a_document_has_stays(assay: Workspace, tmp_path: Path) -> None:
    other = "Pentarol tablets\n\n4 SPECIAL WARNINGS\nPentarol was not studied in AF. Use pentarol with care."
    assert assay.library.ingest(make_pdf(tmp_path / "pentarol.pdf", other)).state == "ready"
    assert assay.chat.answer("May fingolimod be started with AF?").read_as.endswith("with AF?")


def test_a_name_that_is_not_spoken_to_its_end(label: Workspace, tmp_path: Path) -> None:
    answer = label.chat.answer("How should fingo be stored?")
    assert answer.read_as == "How should fingolimod be stored?" and "moisture" in answer.text
    assert "same substance" not in answer.notice
    for begun in ("fin", "fing5"):  # too short; no word
        assert begun in label.chat.answer(f"How should {begun} be stored?").read_as
    another = make_pdf(
        tmp_path / "fingapentin.pdf",
        LABEL.replace("Fingolimod", "Fingerol").replace("fingolimod", "fingerol"),
    )
    assert label.library.ingest(another).state == "ready"
    assert "fingolimod" in label.chat.answer("How should fingo be stored?").read_as
