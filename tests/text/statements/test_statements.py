"""Text cut into statements: whole sentences, whole lists, the lines over them, no fragments."""

from __future__ import annotations

import re

from core.text.layout.lines_over import is_heading
from core.text.statements import Lead, Statement, statements
from tests.text.statements.told import no_furniture, texts, told


def test_wrapped_lines_are_one_sentence() -> None:
    text = (
        "Take the tablets with a glass of\nwater, during or just after\na meal. Do not chew them.\n"
    )
    assert texts(text) == [
        "Take the tablets with a glass of water, during or just after a meal.",
        "Do not chew them.",
    ]
    first = told(text)[0]
    assert text[first.start : first.end].endswith("just after\na meal.")


def test_headings_and_fragments_are_dropped() -> None:
    text = "3. How to take Metformin\n\nYes.\nTake one tablet a day.\nMetformin 500 mg\n"
    assert texts(text) == ["Take one tablet a day."]


def test_lines_of_a_table_without_columns_are_told() -> None:
    rows = [
        "Degree of impairment Advice",
        "Mild (class A) Go slowly",
        "Severe (class C) Do not use",
    ]
    last = (
        "Take the capsules whole with a glass of water, at about the same time of each day, with food or\n"
        "without it."
    )
    text = "\n".join(["Impaired liver", *rows, "Effect of food", "", last])
    assert texts(text) == [*(f"{one}." for one in rows), " ".join(last.split())]
    assert [one.row for one in told(text)] == [True, True, True, False]
    # Two headings below each other are headings.
    assert texts(f"Adults\nStarting dose in gout\n\n{last}") == [" ".join(last.split())]


def test_what_is_listed_behind_a_colon_is_no_heading() -> None:
    assert not is_heading("Common: headache, dizziness and cough")
    assert not is_heading("Grade: 3 – rash, fever")
    assert is_heading("Adults: 18 years and over")


def test_a_line_that_says_what_comes_how_often_is_told() -> None:
    text = "Nervous system\n\nRare: tremor\n\nEye Common: pain Rare: glaucoma\n\nHeart\n\nRare: syncope\n"
    assert texts(text) == ["Rare: tremor", "Eye Common: pain Rare: glaucoma", "Rare: syncope"]


def test_furniture_is_dropped_where_it_breaks_a_sentence() -> None:
    text = "Do not store the tablets\nSample leaflet - page 3\nabove 30 degrees.\nKeep them dry and dark."
    found, _ = statements(text, lambda line: line.startswith("Sample leaflet"))
    assert "Sample" not in " ".join(statement.text for statement in found)
    assert found[-1].text == "Keep them dry and dark."


def test_abbreviations_and_numbers_end_no_sentence() -> None:
    assert texts("Take e.g. 2.5 mg at night. See Dr. Who then.") == [
        "Take e.g. 2.5 mg at night.",
        "See Dr. Who then.",
    ]


def test_a_prohibition_is_told_whole() -> None:
    for prohibition in (
        "Do not take St. John's wort together with Zorvexil.",
        "Nehmen Sie Zorvexil nicht ein, z. B. Tabletten mit Alkohol.",
        "Gebruik Zorvexil niet ab dem 3. Trimenon.",
    ):
        assert texts(f"{prohibition} Ask your doctor.") == [prohibition, "Ask your doctor."]
        for place in [match.start() for match in re.finditer(" ", prohibition)]:
            if prohibition[place - 1] in ".,":
                # A line that is short because its paragraph is not justified.
                ragged = f"{prohibition[:place]}\n{prohibition[place + 1 :]}"
                assert prohibition in texts(f"{'long ' * 30}\n\n{ragged}"), ragged


def test_steps_are_told_without_their_numbers() -> None:
    assert texts("1. Wash your hands well. 2. Open the bottle then.\nII. Take 5 ml of it.") == [
        "Wash your hands well.",
        "Open the bottle then.",
        "Take 5 ml of it.",
    ]


