"""The label of a first aid kit: each of its drugs answers for itself, with a graph and without one."""

from __future__ import annotations

import pytest

from core.domain.answers import Answer
from core.graph.importing.importer import import_graph
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.answering import Open
from tests.support.asking import documents
from tests.support.pdfs import make_pdf

OINTMENT = """Active ingredient Purpose
Bacitracin zinc 500 units ............ First aid antibiotic
Uses
helps prevent infection in minor cuts and burns
Warnings
For external use only. Do not use in the eyes or over large areas of the body.
Stop use and ask a doctor if a rash develops.
Directions
Clean the affected area. Apply a small amount 1 to 3 times daily.
Other information
Store at room temperature."""
GEL = """Active ingredient Purpose
Lidocaine HCl 2.5% ................... Topical analgesic
Uses
temporary relief of pain of minor burns
Warnings
For external use only. Do not use on deep puncture wounds.
Directions
Apply a thin layer to the burn not more than 4 times daily.
Burn Relief Gel"""
TABLETS = """Active ingredient (in each tablet) Purpose
Ibuprofen 200 mg ..................... Pain reliever/fever reducer
Uses
temporarily relieves headache and toothache
Warnings
Stomach bleeding warning: Ibuprofen may cause severe stomach bleeding.
Do not use right before or after heart surgery.
Ask a doctor before use if you take warfarin, naproxen or aspirin.
Directions
Adults: take 1 tablet every 4 to 6 hours. Do not exceed 6 tablets in 24 hours."""


@pytest.fixture(scope="module", params=["graph", "no graph"])
def kit(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, open_shared: Open
) -> Workspace:
    opened = open_shared(tmp_path_factory.mktemp("kit"), writer=True)
    if request.param == "graph":
        import_graph(SAMPLE / "graph", opened.graph.store)
    file = make_pdf(tmp_path_factory.mktemp("files") / "document_01.pdf", OINTMENT, GEL, TABLETS)
    assert "3 products told apart" in opened.library.ingest(file).message
    return opened


def subjects(answer: Answer) -> set[str]:
    assert {one.product for one in documents(answer)} == {one.subject for one in answer.blocks}
    return {one.subject for one in answer.blocks}


@pytest.mark.req("KG-11", "AX-6")
@pytest.mark.parametrize(
    ("question", "product", "said"),
    [
        ("What are the warnings of bacitracin?", "Bacitracin zinc", "eyes"),
        ("How often should bacitracin be applied?", "Bacitracin zinc", "1 to 3 times daily"),
        ("How often may the burn gel be applied?", "Lidocaine HCl", "4 times daily"),
        ("What is the maximum dose of ibuprofen?", "Ibuprofen", "6 tablets"),
    ],
)
def test_each_drug_of_a_kit_answers_for_itself(
    kit: Workspace, question: str, product: str, said: str
) -> None:
    answer = kit.chat.answer(question)
    assert not answer.refused and said in answer.text
    assert subjects(answer) == {product}


@pytest.mark.req("AX-6")
@pytest.mark.parametrize(
    "medicine", ["naproxen", "warfarin", "aspirin", "hydrocortisone", "Non-Ibuprofen"]
)
def test_a_medicine_that_no_part_is_about_gets_no_other_ones_words(
    kit: Workspace, medicine: str
) -> None:
    """Not of one that a part warns of, either."""
    assert kit.chat.answer(f"What is the dose of {medicine}?").refused


@pytest.mark.req("AX-6")
def test_a_question_that_names_none_has_each_products_name_at_its_words(kit: Workspace) -> None:
    answer = kit.chat.answer("What are the warnings?")
    assert subjects(answer) <= {"Bacitracin zinc", "Lidocaine HCl", "Ibuprofen"}
    assert all(f"({one.product})" in one.place for one in documents(answer))


@pytest.mark.req("AX-6")
def test_a_part_of_a_question_for_which_nothing_is_found_is_said(kit: Workspace) -> None:
    answer = kit.chat.answer("How much naproxen may I take, and how often is bacitracin applied?")
    assert "1 to 3 times daily" in answer.text
    assert "Nothing further was found for “How much naproxen may I take”." in (answer.notice or "")
