"""A lead-in belongs to the items that follow it, up to the next question or lead-in."""

from __future__ import annotations

import pytest

from core.text.statements import Statement, statements


def told(text: str) -> list[Statement]:
    return statements(text, lambda _line: False)[0]


def items(text: str) -> list[str]:
    return [item.text for one in told(text) for item in one.items]


def test_a_lead_in_in_the_last_item_begins_the_next_list() -> None:
    text = (
        "Do not take it if you:\n• are allergic to it\n• have asthma. Ask a doctor first. Tell your "
        "doctor if you have:\n• a fever\n• a rash\n"
    )
    assert items(text) == [
        "Do not take it if you: are allergic to it.",
        "Do not take it if you: have asthma. Ask a doctor first.",
        "Tell your doctor if you have: a fever.",
        "Tell your doctor if you have: a rash.",
    ]
    first, second = (one for one in told(text) if one.list_number)
    assert first.list_number != second.list_number
    lead = second.lead
    assert lead is not None and text[lead.start : lead.end] == "Tell your doctor if you have:"


@pytest.mark.parametrize(
    "question", ["How should I store it?", "Wie ist es aufzubewahren?", "Hoe bewaart u dit middel?"]
)
def test_a_question_ends_the_list_and_leads_in_what_follows(question: str) -> None:
    text = f"Tell your doctor if you have:\n• a fever\n• a rash. {question}\n• Keep it dry.\n"
    assert items(text) == [
        "Tell your doctor if you have: a fever.",
        "Tell your doctor if you have: a rash.",
        f"{question} Keep it dry.",
    ]


def test_a_question_and_its_answer_are_no_part_of_an_item() -> None:
    text = "Tell your doctor if you have:\n• a fever\n• a rash. What is it for? It is for pain in adults.\n"
    *_, question, answer = told(text)
    assert (question.text, answer.text) == ("What is it for?", "It is for pain in adults.")
    assert (answer.list_number, answer.lead) == (0, None)


def test_what_is_asked_within_an_item_does_not_end_its_list() -> None:
    """A contraindication would lose its lead-in."""
    text = (
        "Do not take it if you:\n• are pregnant. Are you not sure? Ask a doctor.\n"
        '• have asthma. See "What is it?" first.\n• are allergic to it\n'
    )
    assert [one.startswith("Do not take it if you: ") for one in items(text)] == [True] * 3


def test_an_item_of_nothing_but_a_lead_in_keeps_its_list() -> None:
    text = "Take each day:\n• Adults:\n• one tablet\n• Children:\n• half a tablet\n"
    (listed,) = told(text)
    assert listed.text == "Take each day: Adults: one tablet; Children: half a tablet."


def test_items_of_an_item_do_not_end_the_outer_list() -> None:
    text = (
        "Do not take it if you:\n• have a bad liver. Signs are:\n  o yellow eyes\n  o dark urine\n"
        "• are allergic to it\n"
    )
    (listed,) = told(text)
    assert (
        len(listed.items) == 2
        and listed.items[1].text == "Do not take it if you: are allergic to it."
    )


def test_items_on_one_line_are_items() -> None:
    """One of them begins a line by chance, and the text goes on behind the last one's sentence."""
    text = (
        "Call a doctor if you have signs of a slow heart: o dizziness o light head\n"
        "o skipped beats o chest pain o\ntiredness. Follow what your doctor says.\n"
    )
    listed, after = told(text)
    lead = "Call a doctor if you have signs of a slow heart:"
    assert listed.text == f"{lead} dizziness; light head; skipped beats; chest pain; tiredness."
    assert [text[one.start] for one in listed.items] == ["o"] * 5
    assert after.text == "Follow what your doctor says." and after.list_number == 0


def test_lists_on_lines_of_one_paragraph_are_two() -> None:
    text = (
        "Signs of an infection are: • fever • cough • rash It may be bad. Call for help with signs of: "
        "• a stroke • a fit. Then rest.\n"
    )
    assert items(text) == [
        "Signs of an infection are: fever.",
        "Signs of an infection are: cough.",
        "Signs of an infection are: rash It may be bad.",
        "Call for help with signs of: a stroke.",
        "Call for help with signs of: a fit.",
    ]


def test_one_sign_on_a_line_makes_no_list() -> None:
    assert [
        one.text
        for one in told("It has two parts: o one of them is white and the other one is blue.")
    ] == ["It has two parts: o one of them is white and the other one is blue."]


def test_a_long_sentence_without_its_stop_leads_in_nothing() -> None:
    """What the paragraph asks does."""
    text = (
        "How should I take it? Take it with food. Days 1 to 4 take one white capsule of 0.23 mg once a day "
        "days 5 to 7 take one grey capsule a day or as your doctor says\n• Do not skip a dose.\n"
    )
    assert items(text) == ["How should I take it? Do not skip a dose."]
    assert told(text)[1].text.endswith("or as your doctor says")


def test_a_question_that_runs_on_in_a_text_begins_a_paragraph_and_says_nothing_itself() -> None:
    text = (
        "Call your doctor about side effects. How should I store it? Store it dry. "
        "Is it old? Ask your doctor."
    )
    found = told(text)
    assert [(one.text, one.paragraph) for one in found] == [
        ("Call your doctor about side effects.", 0),
        ("How should I store it?", text.index("How")),
        ("Store it dry.", text.index("How")),
        ("Is it old?", text.index("How")),
        ("Ask your doctor.", text.index("How")),
    ]
    assert [one.says_something for one in found] == [True, False, True, False, True]
