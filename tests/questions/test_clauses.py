"""A question taken apart by keywords."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.questions.asked import asked_sections
from core.questions.clauses import Clause, read_clauses, split_question
from tests.support.records import DIABETES, METFORMIN, WARFARIN

KNOWN = {"metformin": METFORMIN, "glucophage": METFORMIN, "warfarin": WARFARIN,
         "type 2 diabetes": DIABETES}  # fmt: skip


def find(text: str) -> Sequence[Entity]:
    places = sorted((text.casefold().find(name), name) for name in KNOWN)
    named = [KNOWN[name] for place, name in places if place >= 0]
    return list({entity.id: entity for entity in named}.values())


def only(question: str) -> Clause:
    clauses = read_clauses(question, find)
    assert len(clauses) == 1
    return clauses[0]


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        (
            "Which drugs treat type 2 diabetes, and when must metformin not be taken?",
            ["Which drugs treat type 2 diabetes", "when must metformin not be taken"],
        ),
        ("What is the dose? And how is it stored?", ["What is the dose", "how is it stored"]),
        ("Can I take aspirin and ibuprofen?", ["Can I take aspirin and ibuprofen"]),
        ("Is it safe, effective and cheap?", ["Is it safe, effective and cheap"]),
        ("I forgot a tablet, what should I do?", ["I forgot a tablet, what should I do"]),
        ("Warfarin, what are its interactions?", ["Warfarin, what are its interactions"]),
        ("Topiramate for migraine, what dose?", ["Topiramate for migraine, what dose"]),
        ("Nail fungus; how long?", ["Nail fungus, how long"]),
        ("Her ANC is 420, what now?", ["Her ANC is 420, what now"]),
        ("Which dose at eGFR 22, and how often?", ["Which dose at eGFR 22, how often"]),
        ("Is it toxic, how often is it fatal?", ["Is it toxic", "how often is it fatal"]),
        ("What is X for, what dose?", ["What is X for", "what dose"]),
        ("dose?", ["dose"]),
        ("???", ["???"]),
    ],
)
def test_clauses_of_a_question(question: str, clauses: list[str]) -> None:
    assert split_question(question) == clauses


@given(
    st.lists(
        st.sampled_from(["what", "which", "and", "dose", "metformin", "?", ",", ";", "is", "Ünal 5"]),
        min_size=1, max_size=60,
    )
)  # fmt: skip
def test_no_word_of_a_question_is_lost(words: list[str]) -> None:
    clauses = split_question(" ".join(words))
    assert 1 <= len(clauses) <= 6 and all(clauses)
    kept = " ".join(clauses).split()
    for word in ("dose", "metformin", "5"):
        said = sum(part.strip(",;?") == word for part in " ".join(words).split())
        assert sum(part.strip(",;?") == word for part in kept) == said


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("When must metformin not be taken?", "contraindications"),
        ("Who can't take it?", "contraindications"),
        ("Who shouldn’t take it?", "contraindications"),
        ("Who may not use it?", "contraindications"),
        ("What should be avoided?", "contraindications"),
        ("Wann darf Metformin nicht eingenommen werden?", "contraindications"),
        ("How many tablets a day?", "posology"),
        ("What is the maximum daily dosage?", "posology"),
        ("I missed a tablet", "posology"),
        ("What must not be combined with it?", "interactions"),
        ("Can they be taken together?", "interactions"),
        ("Is it safe in pregnancy?", "pregnancy"),
        ("What are the side effects?", "adverse_reactions"),
        ("What happens if I take too many?", "overdose"),
        ("Keep it in the fridge?", "storage"),
        ("What is it used for?", "indications"),
        ("What should my doctor monitor?", "warnings"),
        ("Can I drive?", "driving"),
        ("How does metformin work?", "pharmacology"),
        ("What are the ingredients?", "composition"),
    ],
)
def test_the_section_that_is_asked_for(question: str, section: str) -> None:
    assert section in asked_sections(question)


@pytest.mark.parametrize("words", ["asthma", "the restored dosshouse", "metformin", ""])
def test_words_that_ask_for_no_section(words: str) -> None:
    assert asked_sections(words) == ()


@pytest.mark.parametrize(
    ("question", "relationships", "wanted"),
    [
        ("Which drugs treat asthma?", ("TREATS",), ("Drug",)),
        ("Which side effects does it cause?", ("CAUSES_SIDE_EFFECT",), ("Phenotype",)),
        ("List all medicines that interact", ("INTERACTS_WITH",), ("Drug",)),
        ("Which proteins are targets?", ("TARGETS", "ASSOCIATED_WITH"), ("Protein",)),
        ("Which enzymes metabolise it?", ("HAS_ENZYME",), ("Protein",)),
        ("Which transporters does it have?", ("HAS_TRANSPORTER",), ("Protein",)),
        ("Which carriers does it have?", ("HAS_CARRIER",), ("Protein",)),
        (
            "Which diseases are linked to PPARG?",
            ("ASSOCIATED_WITH",),
            ("Disease", "ClinicalDisease"),
        ),
        ("How is it stored?", (), ()),
    ],
)
def test_the_relationships_and_types_that_are_asked_for(
    question: str, relationships: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    assert (only(question).relationships, only(question).wanted_types) == (relationships, wanted)


def test_a_clause_without_a_name_inherits_those_before_it() -> None:
    first, second = read_clauses("What is metformin used for, and how is it stored?", find)
    assert first.entities == second.entities == (METFORMIN,)
    assert second.search_text == "how is it stored (Metformin)"
    assert first.search_text == first.text


def test_a_clause_with_a_name_of_its_own_keeps_to_it() -> None:
    first, second = read_clauses("What treats type 2 diabetes, and when is warfarin used?", find)
    assert (first.entities, second.entities) == ((DIABETES,), (WARFARIN,))


@pytest.mark.parametrize(
    "question",
    [
        "He cannot take warfarin, so what is the dose of metformin?",
        "My patient may not have warfarin; how much metformin may she take?",
        "What is the dose of metformin + warfarin?",
    ],
)
def test_nothing_is_asked_of_what_is_not_taken_and_what_is_taken_together_is_asked_together(
    question: str,
) -> None:
    assert not only(question).one_of_several


def test_a_synonym_in_the_clause_is_not_said_twice() -> None:
    assert only("How is Glucophage stored?").search_text == "How is Glucophage stored"


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "Compare the storage of metformin and warfarin",
            ["Compare the storage of metformin", "Compare the storage of warfarin"],
        ),
        (
            "Is warfarin or metformin safe in pregnancy?",
            ["Is warfarin safe in pregnancy", "Is metformin safe in pregnancy"],
        ),
        # Together, they are one question.
        ("What happens when warfarin is taken with metformin?", None),
        ("Do warfarin and metformin interact?", None),
    ],
)
def test_what_leaflets_tell_of_each_medicine_alone_is_asked_of_each(
    question: str, texts: list[str] | None
) -> None:
    clauses = read_clauses(question, find)
    if texts is None:
        assert [len(clause.entities) for clause in clauses] == [2]
    else:
        assert [clause.text for clause in clauses] == texts
        assert all(len(clause.entities) == 1 and clause.one_of_several for clause in clauses)


def test_what_is_said_before_belongs_to_the_question() -> None:
    assert split_question("I am pregnant, can I take ibuprofen?") == [
        "I am pregnant, can I take ibuprofen"
    ]


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("I accidentally took methotrexate every day this week", "overdose"),
        ("I took 20 tablets by mistake", "overdose"),
        ("Can my baby be breastfed?", "pregnancy"),
        ("What can I not combine with it?", "contraindications"),
    ],
)
def test_lay_words_ask_for_sections(question: str, section: str) -> None:
    assert section in asked_sections(question)
    assert "posology" not in asked_sections("When must it not be used?")


def test_what_follows_is_asked_of_all_medicines_before_it() -> None:
    question = "How are metformin and warfarin stored, and how often are they taken?"
    asked = [(clause.sections, clause.entities[0].name) for clause in read_clauses(question, find)]
    assert [name for _, name in asked] == ["Metformin", "Warfarin"] * 2
    assert all("storage" in sections for sections, _ in asked[:2])
    assert all("posology" in sections for sections, _ in asked[2:])


@pytest.mark.parametrize(
    "question",
    [
        "What is the dose of metformin for a patient taking warfarin?",
        "How much metformin may somebody take who is on warfarin?",
        "What is the dose of metformin for a patient of 70 on warfarin?",
        "How much metformin does a patient need, taking warfarin?",
    ],
)
def test_what_is_taken_beside_a_medicine_is_not_asked_about(question: str) -> None:
    assert not any(clause.one_of_several for clause in read_clauses(question, find))


def test_of_too_many_medicines_none_is_forgotten() -> None:
    drugs = [Entity(f"DB{n}", "Drug", f"Drug{n}x") for n in range(9)]
    question = f"How are {', '.join(drug.name for drug in drugs)} stored?"
    (clause,) = read_clauses(question, lambda _: drugs)
    assert list(clause.entities) == drugs and not clause.one_of_several
