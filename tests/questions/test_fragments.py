"""Questions without a verb of their own, read as the whole questions that they stand for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Mention
from core.questions.following.fragments import filled, is_elliptical, plain
from core.questions.following.patients import of_same_patient

TYPES = {
    "Drug": "atorvastatin clarithromycin warfarin ibuprofen metformin paracetamol",
    "Disease": "asthma gout hypertension",
    "Phenotype": "nausea pregnancy",
}
ENTITIES = {
    name: Entity(name, kind, name.capitalize()) for kind, names in TYPES.items() for name in names.split()
}  # fmt: skip


def find(text: str) -> list[tuple[Mention, Entity]]:
    found = re.finditer(rf"\b(?:{'|'.join(ENTITIES)})\b", text, re.IGNORECASE)
    named = [(match, ENTITIES[match[0].casefold()]) for match in found]
    return [(Mention(one.id, match.start(), match.end(), match[0]), one) for match, one in named]


GRAPEFRUIT = "Can I take atorvastatin with grapefruit?"
BOTH = "Can I take atorvastatin with clarithromycin?"


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        (GRAPEFRUIT, "And with clarithromycin?", BOTH),
        (GRAPEFRUIT, "With clarithromycin?", BOTH),
        (GRAPEFRUIT, "and then with clarithromycin", BOTH),
        (BOTH, "And with grapefruit?", GRAPEFRUIT),
        (BOTH, "Or with warfarin?", "Can I take atorvastatin with warfarin?"),
        (BOTH, "And with Bravanil?", "Can I take atorvastatin with Bravanil?"),
        (BOTH, "And with the paracetamol?", "Can I take atorvastatin with paracetamol?"),
        (GRAPEFRUIT, "What about ibuprofen?", "Can I take ibuprofen with grapefruit?"),
        (GRAPEFRUIT, "Ibuprofen?", "Can I take Ibuprofen with grapefruit?"),
        (GRAPEFRUIT, "and without?", "Can I take atorvastatin without grapefruit?"),
        ("Dose of warfarin after grade 3 toxicity for the first time?", "and the second time?",
         "Dose of warfarin after grade 3 toxicity for the second time?"),
        ("Warfarin at the first occurrence of nausea?", "and the third?",
         "Warfarin at the third occurrence of nausea?"),
        ("Warfarin beim ersten Auftreten von Grad 3?", "und beim zweiten?",
         "Warfarin beim zweiten Auftreten von Grad 3?"),
        ("Wie setzt man warfarin bei asthma ab?", "und bei gout?", "Wie setzt man warfarin bei gout ab?"),
        ("Dose of warfarin for my daughter of 35 kg?", "and if she weighed 45 kg?",
         "Dose of warfarin for my daughter of 45 kg?"),
        ("What if a dose of warfarin is missed during titration?", "and after the titration?",
         "What if a dose of warfarin is missed after the titration?"),
        ("How is warfarin monitored before treatment?", "and after stopping?",
         "How is warfarin monitored after stopping?"),
        ("Which vaccines are given before starting warfarin?", "and during treatment?",
         "Which vaccines are given during treatment (warfarin)?"),
        ("How is a forgotten dose of warfarin made up for?", "and after day 4?",
         "How is a forgotten dose of warfarin made up for after day 4?"),
        ("What is the dose of warfarin in hairy cell leukemia?", "And in asthma?",
         "What is the dose of warfarin in asthma?"),
        ("What is the dose of warfarin in a child with asthma?", "and in an adult with gout?",
         "What is the dose of warfarin in an adult with gout?"),
        (BOTH, "What about ibuprofen?", "Can I take ibuprofen with clarithromycin?"),
        (GRAPEFRUIT, "And warfarin with alcohol?", "Can I take warfarin with alcohol?"),
        ("Does warfarin interact with ibuprofen?", "and with paracetamol?",
         "Does warfarin interact with paracetamol?"),
        ("What are the side effects of warfarin?", "And of ibuprofen?",
         "What are the side effects of ibuprofen?"),
        ("What are the side effects of warfarin?", "What about ibuprofen?",
         "What are the side effects of ibuprofen?"),
        ("What is the dose of ibuprofen for adults?", "And for children?",
         "What is the dose of ibuprofen for children?"),
        ("What is the dose of ibuprofen for a child of 25 kg with fever?", "And for an infant?",
         "What is the dose of ibuprofen for an infant with fever?"),
        ("What is the dose of ibuprofen for a child of my sister?", "And for an infant?",
         "What is the dose of ibuprofen for an infant of my sister?"),
        ("How much ibuprofen may an adult take in 24 hours?", "And for children?",
         "How much ibuprofen may children take in 24 hours?"),
        ("Wie viel Ibuprofen darf ein Erwachsener am Tag nehmen?", "Und für ein Kind?",
         "Wie viel Ibuprofen darf ein Kind am Tag nehmen?"),
        ("How much ibuprofen may an 8 year old take?", "And for adults?",
         "How much ibuprofen may adults take?"),
        ("How much ibuprofen may my 8-year-old child take?", "And for an adult?",
         "How much ibuprofen may an adult take?"),
        ("How much ibuprofen may someone aged 8 take?", "And for adults?",
         "How much ibuprofen may adults take?"),
        ("Can my 70 year old mother take ibuprofen?", "And for children?", "Can children take ibuprofen?"),
        ("How much ibuprofen may a 10 year old take?", "And an adult?",
         "How much ibuprofen may an adult take?"),
        ("What is the dose of ibuprofen for adults?", "And children under 12 years?",
         "What is the dose of ibuprofen for children under 12 years?"),
        ("How much ibuprofen may an adult take?", "And for an 8 year old?",
         "How much ibuprofen may an 8 year old take?"),
        ("How much ibuprofen may a child take?", "And in children under 3 months?",
         "How much ibuprofen may children under 3 months take?"),
        ("What is the dose of ibuprofen for children under 3 months?", "And in children under 40 kg?",
         "What is the dose of ibuprofen in children under 40 kg?"),
        ("Wie viel Ibuprofen darf ein 8-jähriges Kind nehmen?", "Und für Erwachsene?",
         "Wie viel Ibuprofen darf Erwachsene nehmen?"),
        ("How much ibuprofen may an adult take?", "And for 25 kg?",
         "How much ibuprofen may an adult take for 25 kg?"),
        ("How much ibuprofen may an adult take?", "And with kidney failure?",
         "How much ibuprofen may an adult take with kidney failure?"),
        ("What dose of ibuprofen should a 11-year-old child weighing 35 kg take?", "and a child of 8 years?",
         "What dose of ibuprofen should a child of 8 years take?"),
        ("What dose of ibuprofen should a child weighing 35 kg take?", "And an adult?",
         "What dose of ibuprofen should an adult take?"),
        ("What is the dose of warfarin?", "and in children?", "What is the dose of warfarin in children?"),
        ("What is the dose of warfarin?", "And with kidney failure?",
         "What is the dose of warfarin with kidney failure?"),
        ("What is the dose of warfarin with kidney failure?", "And in liver failure?",
         "What is the dose of warfarin in liver failure?"),
        ("What is the dose of ibuprofen for adults?", "And in children?",
         "What is the dose of ibuprofen in children?"),
        ("What is the dose of ibuprofen for an adult with a creatinine clearance of 20 mL/min?",
         "And for a child of 5 years?", "What is the dose of ibuprofen for a child of 5 years?"),
        ("What is the dose of ibuprofen for a 70-year-old with renal impairment on warfarin?",
         "And for her 8-year-old grandson?", "What is the dose of ibuprofen for her 8-year-old grandson?"),
        ("What is the dose of ibuprofen in pregnancy?", "And in children?",
         "What is the dose of ibuprofen in children?"),
        ("What is the dose of ibuprofen for a child with renal impairment?", "And for a 5-year-old?",
         "What is the dose of ibuprofen for a 5-year-old with renal impairment?"),
        ("What is the dose of ibuprofen for a child of 20 kg?", "And of 30 kg?",
         "What is the dose of ibuprofen for a child of 30 kg?"),
        ("What is the dose of ibuprofen?", "And in asthma?", "What is the dose of ibuprofen in asthma?"),
        ("What is the dose of ibuprofen for adults?", "And for paracetamol?",
         "What is the dose of paracetamol for adults?"),
        ("What is the dose of ibuprofen for a child of 12 kg with fever?", "he weighs 18 kg",
         "What is the dose of ibuprofen for a child of 18 kg with fever?"),
        ("What is the dose of ibuprofen for a 10 year old?", "she weighs 30 kg",
         "What is the dose of ibuprofen for a 10 year old (she weighs 30 kg)?"),
        ("What is the dose of ibuprofen for a 10 year old (she weighs 30 kg)?", "And if she is 3 years old?",
         "What is the dose of ibuprofen (she is 3 years old)?"),
        ("What is the dose of ibuprofen?", "What if she is on dialysis?",
         "What is the dose of ibuprofen (she is on dialysis)?"),
        ("What is the dose of ibuprofen with a creatinine clearance of 40 mL/min?", "and on 8 ml/min?",
         "What is the dose of ibuprofen with a creatinine clearance of 8 ml/min?"),
        ("What is the dose of ibuprofen for a child of 6 years?", "and at 3 months?",
         "What is the dose of ibuprofen for a child of 3 months?"),
        ("Storage of the ibuprofen oral solution?", "And the tablets?",
         "Storage of the ibuprofen oral tablets?"),
        ("What is the dose of ibuprofen for adults?", "And ibuprofen granules?",
         "What is the dose of ibuprofen granules for adults?"),
        (GRAPEFRUIT, "And for children?", "Can I take atorvastatin with grapefruit for children?"),
        ("Was ist die Dosis von Warfarin?", "Und bei Kindern?",
         "Was ist die Dosis von Warfarin bei Kindern?"),
        ("Wat is de dosering van warfarin?", "En bij kinderen?",
         "Wat is de dosering van warfarin bij kinderen?"),
        ("What is the volume of distribution of warfarin?", "And of ibuprofen?",
         "What is the volume of distribution of ibuprofen?"),
        ("warfarin side effects", "And of ibuprofen?", "ibuprofen side effects?"),
        ("Which drugs treat gout?", "How about asthma?", "Which drugs treat asthma?"),
        ("Which drugs treat gout?", "And for asthma?", "Which drugs treat asthma?"),
        ("Which drugs treat gout, and when must metformin not be taken?", "And ibuprofen?",
         "when must ibuprofen not be taken?"),
        ("Can I take metformin and ibuprofen with food?", "And with alcohol?",
         "Can I take metformin and ibuprofen with alcohol?"),
        ("Kann ich Metformin mit Alkohol einnehmen?", "Und mit Ibuprofen?",
         "Kann ich Metformin mit Ibuprofen?"),
    ],
)  # fmt: skip
def test_what_played_the_same_part_is_replaced(before: str, question: str, read_as: str) -> None:
    assert filled(question, before, find) == read_as


@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        ("What are the side effects of atorvastatin?", "And with clarithromycin?",
         "And with clarithromycin (Atorvastatin)?"),
        ("Can I take metformin and ibuprofen?", "What about warfarin?",
         "What about warfarin (Metformin, Ibuprofen)?"),
        ("Can metformin be taken in asthma?", "And in pregnancy?", "And in pregnancy (Metformin)?"),
        ("When must metformin not be taken?", "And gout?", "When must metformin not be taken (gout)?"),
        (BOTH, "And in pregnancy?", "And in pregnancy (Atorvastatin)?"),
    ],
)  # fmt: skip
def test_where_the_parts_cannot_be_told_both_are_kept(
    before: str, question: str, read_as: str
) -> None:
    assert filled(question, before, find) == read_as


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        ("Can metformin be taken in pregnancy?", "while breast feeding?",
         "Can metformin be taken in breast feeding?"),
        ("Can metformin be taken in breast feeding?", "And in the third trimester?",
         "Can metformin be taken in third trimester?"),
    ],
)  # fmt: skip
def test_one_state_of_a_mother_takes_the_place_of_another(
    before: str, question: str, read_as: str
) -> None:
    assert filled(question, before, find) == read_as


@pytest.mark.parametrize(
    "question",
    [
        "And the dose?",
        "What about its side effects?",
        "Which drugs treat gout?",
        "And when must warfarin not be taken?",
        "And can I take it with warfarin?",
        "And?",
        "",
    ],
)
def test_sentences_and_what_has_no_part_are_left_to_others(question: str) -> None:
    assert filled(question, GRAPEFRUIT, find) == ""


@given(
    *[
        st.lists(
            st.sampled_from([*ENTITIES, *"and what about with for in of the take it ? , ( ) food".split()]),
            max_size=9,
        ).map(" ".join)
        | st.text(max_size=40)
        for _ in range(2)
    ]
)  # fmt: skip
def test_any_text_is_survived_and_no_name_is_lost(question: str, before: str) -> None:
    read = filled(question, before, find)
    named = {entity.id for _, entity in find(question)}
    assert not read or named <= {entity.id for _, entity in find(read)}


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        ("What is the dose of metformin at eGFR 50?", "and 35?", "What is the dose of metformin at eGFR 35?"),
        ("How much ibuprofen for a child of 5 years?", "What about 12?",
         "How much ibuprofen for a child of 12 years?"),
        ("How much ibuprofen for a child of 5 years and 20 kg?", "and 25?", ""),
        ("May I take 400 mg of ibuprofen?", "and 800?", ""),
        ("What is the dose of metformin?", "500?", ""),
        ("Dose of metformin in Child-Pugh B?", "C?", "Dose of metformin in Child-Pugh C?"),
        ("What is the dose of metformin in Child-Pugh B?", "D?", ""),
        ("Is metformin of group B?", "C?", ""),
    ],
)  # fmt: skip
def test_a_number_alone_takes_the_place_of_the_one_that_measured_the_patient(
    before: str, question: str, read_as: str
) -> None:
    assert filled(question, before, find) == read_as


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("ok and at 3 years?", "and at 3 years?"),
        ("sorry, 6 months not 6 years", "and 6 months"),
        ("no, I meant the tablets", "and the tablets"),
        ("nee, ik bedoelde 3 jaar", "and 3 jaar"),
        ("And what if it's shingles?", "and shingles?"),
        ("Thanks, that's great", "that's great"),
        ("No interactions?", "No interactions?"),
        (
            "Sorry, what is the dose of ibuprofen for an adult?",
            "what is the dose of ibuprofen for an adult?",
        ),
        ("ok", "ok"),
    ],
)
def test_what_says_nothing_of_what_is_asked_is_left_out(question: str, said: str) -> None:
    assert plain(question) == said


@pytest.mark.parametrize(
    ("question", "cannot_stand_alone"),
    [
        ("For how long?", True),
        ("max per day?", True),
        ("max maintenance per day?", True),
        ("How often?", True),
        ("Why?", False),
        ("ok", False),
        ("And in severe renal impairment?", False),
        ("Which of the medicines in my library cause nausea?", False),
    ],
)
def test_a_question_of_few_words_cannot_stand_alone(
    question: str, *, cannot_stand_alone: bool
) -> None:
    assert is_elliptical(question) is cannot_stand_alone


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        ("What is the dose of ibuprofen for a child of 3 years with fever?", "How often (ibuprofen)?",
         "How often (ibuprofen, for a child of 3 years, with fever)?"),
        ("How much ibuprofen may an 8 year old take?", "How often (ibuprofen)?",
         "How often (ibuprofen, an 8 year old)?"),
        ("What is the dose of ibuprofen for a child of 3 years?", "What dose of ibuprofen for adults?",
         "What dose of ibuprofen for adults?"),
        ("What are the side effects of ibuprofen?", "How often (ibuprofen)?", "How often (ibuprofen)?"),
    ],
)  # fmt: skip
def test_whoever_was_asked_about_is_still_asked_about(
    before: str, question: str, read_as: str
) -> None:
    assert of_same_patient(question, before, find, with_all=True) == read_as


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        (BOTH, "why?", "Can I take atorvastatin with clarithromycin (why)?"),
        (BOTH, "and why not?", "Can I take atorvastatin with clarithromycin (why not)?"),
        (BOTH, "Warum?", "Can I take atorvastatin with clarithromycin (Warum)?"),
        (BOTH, "where does it say that?", BOTH),
        (BOTH, "Which page is that on?", BOTH),
        (BOTH, "Wo steht das?", BOTH),
        (BOTH, "Why is grapefruit bad?", ""),
        (BOTH, "Which page do I read first?", ""),
        (BOTH, "same for ibuprofen?", "Can I take ibuprofen with clarithromycin?"),
        (GRAPEFRUIT, "Is it the same with warfarin?", "Can I take atorvastatin with warfarin?"),
        ("How much ibuprofen may an adult take?", "and the same for children?",
         "How much ibuprofen may children take?"),
        ("How much ibuprofen may an adult take?", "Dasselbe für metformin?",
         "How much metformin may an adult take?"),
    ],
)  # fmt: skip
def test_the_question_before_is_asked_once_more(before: str, question: str, read_as: str) -> None:
    assert filled(plain(question), before, find) == read_as
