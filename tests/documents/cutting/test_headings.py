"""Headings of medicines' documents, and the sentences that only look like them."""

from __future__ import annotations

import pytest

from core.documents.cutting.sections import is_boxed_warning
from core.text.layout.line_marks import HEADING
from tests.documents.cutting.coded import codes


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ("1. What Ibuprofen is and what it is used for", "indications"),
        ("2. What you need to know before you take Ibuprofen", "warnings"),
        ("Do not take Ibuprofen", "contraindications"),
        ("Do not use Xylometazolin nasal spray", "contraindications"),
        ("Warnings and precautions", "warnings"),
        ("Other medicines and Ibuprofen", "interactions"),
        ("Pregnancy and breast-feeding", "pregnancy"),
        ("Pregnancy, breast-feeding and fertility", "pregnancy"),
        ("Driving and using machines", "driving"),
        ("3. How to take Ibuprofen", "posology"),
        ("Recommended dose", "posology"),
        ("If you take more Ibuprofen than you should", "overdose"),
        ("If you forget to take Ibuprofen", "posology"),
        ("4. Possible side effects", "adverse_reactions"),
        ("5. How to store Ibuprofen", "storage"),
        ("6. Contents of the pack and other information", "composition"),
        ("4.1 Therapeutic indications", "indications"),
        ("4.2\tPosology and method of administration", "posology"),
        ("4.3 Contraindications", "contraindications"),
        ("4.4 Special warnings and precautions for use", "warnings"),
        (
            "4.5 Interaction with other medicinal products and other forms of interaction",
            "interactions",
        ),
        ("4.6 Fertility, pregnancy and lactation", "pregnancy"),
        ("4.7 Effects on ability to drive and use machines", "driving"),
        ("4.8 Undesirable effects", "adverse_reactions"),
        ("4.9 Overdose", "overdose"),
        ("5.1 Pharmacodynamic properties", "pharmacology"),
        ("5.2 Pharmacokinetic properties", "pharmacology"),
        ("6.4 Special precautions for storage", "storage"),
        ("4 CONTRAINDICATIONS", "contraindications"),
        ("5 WARNINGS AND PRECAUTIONS", "warnings"),
        ("CONTRAINDICATIONS", "contraindications"),
        ("Drug Interactions:", "interactions"),
        ("INDICATIONS AND USAGE", "indications"),
        ("Uses", "indications"),
        ("Warnings", "warnings"),
        ("Directions", "posology"),
        ("Do not use", "contraindications"),
        ("Ask a doctor before use if you have", "warnings"),
        ("Other information", "storage"),
        ("1. Was ist Ibuprofen und wofür wird es angewendet?", "indications"),
        ("2. Was sollten Sie vor der Einnahme von Ibuprofen beachten?", "warnings"),
        ("Ibuprofen darf nicht eingenommen werden", "contraindications"),
        ("Warnhinweise und Vorsichtsmaßnahmen", "warnings"),
        ("3. Wie ist Ibuprofen einzunehmen?", "posology"),
        ("4. Welche Nebenwirkungen sind möglich?", "adverse_reactions"),
        ("5. Wie ist Ibuprofen aufzubewahren?", "storage"),
        ("1. Waarvoor wordt dit middel gebruikt?", "indications"),
        ("2. Wanneer mag u dit middel niet gebruiken", "contraindications"),
        (
            "Wanneer mag u dit middel niet gebruiken of moet u er extra voorzichtig mee zijn?",
            "contraindications",
        ),
        ("3. Hoe gebruikt u dit middel?", "posology"),
        ("Mogelijke bijwerkingen", "adverse_reactions"),
        ("5. Hoe bewaart u dit middel?", "storage"),
        ("6. Inhoud van de verpakking en overige informatie", "composition"),
        ("4.1 Therapeutische indicaties", "indications"),
        ("4.3 Contra-indicaties", "contraindications"),
        ("4.4 Bijzondere waarschuwingen en voorzorgen bij gebruik", "warnings"),
        ("4.9 Overdosering", "overdose"),
        ("16 HOW SUPPLIED/ STORAGE AND HANDLING", "storage"),
        ("8.1 Pregnancy", "pregnancy"),
        ("1. Qu’est-ce que Nimorvan et dans quels cas est-il utilisé ?", "indications"),
        ("2. Quelles sont les informations à connaître avant de prendre Nimorvan ?", "warnings"),
        ("Ne prenez jamais Nimorvan", "contraindications"),
        ("Avertissements et précautions", "warnings"),
        ("Autres médicaments et Nimorvan", "interactions"),
        ("Grossesse, allaitement et fertilité", "pregnancy"),
        ("Conduite de véhicules et utilisation de machines", "driving"),
        ("3. Comment prendre Nimorvan ?", "posology"),
        ("Si vous avez pris plus de Nimorvan que vous n’auriez dû", "overdose"),
        ("Si vous oubliez de prendre Nimorvan", "posology"),
        ("4. Quels sont les effets indésirables éventuels ?", "adverse_reactions"),
        ("5. Comment conserver Nimorvan ?", "storage"),
        ("6. Contenu de l’emballage et autres informations", "composition"),
        ("4.1 Indications thérapeutiques", "indications"),
        ("4.2 Posologie et mode d’administration", "posology"),
        ("4.3 Contre-indications", "contraindications"),
        ("4.4 Mises en garde spéciales et précautions d’emploi", "warnings"),
        (
            "4.5 Interactions avec d’autres médicaments et autres formes d’interactions",
            "interactions",
        ),
        ("4.6 Fertilité, grossesse et allaitement", "pregnancy"),
        ("4.8 Effets indésirables", "adverse_reactions"),
        ("4.9 Surdosage", "overdose"),
        ("6.3 Durée de conservation", "storage"),
        ("Do not take Nimorvan 30 mg if:", "contraindications"),
        ("You must not use Nimorvan if you:", "contraindications"),
        ("Gebruikt u nog andere medicijnen?", "interactions"),
        ("Waarop moet u letten met eten, drinken en alcohol?", "interactions"),
        ("Nimorvan contains sodium metabisulfite", "warnings"),
        ("Nimorvan 20 mg enthält Lactose", "warnings"),
        ("Nimorvan bevat sucrose en natrium", "warnings"),
        ("MEDICATION GUIDE", ""),
        ("What is the most important information I should know about Nimorvan?", "warnings"),
        ("What is Nimorvan?", "indications"),
        ("Who should not take Nimorvan?", "contraindications"),
        ("What should I tell my healthcare provider before taking Nimorvan?", "warnings"),
        ("How should I take Nimorvan?", "posology"),
        ("What are the possible side effects of Nimorvan?", "adverse_reactions"),
        ("How should I store Nimorvan?", "storage"),
        ("What are the ingredients in Nimorvan?", "composition"),
        ("Was ist Nimorvan und wann wird es angewendet?", "indications"),
        ("Wann darf Nimorvan nicht eingenommen werden?", "contraindications"),
        ("Wann ist bei der Einnahme von Nimorvan Vorsicht geboten?", "warnings"),
        (
            "Darf Nimorvan während einer Schwangerschaft oder in der Stillzeit eingenommen werden?",
            "pregnancy",
        ),
        ("Wie verwenden Sie Nimorvan?", "posology"),
        ("Welche Nebenwirkungen kann Nimorvan haben?", "adverse_reactions"),
        ("Was ist in Nimorvan enthalten?", "composition"),
        ("Dosierung/Anwendung", "posology"),
        ("Indikationen/Anwendungsmöglichkeiten", "indications"),
        ("Kontraindikationen", "contraindications"),
        ("Warnhinweise und Vorsichtsmassnahmen", "warnings"),
        ("Interaktionen", "interactions"),
        ("Schwangerschaft, Stillzeit", "pregnancy"),
        ("Wirkung auf die Fahrtüchtigkeit und auf das Bedienen von Maschinen", "driving"),
        ("Unerwünschte Wirkungen", "adverse_reactions"),
        ("Eigenschaften/Wirkungen", "pharmacology"),
    ],
)
def test_headings(heading: str, code: str) -> None:
    shown = " ".join(heading.split())
    assert codes(f"Some text before it.\n{heading}\nSome text after it.")[shown] == code


