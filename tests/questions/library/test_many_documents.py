"""Of more documents than are asked one by one those that say most are asked, and it is said of how many."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.answers.provenance.asked_of import within_line
from core.domain.answers import Answer, State
from core.domain.provenance.within import Within
from core.graph.importing.importer import import_graph
from core.maintenance.sample import SAMPLE
from core.questions.library.one_by_one import MOST, MOST_CHOSEN, Each
from core.workspace import Workspace
from tests.support.answering import Open
from tests.support.pdfs import make_pdf

NAMES = (
    *(
        "Bintrodol",
        "Dravonex",
        "Fexodran",
        "Gonalvir",
        "Hemotril",
        "Jaspolen",
        "Kalmuvin",
        "Lumetrix",
    ),
    *(
        "Mirgadon",
        "Nolvitan",
        "Persolit",
        "Quentazol",
        "Ristafen",
        "Sandoxil",
        "Ulmitran",
        "Zorvexal",
    ),
)
JUICE = ("Dravonex", "Kalmuvin", "Zorvexal")
ASKED = "Which of my medicines must not be taken with grapefruit?"

PARTS = """Active ingredient Purpose
Bacitracin zinc 500 units ............ First aid antibiotic
Uses
helps prevent infection in minor cuts and burns
Warnings
For external use only. Do not use in the eyes or over large areas of the body.
Directions
Clean the affected area. Apply a small amount 1 to 3 times daily.
Other information
Store at room temperature."""


def leaflet(name: str) -> str:
    """One that says nothing of grapefruit speaks of what must not be taken all the more."""
    juice = (
        f"Do not drink grapefruit juice while you take {name}: it raises the amount in the blood."
    )
    usual = f"{name} must not be taken with other medicines that contain the same substance."
    return "\n".join(
        [
            f"{name} 5 mg tablets",
            f"1. What {name} is and what it is used for",
            f"{name} is used to treat high blood pressure in adults.",
            f"2. What you need to know before you take {name}",
            f"{name} must not be taken if you are allergic to it. It must not be taken at night.",
            "Other medicines and food",
            juice if name in JUICE else usual,
            f"3. How to take {name}",
            f"The usual dose of {name} is one tablet a day, swallowed with water.",
            f"5. How to store {name}",
            f"Store {name} in the fridge, out of the reach of children.",
        ]
    )


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory, open_shared: Open) -> Workspace:
    folder = tmp_path_factory.mktemp("leaflets")
    opened = open_shared(tmp_path_factory.mktemp("many"), writer=True)
    import_graph(SAMPLE / "graph", opened.graph.store)
    for name in NAMES:
        assert (
            opened.library.ingest(make_pdf(folder / f"{name}.pdf", leaflet(name))).state == "ready"
        )
    return opened


def medicines(answer: Answer) -> set[str]:
    return {one.subject.split()[0] for one in answer.blocks}


def ids_of(workspace: Workspace, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(one.id for one in workspace.catalogue.documents() if one.file[:-4] in names)


@pytest.mark.req("AX-6")
@pytest.mark.parametrize(
    "question", [ASKED, "Which medicines must not be taken with grapefruit juice?"]
)
def test_those_that_say_something_are_found_and_the_count_is_told(
    many: Workspace, question: str
) -> None:
    answer = many.chat.answer(question)
    assert answer.state is State.ANSWERED and medicines(answer) == set(JUICE)
    assert all(one.file[:-4] == one.subject.split()[0] for one in answer.blocks)
    count = f"Of {len(NAMES)} documents the {MOST} with the closest passages were asked;"
    said, _, others = answer.notice.partition(count)
    assert "others may say something of it, too." in others
    for name in NAMES:  # it is quoted, or asked and told that it says nothing, or not asked
        assert (name in JUICE) + (f"“{name}”" in said) + (f"“{name}”" in others) <= 1
    assert sum(f"“{name}”" in said for name in NAMES) == MOST - len(JUICE)
    assert sum(f"“{name}”" in others for name in NAMES) == 3


@pytest.mark.req("AX-6")
def test_what_no_leaflet_says_is_refused_with_the_count(many: Workspace) -> None:
    answer = many.chat.answer("Which of my medicines colour the urine blue?")
    assert answer.refused and not answer.blocks
    assert f"Of {len(NAMES)} documents the {MOST} with" in answer.notice


@pytest.mark.req("AX-6")
def test_as_many_as_are_asked_are_quoted(many: Workspace) -> None:
    answer = many.chat.answer("Which of my medicines must be stored in the fridge?")
    assert len(medicines(answer)) == MOST and "Nothing further" not in answer.notice


@pytest.mark.req("AX-6")
def test_of_documents_that_were_chosen_each_is_asked(many: Workspace) -> None:
    few = ids_of(many, NAMES[:MOST])
    answer = many.chat.answer(ASKED, within=Within(documents=few))
    assert medicines(answer) == set(JUICE[:2]) and "closest passages" not in answer.notice
    answer = many.chat.answer(ASKED, within=Within(documents=ids_of(many, NAMES)))
    assert medicines(answer) == set(JUICE) and "closest passages" not in answer.notice
    assert not answer.unasked
    for name in set(NAMES) - set(JUICE):
        assert f"“{name}”" in answer.notice


@pytest.mark.req("AX-6")
def test_those_that_were_not_asked_are_asked_next_and_no_other(many: Workspace) -> None:
    first = many.chat.answer("Which of my medicines must be stored in the fridge?")
    rest = first.unasked
    assert len(rest.documents) == len(NAMES) - MOST and not rest.products
    assert not set(rest.documents) & first.document_ids
    then = many.chat.answer(first.read_as, first.session, within=rest)
    assert then.document_ids == set(rest.documents) and not then.unasked
    assert medicines(first) | medicines(then) == set(NAMES)
    assert within_line(then) == f"in: {', '.join(then.within.files)}"


@pytest.mark.req("AX-6")
def test_of_more_than_are_asked_by_choice_the_rest_gets_smaller() -> None:
    ids = {f"Medicine {n}": (f"id{n}",) for n in range(MOST_CHOSEN + 5)}
    each = Each(ids, within=Within(tuple(one for (one,) in ids.values()), sections=("storage",)))
    asked = each.titles[:MOST_CHOSEN]
    rest = each.among(asked, ["Medicine 40"]).unasked
    assert rest.documents[0] == "id40" and len(rest.documents) == 5
    assert rest.sections == ("storage",)
    assert not {ids[title][0] for title in asked} & set(rest.documents)
    assert not each.among().unasked  # where none was asked by itself


@pytest.mark.req("AX-6")
def test_a_medicine_that_is_named_is_asked_about_alone(many: Workspace) -> None:
    for question in (
        "Which label warnings does Mirgadon have?",
        "Which medicines must not be taken with Mirgadon?",
    ):
        answer = many.chat.answer(question)
        assert medicines(answer) <= {"Mirgadon"} and "asks something of each" not in answer.notice


@pytest.mark.req("AX-6")
def test_products_of_one_file_are_counted_as_products(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    other = PARTS.replace("Bacitracin zinc 500 units", "Lidocaine HCl 2.5%")
    kit = make_pdf(tmp_path / "kit.pdf", PARTS, other)
    assert "2 products told apart" in own_workspace.library.ingest(kit).message
    for name in NAMES[:MOST]:
        file = make_pdf(tmp_path / f"{name}.pdf", leaflet(name))
        assert own_workspace.library.ingest(file).state == "ready"
    answer = own_workspace.chat.answer(ASKED)
    assert medicines(answer) == set(JUICE[:2])
    count = f"Of {MOST + 2} products in {MOST + 1} documents the {MOST} with"
    assert count in answer.notice
    rest = answer.unasked
    assert len(rest.products) == 2
    then = own_workspace.chat.answer(ASKED, within=rest)
    assert then.within.products == rest.products and not then.unasked
    assert {one.subject for one in then.blocks} <= set(rest.products)


@pytest.mark.req("AX-6")
def test_a_wider_search_counts_the_abstracts_too(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer(ASKED, wider=True)
    assert medicines(answer) == {"Atorvastatin", "Sertraline", "Warfarin"}
    count = len(sample_workspace.catalogue.documents())
    assert count > MOST and f"Of {count} documents the {MOST} with" in answer.notice
