"""One file with the leaflets of two medicines: each told under its own name, and never the other's."""

from __future__ import annotations

import fpdf
import pytest

from core.domain.answers import Answer
from core.domain.documents import Document
from core.workspace import Workspace
from tests.support.answering import Open
from tests.support.asking import documents

LEAFLET = """Package leaflet: Information for the user
{name} {strength} mg film-coated tablets
1. What {name} is and what it is used for
{name} is used to lower {purpose}.
2. What you need to know before you take {name}
Do not take {name}
- if you are allergic to {name}
- if you have {contra}
3. How to take {name}
The recommended dose of {name} for adults is {strength} mg once a day. Swallow the tablet whole.
4. Possible side effects
{name} may cause {effect}.
5. How to store {name}
Store {name} below {degrees} °C."""
VELORIN = {"name": "Velorin", "strength": 20, "purpose": "the pressure in the eye", "contra": "gout",
           "effect": "a dry mouth", "degrees": 25}  # fmt: skip
BARVANE = {"name": "Barvane", "strength": 75, "purpose": "the level of uric acid", "contra": "asthma",
           "effect": "hiccups", "degrees": 8}  # fmt: skip


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, open_shared: Open) -> Workspace:
    folder = tmp_path_factory.mktemp("leaflets")
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    for leaflet in (VELORIN, BARVANE):
        pdf.add_page()
        pdf.multi_cell(0, 6, LEAFLET.format(**leaflet), new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(folder / "document_01.pdf"))
    opened = open_shared(tmp_path_factory.mktemp("data"), writer=True)
    result = opened.library.ingest(folder / "document_01.pdf")
    assert result.state == "ready" and "2 products told apart" in result.message
    return opened


def the_file(workspace: Workspace) -> Document:
    (document,) = (one for one in workspace.catalogue.documents("leaflets") if one.products)
    return document


def assert_tells(answer: Answer, product: str, said: str, not_said: str) -> None:
    assert not answer.refused and said in answer.text and not_said not in answer.text
    assert {block.subject for block in answer.blocks} == {product}
    assert {one.product for one in documents(answer)} == {product}
    assert all(f"({product})" in one.place for one in documents(answer))


@pytest.mark.req("KG-11", "AX-6")
@pytest.mark.parametrize(
    ("question", "product", "said", "not_said"),
    [
        ("What is the recommended dose of Velorin?", "Velorin 20", "20 mg", "75"),
        ("What is the recommended dose of Barvane?", "Barvane 75", "75 mg", "20 mg"),
        ("What are the side effects of Barvane?", "Barvane 75", "hiccups", "dry mouth"),
        ("Who must not take Velorin?", "Velorin 20", "gout", "asthma"),
        ("How is Velorin stored?", "Velorin 20", "25", "8 °C"),
    ],
)
def test_each_product_of_a_file_answers_for_itself(
    workspace: Workspace, question: str, product: str, said: str, not_said: str
) -> None:
    answer = workspace.chat.answer(question)
    assert_tells(answer, f"{product} mg film-coated tablets", said, not_said)


@pytest.mark.req("AX-6")
def test_the_name_of_one_product_is_corrected_alone(workspace: Workspace) -> None:
    before = the_file(workspace)
    assert before.title == "; ".join(before.titles)
    after = workspace.library.retitle(before.id, "Quolvane 75 mg", product=1)
    assert after.titles == ("Velorin 20 mg film-coated tablets", "Quolvane 75 mg")
    assert after.title == "; ".join(after.titles) and after.corrections == before.corrections + 1
    assert the_file(workspace).products == after.products
    kept = workspace.library.read_again(before.id, keep_names=True)
    assert kept == after == the_file(workspace), "a corrected name outlives a reading"
    now, keeping, read = workspace.library.as_read(before.id)
    assert (now, keeping, read.titles) == (after, after, before.titles)
    answer = workspace.chat.answer("What is the recommended dose of Quolvane?")
    assert {block.subject for block in answer.blocks} == {"Quolvane 75 mg"}
    one = workspace.library.retitle(before.id, "Velorin and Quolvane", one=True)
    assert (one.title, one.products) == ("Velorin and Quolvane", ())
    again = workspace.library.read_again(before.id)
    assert (again.title, again.products) == (before.title, before.products)
    assert workspace.library.read_again(before.id) == again == the_file(workspace), (
        "nothing changes"
    )