@pytest.mark.parametrize(
    "line",
    [
        "Do not take Ibuprofen with alcohol.",
        "Do not take Ibuprofen with alcohol",
        "Do not take Ibuprofen:",
        "Do not take Ibuprofen if you are allergic",
        "Do not take more than two tablets",
        "• Do not take Ibuprofen",
        "The recommended dose is one tablet",
        "contraindications",
        "See section 4. Possible side effects.",
        "Warnings and precautions ........ 3",
        "4 tablets of 400 mg",
        "Gebruik dit middel niet als u allergisch bent",
        "This medicine contains sodium metabisulfite\u2002",
        "Read the Medication Guide",
        "What is the dose of Nimorvan",
        "Hoe bewaart u dit middel is te lezen in rubriek 5",
        "Contraindications, warnings and interactions are described in the following part of it",
    ],
)
def test_sentences_are_not_headings(line: str) -> None:
    assert codes(f"Some text before it.\n{line}\nSome text after it.") == {"": ""}


@pytest.mark.parametrize(
    ("line", "boxed"),
    [
        ("Boxed Warning", True),
        ("WARNING: SUICIDAL THOUGHTS AND BEHAVIORS", True),
        ("WARNINGS: RISK OF BLEEDING", True),
        ("WARNING: (A) THROMBOTIC EVENTS, (B) SPINAL HEMATOMA", True),
        ("WARNING: HEPATOTOXICITY and EMBRYOFETAL TOXICITY", True),
        ("Warning: Do not use if the seal is broken", False),
        ("WARNINGS", False),
        ("WARNINGS AND PRECAUTIONS", False),
    ],
)
def test_the_heading_of_a_boxed_warning(line: str, boxed: bool) -> None:
    assert is_boxed_warning(line) is boxed
    if boxed:
        assert codes(f"Some text.\n{line}\nIt can harm.") == {"": "", line: "warnings"}


