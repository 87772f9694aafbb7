"""Conditions of patients written in many ways are read back as they were meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.leaflets.conditions import (
    Age,
    AgeGroup,
    Amount,
    BreastFeeding,
    Degree,
    DocumentCondition,
    Form,
    Illness,
    KidneyFunction,
    LiverFunction,
    Partner,
    PatientGroup,
    Pregnancy,
    Range,
    Route,
    Strength,
    Weight,
)
from core.domain.plans import Named
from core.questions.leaflets.reader import conditions_told, unread
from tests.questions.leaflets.asked import READER, conditions, exactly

AGES = [
    "Dose of amoxicillin for a {n}-year-old", "My son is {n} years old, how much amoxicillin?",
    "how much amoxicillin for someone aged {n}", "amoxicillin dose, patient of {n} years",
    "My daughter is {n}. How much amoxicillin may she have?", "{n} yo, amoxicillin dose?",
    "amoxicillin at the age of {n}", "{n} y/o patient on amoxicillin, what dose",
    "I am {n} years of age, how much amoxicillin?",
]  # fmt: skip
MONTHS = [
    "Dose of amoxicillin for a {n}-month-old", "amoxicillin for my {n} months old daughter",
    "how much amoxicillin at the age of {n} months", "My son is {n} months old: amoxicillin dose",
    "amoxicillin, aged {n} months", "our boy is {n} months, how much amoxicillin",
]  # fmt: skip
WEIGHTS = [
    "amoxicillin dose, {n} kg", "how much amoxicillin when I weigh {n} kg",
    "amoxicillin for a body weight of {n} kilograms", "She weighs {n}kg, amoxicillin dose?",
    "a {n} kg patient: how much amoxicillin", "weight {n} kilos, amoxicillin",
]  # fmt: skip
CLEARANCES = [
    "metformin with an eGFR of {n}", "eGFR {n}: dose?", "creatinine clearance {n} ml/min, what dose",
    "dose when the GFR is {n} mL/min/1.73 m2", "CrCl of {n}, how much amoxicillin",
    "amoxicillin, clearance = {n} ml/min", "kidney function {n} ml/min, amoxicillin dose",
]  # fmt: skip
IMPAIRED = [
    "amoxicillin in {degree} {organ} impairment", "{degree} {organ} disease and amoxicillin",
    "I have {degree} {organ} problems, may I take amoxicillin", "dose with {degree} {organ} failure",
    "amoxicillin for {degree} {organ} insufficiency", "{degree} {organ} dysfunction: which dose",
]  # fmt: skip
TRIMESTERS = [
    "amoxicillin in the {rank} trimester", "I am in my {rank} trimester, amoxicillin?",
    "{rank} trimester: amoxicillin allowed?", "is amoxicillin safe during the {rank} trimester",
    "pregnant, {rank} trimester, amoxicillin", "amoxicillin {rank} trimester of pregnancy",
]  # fmt: skip
RANKS = {1: ("first", "1st"), 2: ("second", "2nd"), 3: ("third", "3rd")}
FEEDING = [
    "amoxicillin while breast-feeding", "I am breastfeeding, amoxicillin?", "amoxicillin for nursing mothers",
    "can a lactating woman take amoxicillin", "amoxicillin and breast feeding",
    "amoxicillin during lactation",
]  # fmt: skip
GROUPS = {
    AgeGroup.NEWBORN: ["newborns", "a newborn", "neonates"],
    AgeGroup.INFANT: ["infants", "a baby", "a toddler"],
    AgeGroup.CHILD: ["children", "a child", "kids"],
    AgeGroup.ADOLESCENT: ["adolescents", "a teenager", "teens"],
    AgeGroup.ADULT: ["adults", "an adult", "grown-ups"],
    AgeGroup.ELDERLY: ["the elderly", "seniors", "older people"],
}
IN_GROUP = [
    "amoxicillin dose for {who}", "May {who} take amoxicillin?", "how much amoxicillin do {who} get",
    "{who}: amoxicillin dose", "is amoxicillin safe in {who}", "amoxicillin {who} side effects",
]  # fmt: skip
FORMS = {
    "tablet": "tablets", "capsule": "capsules", "suspension": "suspension", "injection": "injection",
    "cream": "cream", "patch": "patch", "suppository": "suppositories", "infusion": "infusion",
}  # fmt: skip
OF_FORM = [
    "dose of amoxicillin {form}", "how do I store the {form}", "amoxicillin {form}: how often?",
    "what is in the {form}", "are {form} of amoxicillin safe", "which {form} contain amoxicillin",
]  # fmt: skip
STRENGTHS = [
    "amoxicillin {n} mg: how often?", "what do amoxicillin {n} mg look like", "how to take {n} mg amoxicillin",
    "may I have amoxicillin {n}mg", "side effects of amoxicillin ({n} mg)", "amoxicillin {n} milligrams dose",
]  # fmt: skip
ILL = [
    "amoxicillin in {degree} asthma", "I have {degree} asthma, may I take amoxicillin",
    "patients with {degree} asthma: amoxicillin dose", "is amoxicillin allowed with {degree} asthma",
    "{degree} asthma and amoxicillin", "amoxicillin for someone with {degree} asthma",
]  # fmt: skip
TOGETHER = [
    "amoxicillin together with warfarin", "Can I take amoxicillin with warfarin?",
    "does amoxicillin interact with warfarin", "amoxicillin combined with warfarin",
    "is amoxicillin alongside warfarin safe", "amoxicillin on top of warfarin?",
]  # fmt: skip
RANGES = [
    "amoxicillin for children aged {low} to {high} years", "dose at {low}-{high} years of age",
    "patients of {low} to {high} years: amoxicillin dose", "my sons are between {low} and {high} years old",
    "amoxicillin from the age of {low} to {high} years", "ages {low}-{high}: amoxicillin dose",
]  # fmt: skip

DEGREES = st.sampled_from(list(Degree))


def written(texts: list[str], **values: object) -> list[str]:
    return [text.format(**values) for text in texts]


Case = tuple[DocumentCondition, list[str]]


def case(condition: DocumentCondition, texts: list[str], **values: object) -> Case:
    return condition, written(texts, **values)


CASES: st.SearchStrategy[Case] = st.one_of(
    st.integers(1, 99).map(lambda n: case(Age(exactly(n)), AGES, n=n)),
    st.integers(2, 23).map(lambda n: case(Age(exactly(n), "month"), MONTHS, n=n)),
    st.tuples(st.integers(1, 40), st.integers(1, 40)).map(
        lambda ends: case(
            Age(Range(ends[0], ends[0] + ends[1])), RANGES, low=ends[0], high=ends[0] + ends[1]
        )
    ),
    st.integers(3, 150).map(lambda n: case(Weight(exactly(n)), WEIGHTS, n=n)),
    st.integers(5, 120).map(lambda n: case(KidneyFunction(exactly(n)), CLEARANCES, n=n)),
    st.tuples(DEGREES, st.sampled_from(["kidney", "renal"])).map(
        lambda one: case(KidneyFunction(None, one[0]), IMPAIRED, degree=one[0], organ=one[1])
    ),
    st.tuples(DEGREES, st.sampled_from(["liver", "hepatic"])).map(
        lambda one: case(LiverFunction(one[0]), IMPAIRED, degree=one[0], organ=one[1])
    ),
    st.tuples(st.integers(1, 3), st.integers(0, 1)).map(
        lambda one: case(Pregnancy(one[0]), TRIMESTERS, rank=RANKS[one[0]][one[1]])
    ),
    st.just(case(BreastFeeding(), FEEDING)),
    st.tuples(st.sampled_from(list(AgeGroup)), st.integers(0, 2)).map(
        lambda one: case(PatientGroup(one[0]), IN_GROUP, who=GROUPS[one[0]][one[1]])
    ),
    st.sampled_from(sorted(FORMS)).map(lambda form: case(Form(form), OF_FORM, form=FORMS[form])),
    st.integers(1, 2000).map(lambda n: case(Strength(n, "mg", f"{n} mg"), STRENGTHS, n=n)),
    DEGREES.map(
        lambda degree: case(
            Illness(Named("asthma", ("I1",), "asthma", "Disease"), degree), ILL, degree=degree
        )
    ),
    st.just(case(Partner(Named("warfarin", ("D2",), "Warfarin", "Drug")), TOGETHER)),
)


@pytest.mark.req("KG-14")
@given(CASES, st.data())
def test_a_condition_is_read_back_however_it_is_written(one: Case, data: st.DataObject) -> None:
    condition, texts = one
    question = data.draw(st.sampled_from(texts))
    found = [
        replace(known, written=f"{known.amount:g} mg") if isinstance(known, Strength) else known
        for known in conditions(question)
    ]
    assert len(texts) >= 6
    assert condition in found, question
    # Nothing is read twice: a number that is an age is no weight, no strength and no amount.
    measured = [known for known in found if isinstance(known, Age | Weight | Strength | Amount)]
    assert len(measured) <= 1, question


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Dosis Amoxicillin für mein 4-jähriges Kind", [Age(exactly(4)), PatientGroup(AgeGroup.CHILD)]),
        ("Meine Tochter ist 8 Monate alt", [Age(exactly(8), "month")]),
        ("Patient, 79 Jahre alt, GFR 22 ml/min", [Age(exactly(79)), KidneyFunction(exactly(22))]),
        ("Amoxicillin bei schwerer Niereninsuffizienz", [KidneyFunction(None, Degree.SEVERE)]),
        ("Darf ein Dialysepatient Amoxicillin nehmen?", [KidneyFunction(dialysis=True)]),
        ("GFR 22 ml/min and the patient is not on dialysis", [KidneyFunction(exactly(22))]),
        ("GFR 22 ml/min, not yet needing haemodialysis", [KidneyFunction(exactly(22))]),
        ("GFR 8 ml/min and on dialysis", [KidneyFunction(exactly(8), dialysis=True)]),
        ("GFR 22 ml/min, nicht an der Dialyse", [KidneyFunction(exactly(22))]),
        ("GFR 22 ml/min, niet aan de dialyse", [KidneyFunction(exactly(22))]),
        ("Amoxicillin im zweiten Trimenon", [Pregnancy(2)]),
        ("Darf ich in der Stillzeit Amoxicillin nehmen?", [BreastFeeding()]),
        ("leichte Leberfunktionsstörung: welche Dosis", [LiverFunction(Degree.MILD)]),
        ("Child-Pugh B, welche Dosis?", [LiverFunction(None, "B")]),
        ("Wie lagert man die Tabletten?", [Form("tablet")]),
        ("Ein Kind wiegt 12,5 kg", [PatientGroup(AgeGroup.CHILD), Weight(exactly(12.5))]),
        ("Mijn dochter is 6 jaar oud, hoeveel amoxicillin?", [Age(exactly(6))]),
        ("hoeveel krijgt een kind van 20 kg", [PatientGroup(AgeGroup.CHILD), Weight(exactly(20))]),
        ("mag ik amoxicillin bij ernstige nierinsufficiëntie", [KidneyFunction(None, Degree.SEVERE)]),
        ("Ik geef borstvoeding, mag ik dit gebruiken?", [BreastFeeding()]),
        ("Is dit veilig voor ouderen?", [PatientGroup(AgeGroup.ELDERLY)]),
        ("Hoe bewaar ik de zetpillen?", [Form("suppository")]),
        ("children under 12", [PatientGroup(AgeGroup.CHILD), Age(Range(None, 12))]),
        ("adults over 65 years", [PatientGroup(AgeGroup.ADULT), Age(Range(65, None))]),
        ("Children >3 months", [PatientGroup(AgeGroup.CHILD), Age(Range(3, None), "month")]),
        ("infants aged ≤12 weeks", [PatientGroup(AgeGroup.INFANT), Age(Range(None, 12), "week")]),
        ("adults ≥ 65 years", [PatientGroup(AgeGroup.ADULT), Age(Range(65, None))]),
        ("a child who weighs 55 lb", [PatientGroup(AgeGroup.CHILD), Weight(exactly(24.9))]),
        ("20 weeks pregnant, can I take it?", [Pregnancy(None, 20)]),
        ("6 months pregnant, can I take it?", [Pregnancy(None, None, 6)]),
        ("Can I take it in the last three months of pregnancy?", [Pregnancy(3)]),
        ("in the first 3 months of pregnancy", [Pregnancy(1)]),
        ("In den letzten drei Monaten der Schwangerschaft", [Pregnancy(3)]),
        ("in de laatste 3 maanden van de zwangerschap", [Pregnancy(3)]),
        ("is it given by mouth", [Route("oral")]),
        ("eGFR 15-29 ml/min", [KidneyFunction(Range(15, 29))]),
        ("may I drink a beer", [Partner(Named("beer", (), "beer", ""))]),
        ("can I take 800 mg at once", [Amount(800, "mg", "", "800 mg")]),
    ],
)  # fmt: skip
def test_conditions(question: str, expected: list[DocumentCondition]) -> None:
    found = conditions(question)
    assert [one for one in expected if one not in found] == [], found


@pytest.mark.parametrize(
    ("question", "partners"),
    [
        ("Can I drink alcohol with methotrexate?", ["alcohol"]),
        ("is drinking grapefruit juice a problem", ["grapefruit juice"]),
        ("how many drinks may I have", ["drinks"]),
    ],
)
def test_what_is_drunk_is_taken_beside_it_and_drinking_where_nothing_is_named(
    question: str, partners: list[str]
) -> None:
    found = [one.name.text for one in conditions(question) if isinstance(one, Partner)]
    assert found == partners


@pytest.mark.parametrize(
    "question",
    [
        "take it for 7 days", "two tablets three times a day", "wait 4 hours", "What kind of medicine is this?",
        "I am not pregnant", "without kidney problems", "I want to become pregnant",
        "can it damage my kidneys", "it works after 2 weeks", "store below 25 °C",
        "I had a stroke 8 weeks ago", "Vor 3 Monaten wurde ich operiert", "een beroerte, 2 maanden geleden",
        "treatment for >3 months", "if symptoms last ≥ 2 days",
    ],
)  # fmt: skip
def test_nothing_is_said_of_the_patient(question: str) -> None:
    told = Age, PatientGroup, Weight, Pregnancy, KidneyFunction, LiverFunction, BreastFeeding
    assert not [one for one in conditions(question) if isinstance(one, told)]


@pytest.mark.parametrize(
    "said",
    ["eingeschränkter Leberfunktion", "gestörter Nierenfunktion", "schwerer Leberkrankheit"],
)
def test_what_is_said_of_an_organ_in_one_word_is_read_with_it(said: str) -> None:
    assert unread(f"Dosis bei {said}") == ("Dosis",)


@pytest.mark.parametrize(
    "question",
    [
        "Dose for a neonate on day 9 of life?",
        "day of life 9, dose?",
        "What dose on the 9th day of life?",
        "DOL 9 newborn: dose?",
        "Welche Dosis am 9. Lebenstag?",
        "Dosis, Lebenstag 9?",
        "Welke dosis op levensdag 9?",
    ],
)
def test_days_of_life_are_an_age(question: str) -> None:
    ages = [one for one in READER.read(question).conditions if isinstance(one, Age)]
    assert ages == [Age(Range(9, 9), "day")]


def test_ages_right_before_their_doses_are_ages() -> None:
    told = conditions_told("Nebulised: 1 month to 4 years 2.5 mg; 5 to 11 years 5 mg.")
    ends = [(one.value.low, one.value.high) for one in told if isinstance(one, Age)]
    assert ends == [(pytest.approx(1 / 12), 4), (5, 11)]
    assert not conditions_told("after 2 to 3 months 5 mg daily")


@pytest.mark.parametrize(
    "text",
    [
        "Age: Birth to 2 months; Dose: 3 mg",
        "from birth up to 2 months",
        "Geburt bis 2 Monate: 3 mg",
        "geboorte tot 2 maanden",
    ],
)
def test_an_age_may_begin_with_birth(text: str) -> None:
    ages = [one for one in conditions_told(text) if isinstance(one, Age)]
    assert [(one.value.low, one.value.high, one.unit) for one in ages] == [(0, 2, "month")]