def test_a_list_is_told_with_its_lead_in() -> None:
    text = (
        "Do not take X:\n"
        "• if you are allergic to it or to\n  anything like it;\n"
        "• if your kidneys fail.\n\n"
        "Ask your doctor first."
    )
    listed, after = told(text)
    assert listed.text == (
        "Do not take X: if you are allergic to it or to anything like it; if your kidneys fail."
    )
    assert text[listed.start : listed.end].startswith("• if you are allergic")
    assert [item.text for item in listed.items] == [
        "Do not take X: if you are allergic to it or to anything like it.",
        "Do not take X: if your kidneys fail.",
    ]
    assert after.text == "Ask your doctor first." and after.list_number == 0


def test_an_item_that_introduces_the_next_ones_keeps_its_colon() -> None:
    (listed,) = told("Uses:\n• relieves pains due to:\n• colds\n• fever")
    assert listed.text == "Uses: relieves pains due to: colds; fever."


def test_a_list_goes_on_with_the_lead_in_of_the_page_before() -> None:
    _, lead = statements("Do not take X:\n• if you are allergic", no_furniture)
    assert lead is not None
    found, _ = statements("• if your kidneys fail\n• if you drink", no_furniture, lead)
    assert [s.text for s in found] == ["Do not take X: if your kidneys fail; if you drink."]
    assert found[0].list_number == lead.number


def test_without_a_lead_in_only_items_that_speak_for_themselves_are_told() -> None:
    text = "• headache\n• tell your doctor at once if your skin or your eyes turn yellow"
    assert texts(text) == ["tell your doctor at once if your skin or your eyes turn yellow"]


def test_a_bullet_on_a_line_of_its_own_belongs_to_the_next_line() -> None:
    text = "Other information:\n•\nStore between 20-25 °C\n•\nKeep it dry\n•\n"
    assert texts(text) == ["Other information: Store between 20-25 °C; Keep it dry."]


def test_sentences_of_a_paragraph_know_it() -> None:
    text = "Adults start with one tablet. The highest dose is two.\n\nChildren must not take it."
    adults, highest, children = told(text)
    assert adults.paragraph == highest.paragraph == 0
    assert children.paragraph == text.index("Children")
    long = told("The same words are said again. " * 20)
    assert {statement.paragraph for statement in long} == {0}


def nearest(statement: Statement) -> str:
    return statement.under[-1].words if statement.under else ""


def test_a_line_directly_below_another_stands_under_it() -> None:
    text = (
        "Hypertension\n\nStarting dose\n\nThe dose is 2 mg.\n\nMaintenance dose\n\nThe dose is 5 mg.\n\n"
        "Heart failure\n\nStarting dose\n\nThe dose is 1 mg."
    )
    assert [[(line.words, line.below) for line in one.under] for one in told(text)] == [
        [("Hypertension", False), ("Starting dose", True)],
        [("Hypertension", False), ("Starting dose", True), ("Maintenance dose", False)],
        [
            ("Hypertension", False),
            ("Starting dose", True),
            ("Maintenance dose", False),
            ("Heart failure", False),
            ("Starting dose", True),
        ],
    ]


def test_a_line_over_paragraphs_stands_over_all_up_to_the_next() -> None:
    text = (
        "Multiple Sclerosis\n\nThe dose is 12 mg every 3 months. It is infused.\n\nThe heart is examined first."
        "\n\nChildren:\n\nThe dose is 6 mg.\n\nDo not give it if:\n\n• the heart fails\n• the liver fails\n\n"
        "in the margin\n\nThe dose is 1 mg.\n\n"
        "Recommended dose with moderate renal impairment\n\nThe dose is 2 mg."
    )
    assert [(one.text[:16], nearest(one)) for one in told(text)] == [
        ("The dose is 12 m", "Multiple Sclerosis"),
        ("It is infused.", "Multiple Sclerosis"),
        ("The heart is exa", "Multiple Sclerosis"),
        ("The dose is 6 mg", "Children"),
        ("Do not give it i", "Children"),
        ("The dose is 1 mg", "Children"),
        ("The dose is 2 mg", "Recommended dose with moderate renal impairment"),
    ]