@pytest.mark.parametrize(
    ("line", "boxed"),
    [
        ("WARNING", True),
        ("WARNINGS:", True),
        ("Warnings", False),
        ("WARNINGS AND PRECAUTIONS", False),
    ],
)
def test_a_boxed_warning_that_stands_before_all_sections_says_the_word_alone(
    line: str, boxed: bool
) -> None:
    assert is_boxed_warning(line, opens=True) is boxed
    assert not is_boxed_warning(line)


def handout(*parts: tuple[str, str], level: int = 1) -> str:
    return "\n\n".join(f"{head}{HEADING * level}\n\n{text}" for head, text in parts)


def test_headings_set_alike_are_siblings_where_none_has_a_number() -> None:
    text = handout(
        ("How do I take it?", "One capsule a day."),
        ("Call for help", "If you are short of breath."),
        ("Who must not take it?", "Anyone who is allergic."),
    )
    assert codes(text) == {
        "How do I take it?": "posology",
        "Call for help": "",
        "Who must not take it?": "contraindications",
    }


def test_a_heading_without_a_number_stands_below_a_section_where_sections_have_numbers() -> None:
    text = "3. How to take Velmora\n\nAs told.\n\n" + handout(
        ("Recommended dose", "One a day."), ("Kidneys", "Half of it."), ("Storage of doses", "Dry.")
    )
    assert "Kidneys" not in codes(text)


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ("What is it for?", "indications"),
        ("Why is this medication prescribed?", "indications"),
        ("Wofür?", "indications"),
        ("Your dose", "posology"),
        ("How and when to take it", "posology"),
        ("Missed dose", "posology"),
        ("Einnahme vergessen?", "posology"),
        ("Who can and cannot take it", "contraindications"),
        ("Nicht einnehmen bei", "contraindications"),
        ("Other medicines, food and drink", "interactions"),
        ("Driving", "driving"),
        ("Aufbewahrung", "storage"),
        ("What is in it?", "composition"),
        ("Call 999", ""),
        ("Why do side effects happen?", ""),
        ("How long does it keep?", ""),
        ("Do not use after the expiry date", ""),
        ("Was ist bei Überdosierung zu tun?", ""),
    ],
)
def test_headings_of_handouts_say_their_section_where_they_are_set_as_headings(
    heading: str, code: str
) -> None:
    assert codes(handout((heading, "Text that follows."))) == {heading: code}
    assert heading not in codes(f"Before.\n{heading}\nText that follows.") or not code
