"""Whose product a question asks about, where several makers have one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.plans import Named
from core.evidence.naming.makers import maker_of, side_by_side
from core.workspace import Workspace
from tests.support.pdfs import make_pdf

_FACTS = (
    "{title}\n\nDrug Facts\nActive ingredient (in each tablet)\nAcetaminophen {mg} mg\n"
    "Purpose\nPain reliever\nUses\nFor minor aches.\nWarnings\nLiver warning: see a doctor.\n"
    "Directions\nAdults: take {dose} tablets every 6 hours.\n"
    "Other information\nStore at room temperature.\nDistributed by {maker}."
)


@pytest.fixture
def two_makers(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    """Labels of two makers' tablets of one substance."""
    made = [
        (
            "one.pdf",
            "365 EVERGREEN MARKET ACETAMINOPHEN - acetaminophen tablet",
            500,
            2,
            "Evergreen Market",
        ),
        ("two.pdf", "NORTHERN CARE ACETAMINOPHEN - acetaminophen tablet", 325, 3, "Northern Care"),
    ]
    for name, title, mg, dose, maker in made:
        text = _FACTS.format(title=title, mg=mg, dose=dose, maker=maker)
        assert own_workspace.library.ingest(make_pdf(tmp_path / name, text)).state == "ready"
    return own_workspace


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("maker", "own", "others"),
    [
        ("Evergreen Market's", "take 2 tablets", "take 3 tablets"),
        ("northern care", "take 3 tablets", "take 2 tablets"),
    ],
)
def test_the_product_of_the_maker_that_is_named_is_told(
    two_makers: Workspace, maker: str, own: str, others: str
) -> None:
    answer = two_makers.chat.answer(f"How many {maker} acetaminophen tablets may an adult take?")
    assert own in answer.text and others not in answer.text
    documents = {one.subject: one for one in two_makers.library_store.documents("leaflets")}
    name = Named("acetaminophen", (), "acetaminophen", "")
    everybodys = maker_of("How much acetaminophen?", [name], documents, lambda *_: ())
    assert everybodys.documents == set(documents)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Non-Aspirin acetaminophen tablets", True),
        ("Non-Aspirin (acetaminophen) tablets", True),
        ("Non-Aspirin and acetaminophen", False),
    ],
)
def test_names_side_by_side_are_of_one_product(text: str, expected: bool) -> None:
    one, other = (Named(each, (), each, "") for each in ("Non-Aspirin", "acetaminophen"))
    assert side_by_side(text, one, other) is expected
