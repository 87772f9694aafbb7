"""Questions to leaflets read as plans: conditions written in many ways are read back as they were meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.encoder import Encoder
from core.domain.graph import Entity
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
from core.domain.leaflets.plan import Aspect, Wanted
from core.domain.plans import Named, Plan, Want
from core.domain.vectors import Vectors
from core.errors import ModelError
from core.questions.leaflets.choice import KIND, SECTION, choices, masked
from core.questions.leaflets.combining import of_what_not_with
from core.questions.leaflets.reader import LeafletReader, conditions_told, sections_of, unread
from core.questions.leaflets.same_patient import asks_documents, of_one_patient
from core.questions.planned import ReadPlan

DRUGS = {
    "amoxicillin": Entity("D1", "Drug", "Amoxicillin"),
    "warfarin": Entity("D2", "Drug", "Warfarin"),
}
ILLNESSES = {"asthma": Entity("I1", "Disease", "asthma"), "gout": Entity("I2", "Disease", "gout")}


def find(text: str) -> Sequence[tuple[int, int, Entity]]:
    found = [
        (start, start + len(name), entity)
        for name, entity in (DRUGS | ILLNESSES).items()
        if (start := text.casefold().find(name)) >= 0
    ]
    return sorted(found, key=lambda one: one[0])


READER = LeafletReader(find)


def conditions(question: str) -> tuple[DocumentCondition, ...]:
    return READER.read(question).conditions


def exactly(value: float) -> Range:
    return Range(value, value)


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


@pytest.mark.parametrize("name", ["co-codamol", "Co-amoxiclav"])
def test_a_compound_is_a_medicine_that_a_question_is_about(name: str, encoder: Encoder) -> None:
    plan = LeafletReader(find, encoder.encode).read(f"What are the side effects of {name}?")
    assert [one.text for one in plan.subjects] == [name] and plan.left_over == ()
    assert plan.section_alone is not None and plan.section_alone.section == "adverse_reactions"


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


def test_a_name_that_says_what_it_is_not_is_no_name_of_that() -> None:
    (name,) = READER.read("What is the dose of Non-Warfarin?").subjects
    assert (name.text, name.ids) == ("Non-Warfarin", ())


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


@pytest.mark.parametrize(
    "said",
    ["eingeschränkter Leberfunktion", "gestörter Nierenfunktion", "schwerer Leberkrankheit"],
)
def test_what_is_said_of_an_organ_in_one_word_is_read_with_it(said: str) -> None:
    assert unread(f"Dosis bei {said}") == ("Dosis",)


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


def test_who_is_of_an_age_is_of_it_in_what_is_asked_next() -> None:
    boy = READER.read("7-year-old: how much amoxicillin?")
    colour, stored = READER.read("which colour has the syringe?"), READER.read("How is it stored?")
    _, of_boy, kept = of_one_patient([boy, colour, stored])
    assert of_boy is not None and any(isinstance(one, Age) for one in of_boy.conditions)
    assert kept == stored, "what is the same for everybody is asked of nobody"


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


def test_what_to_do_is_asked_of_documents_though_the_graph_may_be_meant() -> None:
    asked = READER.read("Warfarin dose missed, what to do?")
    meant = ReadPlan(Plan(Want.PATH), understood="", likened=True)
    assert asked.wanted is Wanted.WHAT_TO_DO
    assert asks_documents(asked, meant)
    assert not asks_documents(asked, replace(meant, likened=False))
    assert not asks_documents(asked, None)
