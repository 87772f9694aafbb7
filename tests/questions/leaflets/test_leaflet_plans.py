"""Questions to leaflets read as plans: the section and the kind that are asked for, and of whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.encoder import Encoder
from core.domain.leaflets.conditions import Age
from core.domain.leaflets.plan import Aspect, Wanted
from core.domain.plans import Plan, Want
from core.domain.vectors import Vectors
from core.errors import ModelError
from core.questions.leaflets.choice import KIND, SECTION, choices, masked
from core.questions.leaflets.combining import of_what_not_with
from core.questions.leaflets.reader import LeafletReader, sections_of
from core.questions.leaflets.same_patient import asks_documents, of_one_patient
from core.questions.planned import ReadPlan
from tests.questions.leaflets.asked import READER, find


@pytest.mark.parametrize(
    "question",
    [
        "Wann darf Metformin nicht angewendet werden?",
        "Wann darf man Metformin nicht verwenden?",
        "Wanneer mag ik Metformin niet gebruiken?",
    ],
)
def test_a_verb_of_taking_is_nothing_that_is_asked_beside_the_section(
    question: str, encoder: Encoder
) -> None:
    plan = LeafletReader(find, encoder.encode).read(question)
    assert plan.left_over == ()
    assert plan.section_alone is not None and plan.section_alone.section == "contraindications"


@pytest.mark.parametrize(
    ("question", "section", "kind"),
    [
        ("I forgot my evening tablet, now what?", "posology", Wanted.WHAT_TO_DO),
        ("Who must never be given amoxicillin?", "contraindications", Wanted.LIST),
        ("Can I still pick up the kids by car after it?", "driving", Wanted.YES_NO),
        ("Muss Amoxicillin in den Kühlschrank?", "storage", Wanted.YES_NO),
        (
            "Wat kan ik voor bijwerkingen verwachten van amoxicillin?",
            "adverse_reactions",
            Wanted.LIST,
        ),
    ],
)
def test_the_section_and_the_kind_that_are_asked_for(
    question: str, section: str, kind: Wanted, encoder: Encoder
) -> None:
    plan = LeafletReader(find, encoder.encode).read(question)
    assert plan.aspects[0].section == section
    assert plan.wanted is kind


@pytest.mark.parametrize(
    "question", ["", "???", "amoxicillin", "Zorvexil blorf", "How much does it cost?"]
)
def test_what_is_not_clear_stays_unknown(question: str, encoder: Encoder) -> None:
    plan = LeafletReader(find, encoder.encode).read(question)
    assert plan.aspects == ()
    assert plan.understood == ""


def test_who_is_meant_is_understood_where_something_is_known_of_them() -> None:
    assert READER.read("Amoxicillin for my grandmother").left_over == ("grandmother",)
    assert READER.read("Amoxicillin for my grandmother of 80 years").left_over == ()


@pytest.mark.req("KG-14")
def test_words_without_a_part_are_left_over() -> None:
    plan = READER.read("How much amoxicillin for a child of 25 kg on purple Tuesdays?")
    assert [one.name for one in plan.subjects] == ["Amoxicillin"]
    assert plan.left_over == ("purple", "Tuesdays")


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    plan = READER.read(text)
    assert all(0 <= one.probability <= 1 for one in plan.aspects)


def test_understood_says_the_plan_in_words() -> None:
    plan = READER.read("What is the dose of amoxicillin for a child of 25 kg?")
    assert plan.understood == "Dose of Amoxicillin for a child of 25 kg"


def test_without_the_embedding_model_the_letters_tell() -> None:
    def fails(_: Sequence[str]) -> Vectors:
        raise ModelError("gone", advice="", code="MODEL")

    question = "What is the dose of amoxicillin?"
    assert LeafletReader(find, fails).read(question) == READER.read(question)


def test_names_and_numbers_say_nothing_of_the_section() -> None:
    place: Callable[[str], tuple[int, int]] = lambda name: (10, 10 + len(name))  # noqa: E731
    texts = {masked(f"a dose of {name} 5 mg", [place(name)], "en") for name in ("x", "warfarin")}
    assert texts == {"a dose of the medicine 10 mg"}
    for one in (SECTION, KIND):
        shares = choices()[one].probabilities("a dose of the medicine", None)
        assert sum(shares.values()) == pytest.approx(1, abs=1e-4)
        assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_clauses_ask_about_the_patient_that_one_of_them_names() -> None:
    child = READER.read("What is the dose of amoxicillin for a child of 5 years?")
    adult = READER.read("What is the dose of amoxicillin for an adult?")
    other, stored = READER.read("What is the dose of warfarin?"), READER.read("How is it stored?")
    for plans, at in (([child, other], 1), ([other, child], 0), ([adult, child, other], 2)):
        read = of_one_patient(plans)[at]
        assert read is not None and read.conditions == child.conditions
        assert read.understood == "Dose of Warfarin for a child of 5 years"
    told = READER.read("12-year-old on amoxicillin")
    read = of_one_patient([told, stored])[1]
    assert read is not None and read.conditions == told.conditions
    assert of_one_patient([stored, told]) == [stored, told]
    assert of_one_patient([adult, child]) == [adult, child]
    assert of_one_patient([child, stored, None]) == [child, stored, None]


@pytest.mark.parametrize(
    ("question", "types", "about"),
    [
        ("Which medicines must not be taken with amoxicillin?", ("Drug",), "amoxicillin"),
        (
            "Which medicines must not be taken with diroximel fumarate?",
            ("Drug",),
            "diroximel fumarate",
        ),
        ("What must warfarin not be taken with?", (), "warfarin"),
        ("Who must not take amoxicillin?", (), ""),
        ("Which patients must not be treated with amoxicillin?", (), ""),
        ("What is the dose of amoxicillin with warfarin?", (), ""),
        ("Can amoxicillin be taken with warfarin?", (), ""),
    ],
)
def test_what_it_must_not_be_taken_with_is_asked_of_one_medicine(
    question: str, types: tuple[str, ...], about: str
) -> None:
    plan = replace(READER.read(question), aspects=(Aspect("contraindications", 0.9),))
    wanted = Wanted.YES_NO if question.startswith("Can") else Wanted.LIST
    found = of_what_not_with(question, replace(plan, wanted=wanted), ("contraindications",), types)
    assert (found.subjects[0].text if found else "") == about


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("How often is headache with amoxicillin 500 mg?", "adverse_reactions"),
        (
            "How often does nausea occur with amoxicillin in children of 3 to 12 years?",
            "adverse_reactions",
        ),
        ("Wie oft tritt Fieber unter Amoxicillin 500 mg auf?", "adverse_reactions"),
        ("Headache incidence of amoxicillin 500 mg vs 1 g twice daily", "adverse_reactions"),
        ("frequency of diarrhoea with amoxicillin 1 g", "adverse_reactions"),
        ("How often should amoxicillin be taken for fever?", "posology"),
        ("Wie oft darf ein Kind Amoxicillin bei Fieber nehmen?", "posology"),
    ],
)
def test_how_often_a_finding_comes_is_no_dose(
    question: str, section: str, encoder: Encoder
) -> None:
    plan = LeafletReader(find, encoder.encode).read(question)
    assert plan.aspects[0].section == section
    assert ("posology" in sections_of(plan, ("posology",))) == (section == "posology")


def test_who_is_of_an_age_is_of_it_in_what_is_asked_next() -> None:
    boy = READER.read("7-year-old: how much amoxicillin?")
    colour, stored = READER.read("which colour has the syringe?"), READER.read("How is it stored?")
    _, of_boy, kept = of_one_patient([boy, colour, stored])
    assert of_boy is not None and any(isinstance(one, Age) for one in of_boy.conditions)
    assert kept == stored, "what is the same for everybody is asked of nobody"


def test_what_to_do_is_asked_of_documents_though_the_graph_may_be_meant() -> None:
    asked = READER.read("Warfarin dose missed, what to do?")
    meant = ReadPlan(Plan(Want.PATH), understood="", likened=True)
    assert asked.wanted is Wanted.WHAT_TO_DO
    assert asks_documents(asked, meant)
    assert not asks_documents(asked, replace(meant, likened=False))
    assert not asks_documents(asked, None)
