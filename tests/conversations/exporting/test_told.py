"""Whom a sentence is for goes out with it, in every format."""

from __future__ import annotations

from dataclasses import replace

from core.conversations.exporting.blocks import Heading, Paragraph, Said
from core.conversations.exporting.told import OF_OTHERS, plain_text, told
from core.domain.answers import Answer, Block, Sentence, Support
from core.domain.conversations import Turn
from tests.conversations.exporting.conversations import SESSION, WHEN
from tests.domain.answers import an_answer


def _answer() -> Answer:
    """Two doses of one leaflet, a list with items for others, a boxed warning of another leaflet."""
    heart = Block(
        1, "d1", "Ramipril", "r.pdf", 2, "posology", "3. How to take", under="Heart failure"
    )
    old = replace(heart, n=2, under="Elderly")
    boxed = Block(3, "d2", "Lisinopril", "l.pdf", 0, "warnings", "", boxed_warning=True)
    doubtful = replace(
        boxed, n=4, section="", heading="Other", boxed_warning=False, less_certain=True
    )
    said = [
        ("1.25 mg once a day.", 1, False),
        ("Less at first.", 2, False),
        ("Do not take it: with aliskiren.", 2, True),
        ("Stop it in pregnancy.", 3, False),
        ("It is white.", 4, False),
    ]
    return replace(
        an_answer("And the dose?"),
        sentences=tuple(
            Sentence(text, Support.DOCUMENT, (1,), block=block, others=others)
            for text, block, others in said
        ),
        blocks=(heart, old, boxed, doubtful),
    )


def test_sentences_stand_under_subject_section_and_whom_they_are_for() -> None:
    shown = [
        (block.number, block.text) if isinstance(block, Said) else block.text
        for block in told(_answer(), "2")
        if isinstance(block, Heading | Paragraph | Said)
    ]
    assert shown == [
        "Ramipril",
        "Dose · Heart failure · page 2",
        ("2.1", "1.25 mg once a day."),
        "Dose · Elderly · page 2",
        ("2.2", "Less at first."),
        OF_OTHERS,
        ("2.3", "Do not take it: with aliskiren."),
        "Lisinopril",
        "Boxed warning",
        ("2.4", "Stop it in pregnancy."),
        "Lisinopril (less certain)",
        "Other",
        ("2.5", "It is white."),
    ]


def test_copied_text_says_it_line_by_line() -> None:
    lines = plain_text(Turn("t", SESSION, 0, _answer(), WHEN)).splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("Answer: "))
    assert lines[begin : begin + 4] == [
        "Answer: Ramipril (Dose · Heart failure · page 2): 1.25 mg once a day. [1]",
        "Ramipril (Dose · Elderly · page 2): Less at first. [1] "
        f"{OF_OTHERS} Do not take it: with aliskiren. [1]",
        "Lisinopril (Boxed warning): Stop it in pregnancy. [1]",
        "Lisinopril (less certain) (Other): It is white. [1]",
    ]