def test_a_line_that_tells_under_a_condition_is_no_label() -> None:
    line = "Ask a doctor before use if the user has liver disease"
    text = f"Warnings\n\n{line}\n\nAsk a doctor before use if you take warfarin.\n\n"
    label = "If you have liver disease\n\nTake half a tablet a day."
    assert [(one.text, nearest(one)) for one in told(text + label) if one.text != "Warnings"] == [
        (line, "Warnings"),
        ("Ask a doctor before use if you take warfarin.", "Warnings"),
        ("Take half a tablet a day.", "If you have liver disease"),
    ]


def test_a_line_of_many_words_without_numbers_stands_over_paragraphs_too() -> None:
    heading = "Prevention of stroke and systemic embolism in patients with non-valvular fibrillation (NVAF)"
    row = "Stroke or systemic embolism 212 (1.27) 265 (1.60) 0.79 (0.66, 0.95) 0.0114"
    text = f"Dose\n\nIt is chosen.\n\n{heading}\n\nThe dose is 5 mg.\n\n{row}\n\nThe dose is 6 mg."
    assert [nearest(one) for one in told(text) if one.text.endswith(".")] == [
        "Dose",
        heading,
        heading,
    ]


HEADER = (
    "Summary of the characteristics of a medicine, a line that is longer than those of a column"
)


def told_over(first: str, second: str) -> list[Statement]:
    """What two pages say whose header is `HEADER`."""
    over = f"{HEADER}\n{first}\n"
    return statements(over + second, lambda line: line == HEADER, breaks=[len(over)])[0]


def test_an_item_goes_on_over_the_page_where_its_line_was_full() -> None:
    (only,) = told_over(
        "Do not take it with:\n• clarithromycin, which is much like it with", "Rifampicin (see 4.5)"
    )
    assert (
        only.text
        == "Do not take it with: clarithromycin, which is much like it with Rifampicin (see 4.5)."
    )


def test_items_of_an_item_go_on_over_the_page() -> None:
    """A page by itself does not know that an item with this bullet stood in another one."""
    listed, rest = told_over(
        "Do not take it with:\n• macrolides, as:\n  – erythromycin",
        "– azithromycin\n• lithium\n• warfarin",
    )
    assert [one.text for one in (*listed.items, *rest.items)] == [
        "Do not take it with: macrolides, as: – erythromycin – azithromycin.",
        "Do not take it with: lithium.",
        "Do not take it with: warfarin.",
    ]


def test_frequencies_of_side_effects_are_parts_of_one_list() -> None:
    text = (
        "Tell your doctor about side effects.\n"
        "Very common (may affect more than 1 in 10 people): nausea, dry mouth.\n"
        "Rare (may affect up to 1 in 1,000 people): mania, low sodium in the blood.\n"
        "Many complaints ease with time.\n"
    )
    found, _ = statements(text, lambda _line: False)
    numbers = {item.text.split(" (")[0]: item.list_number for item in found if ":" in item.text}
    assert numbers == {"Very common": 1, "Rare": 1}
    assert [item.list_number for item in found if ":" not in item.text] == [0, 0]


def test_an_amount_alone_under_a_heading_is_told_with_it() -> None:
    heading = Lead("Shelf life:", 3, heading=True)
    found, _ = statements(
        "3 years\n\nStore below 25 °C in the box.\n", lambda _line: False, heading
    )
    assert [one.text for one in found] == ["Shelf life: 3 years", "Store below 25 °C in the box."]


def test_an_amount_alone_never_joins_the_list_of_the_page_before() -> None:
    running = Lead("Do not take X:", 3)
    found, _ = statements(
        "10 tablets\n\nStore below 25 °C in the box.\n", lambda _line: False, running
    )
    assert [one.text for one in found] == ["Store below 25 °C in the box."]
