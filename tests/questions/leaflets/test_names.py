"""Medicines and illnesses that a question to leaflets names."""

from __future__ import annotations

import pytest

from core.domain.encoder import Encoder
from core.domain.graph import Entity
from core.domain.leaflets.conditions import Illness, Partner
from core.questions.leaflets.reader import LeafletReader
from tests.questions.leaflets.asked import READER, conditions, find


@pytest.mark.parametrize("name", ["co-codamol", "Co-amoxiclav"])
def test_a_compound_is_a_medicine_that_a_question_is_about(name: str, encoder: Encoder) -> None:
    plan = LeafletReader(find, encoder.encode).read(f"What are the side effects of {name}?")
    assert [one.text for one in plan.subjects] == [name] and plan.left_over == ()
    assert plan.section_alone is not None and plan.section_alone.section == "adverse_reactions"


def test_a_name_that_says_what_it_is_not_is_no_name_of_that() -> None:
    (name,) = READER.read("What is the dose of Non-Warfarin?").subjects
    assert (name.text, name.ids) == ("Non-Warfarin", ())


@pytest.mark.parametrize(
    ("question", "illness"),
    [
        ("amoxicillin dose in multiple sclerosis", "multiple sclerosis"),
        ("Dose of gabapentin for partial seizures", "partial seizures"),
        ("amoxicillin for relapsing multiple sclerosis", "relapsing multiple sclerosis"),
        ("amoxicillin dose for sepsis", "sepsis"),
        ("Which dose of amoxicillin treats pneumonia?", "pneumonia"),
        ("Amoxicillin bei chronischer Bronchitis", "chronischer Bronchitis"),
    ],
)
def test_an_illness_that_no_graph_knows_has_its_whole_name(question: str, illness: str) -> None:
    found = [one for one in conditions(question) if isinstance(one, Illness)]
    assert [one.name.text for one in found] == [illness]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How is interferon beta-1b stored?", ["interferon beta-1b"]),
        ("How is dimethyl fumarate stored?", ["dimethyl fumarate"]),
        ("dose of zorbimel fumarate", ["zorbimel fumarate"]),
        ("What is the dose of metformin hydrochloride?", ["metformin"]),
        # The graph's name within a longer one is of another medicine.
        ("dose of amoxicillin deruxtecan", ["amoxicillin"]),
        ("dose of trastuzumab deruxtecan", ["trastuzumab deruxtecan"]),
    ],
)
def test_a_medicine_of_several_words_is_one_name(question: str, names: list[str]) -> None:
    found = [one.text for one in READER.read(question).subjects]
    assert found[: len(names)] == names


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Wat is de dosis methotrexaat bij kinderen?", "methotrexaat"),
        ("Hoe moet een overdosis methotrexaat worden behandeld?", "methotrexaat"),
    ],
)
def test_a_medicines_name_in_dutch_is_one(question: str, subject: str) -> None:
    """No title and no list has it; its English is one."""
    assert [one.text for one in READER.read(question).subjects] == [subject]


@pytest.mark.parametrize(
    ("short", "words"),
    [("STEMI", "ST-segment elevation myocardial infarction"), ("DVT", "deep vein thrombosis")],
)
def test_a_short_form_of_an_illness_is_one_and_no_medicine(short: str, words: str) -> None:
    plan = READER.read(f"enoxaparin dose with {short}")
    assert [one.text for one in plan.subjects] == ["enoxaparin"]
    assert [one.name.text for one in plan.conditions if isinstance(one, Illness)] == [words]


@pytest.mark.parametrize(
    "illness", ["Crohn's disease", "Hashimoto’s thyroiditis", "Lyme arthritis"]
)
def test_the_name_in_an_illness_is_no_medicine(illness: str) -> None:
    """With a medicine of its own it would be answered from any label that treats the illness."""
    known = {illness.casefold(): Entity("I3", "Disease", illness)} if "Lyme" in illness else {}
    reader = LeafletReader(
        lambda text: [
            (text.casefold().index(name), text.casefold().index(name) + len(name), entity)
            for name, entity in known.items()
        ]
    )
    plan = reader.read(f"What is the dose of ozanimod in {illness}?")
    assert [one.text for one in plan.subjects] == ["ozanimod"]
    assert any(isinstance(one, Illness) for one in plan.conditions)


def test_a_longer_name_is_another_medicine_than_the_one_that_the_graph_knows() -> None:
    known = Entity("D9", "Drug", "Trastuzumab")

    def find(text: str) -> list[tuple[int, int, Entity]]:
        place = text.casefold().find("trastuzumab")
        return [(place, place + len("trastuzumab"), known)] if place >= 0 else []

    reader = LeafletReader(find)
    (name,) = reader.read("dose of trastuzumab deruxtecan").subjects
    assert name.text == "trastuzumab deruxtecan" and not name.ids
    (name,) = reader.read("dose of trastuzumab").subjects
    assert name.ids == ("D9",)


def test_what_is_taken_is_asked_about_where_nothing_else_is() -> None:
    read = READER.read("How often is headache with tizanidine?")
    assert [one.text for one in read.subjects] == ["tizanidine"]
    beside = READER.read("How often is headache of nimoraxone with tizanidine?")
    assert [one.text for one in beside.subjects] != ["tizanidine"]


def test_what_a_document_is_called_is_a_name_in_any_language() -> None:
    question = "Wie viel Ibuflex für ein Kind mit 22 kg als Filmtabletten?"
    assert not READER.read(question).subjects
    called = READER.of_documents({"ibuflex", "filmtabletten", "kind"})
    assert [one.text for one in called.read(question).subjects] == ["Ibuflex"]


@pytest.mark.parametrize(
    "question",
    [
        "Patient already on sodium warfarin: amoxicillin dose?",
        "Amoxicillin dose if the patient takes sodium warfarin",
    ],
)
def test_what_is_taken_beside_may_begin_with_its_salt(question: str) -> None:
    plan = READER.read(question)
    assert [one.text for one in plan.subjects] in (["amoxicillin"], ["Amoxicillin"])
    assert [one.name.text for one in plan.conditions if isinstance(one, Partner)] == ["warfarin"]
