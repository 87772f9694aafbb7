"""What a row of a table says, and what it is told with."""

from __future__ import annotations

import pytest

from core.questions.leaflets.reader import conditions_told
from core.text.statements import statements
from core.text.tables.lines import HEAD, SAME_AS_ABOVE, SAME_AS_LEFT
from core.text.tables.told import with_units


def told(*lines: str) -> list[str]:
    return [one.text for one in statements("\n".join(lines), lambda _line: False)[0]]


def test_a_row_with_other_cells_than_the_heads_is_told_without_them() -> None:
    assert told(f"{HEAD}Weight\tDose\tTimes", "20 kg\t5 mg\ttwice", "5 mg\ttwice") == [
        "Weight: 20 kg; Dose: 5 mg; Times: twice.",
        "5 mg; twice.",
    ]


def test_cells_without_heads_are_told_as_words_are() -> None:
    """The document has no stroke between its cells, and so what is told of it has none."""
    rows = ["children under 12 years\task a doctor", "Severe:\t5 mg\ttwice", "-2.1\t0.4"]
    assert told(*rows) == [
        "children under 12 years: ask a doctor.",
        "Severe: 5 mg; twice.",
        "-2.1; 0.4.",
    ]


def test_an_empty_first_cell_is_the_one_above() -> None:
    rows = [f"{HEAD}Infection\tSeverity\tDose", "Ear\tmild\t25 mg", "\tsevere\t45 mg"]
    assert told(*rows)[-1] == "Infection: Ear; Severity: severe; Dose: 45 mg."


def test_an_empty_first_cell_below_a_label_is_no_row_above_it() -> None:
    rows = [f"{HEAD}Age\tDose\tTimes", "Adults\t20 mg\tonce", "Children\t\t", "\t5 mg\ttwice"]
    assert told(*rows) == [
        "Age: Adults; Dose: 20 mg; Times: once.",
        "Children; Dose: 5 mg; Times: twice.",
    ]


def test_a_head_in_the_middle_of_a_row_is_said_of_the_rows_below() -> None:
    """The dose after dialysis is told as that, and not as a dose of the table's other rows."""
    head = f"{HEAD}Clearance (mL/min)\tTotal (mg/day)\tEach time (mg)"
    rows = [head, "15 a\t100 to 300\t100", "\tSupplemental dose (mg) b\t", "Dialysis\t\t125 b"]
    assert told(*rows) == [
        "Clearance (mL/min): 15 a; Total (mg/day): 100 to 300; Each time (mg): 100.",
        "Supplemental dose (mg) b; Clearance (mL/min): Dialysis; Each time (mg): 125 b.",
    ]
    # One that has a number, or none of a head's brackets, says something of its own row.
    for cell in ("not recommended", "5 (mg)", "Not recommended (see below)"):
        assert len(told(head, "15\t100\t100", f"\t{cell}\t", "Dialysis\t\t125")) == 3


def test_heads_in_the_middle_of_a_table_begin_the_columns_anew() -> None:
    rows = [f"{HEAD}Weight\tDose", "20 kg\t5 mg", f"{HEAD}Age\tVolume", "2 years\t10 ml"]
    assert told(*rows) == ["Weight: 20 kg; Dose: 5 mg.", "Age: 2 years; Volume: 10 ml."]


def test_a_caption_in_the_table_ends_what_was_said_before() -> None:
    rows = [f"{HEAD}Weight\tDose", "20 kg\t5 mg", "Table 3: Elderly\t\u2007", "first\t1 mg"]
    assert told(*rows)[-1] == "Table 3: Elderly – first: 1 mg."


def test_what_stands_around_a_table_is_no_part_of_it() -> None:
    rows = [
        "Do not take it with:",
        "Weight\tDose",
        "20 kg\t5 mg",
        "- alcohol at any time of the day",
    ]
    assert told(*rows) == ["Weight: Dose.", "20 kg; 5 mg."]


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ("Weight (kg): 20 to 30; Dose: 5 mL.", "Weight: 20 to 30 kg; Dose: 5 mL."),
        ("eGFR (mL/min/1.73 m2): < 30; Dose (mg): 5.", "eGFR: < 30 mL/min/1.73 m2; Dose: 5 mg."),
        ("Age (years): 2 to 5; Dose: 5 mL.", "Age: 2 to 5 years; Dose: 5 mL."),
        ("Patients (adults): 20; Dose: 5 mL.", "Patients (adults): 20; Dose: 5 mL."),
        ("Weight (kg): all; Dose: 5 mL.", "Weight (kg): all; Dose: 5 mL."),
        ("Clearance (mL/min): 15 a; Dose (mg): 5†.", "Clearance: 15 mL/min; Dose: 5 mg."),
        ("Dose (mg): 5 g; Time (h): 2 d.", "Dose (mg): 5 g; Time (h): 2 d."),
        ("12 years and over: 10 mL; Dose: 5 mL.", "12 years and over: 10 mL; Dose: 5 mL."),
    ],
)
def test_the_unit_of_a_head_is_that_of_its_numbers(row: str, wanted: str) -> None:
    assert with_units(row) == wanted


def test_a_row_of_times_heads_the_row_that_goes_on_with_its_label() -> None:
    """Titration tables name the weeks anew for each group of patients."""
    rows = told(
        f"{HEAD}Regimen\tTitration\t{SAME_AS_LEFT}\tMaintenance",
        f"{HEAD}Alone\tWeeks 1 + 2\tWeeks 3 + 4\t",
        f"{SAME_AS_ABOVE}\t100 mg/day\t200 mg/day\t300 mg/day",
        "– with X\tWeek 1\tWeek 2\t",
        f"{SAME_AS_ABOVE}\t50 mg/day\t100 mg/day\t500 mg/day",
        "Children\t10 mg/day\t20 mg/day\t30 mg/day",
    )
    assert rows == [
        "Alone; Weeks 1 + 2: 100 mg/day; Weeks 3 + 4: 200 mg/day; Maintenance: 300 mg/day.",
        "with X; Week 1: 50 mg/day; Week 2: 100 mg/day; Maintenance: 500 mg/day.",
        "Regimen: Children; Titration: 10 mg/day; Titration: 20 mg/day; Maintenance: 30 mg/day.",
    ]


def test_a_label_that_counts_on_takes_the_place_of_the_one_above_the_table() -> None:
    rows = told("Grade 3", "- 1st time\tpause\t75%", "Grade 4\t\t", "- 1st time\tstop\t50%")
    assert rows == ["Grade 3 – - 1st time; pause; 75%.", "Grade 4; - 1st time; stop; 50%."]


def test_times_in_one_column_head_nothing() -> None:
    rows = told(f"{HEAD}Time\tDose\tTablets", "Week 1\t5 mg\tone", "Week 2\t10 mg\ttwo")
    assert rows == [
        "Time: Week 1; Dose: 5 mg; Tablets: one.",
        "Time: Week 2; Dose: 10 mg; Tablets: two.",
    ]


def test_conditions_are_read_from_a_row() -> None:
    (weight,) = conditions_told(with_units("Weight (kg): 20 to 29; Dose: 5 mL."))
    assert weight.kind == "weight"


def noted(*lines: str) -> list[list[tuple[str, tuple[int, ...]]]]:
    """The notes of each row, with the parts that they are said of."""
    found = statements("\n".join(lines), lambda _line: False)[0]
    return [[(note.text, note.parts) for note in one.notes] for one in found if one.row]


def test_a_row_has_the_notes_that_its_cells_and_heads_point_to() -> None:
    rows = [f"{HEAD}Age\tAdults†\tChildren‡‡ π", "first\t5 mg\t2 mga", "later\t6 mg\t3 mg§", ""]
    notes = ["† With food.", "", "‡‡ Below 40 kg.", "", "π As a syrup.", "", "§ At night."]
    heads = [("† With food.", (1,)), ("‡‡ Below 40 kg.", (2,)), ("π As a syrup.", (2,))]
    assert noted(*rows, *notes) == [heads, [*heads, ("§ At night.", (2,))]]


def test_letters_and_numbers_are_marks_where_notes_begin_with_them() -> None:
    rows = ["H. influenzae c", f"{HEAD}Strain\tRange", "ATCC 49247d\t2 to 8", "other\t86ll (n = 3)"]
    notes = ["c Only in broth.", "", "d Only with HTM.", "", "ll (p < 0.05) against placebo."]
    first, last = noted(*rows, *notes)
    assert first == [("c Only in broth.", ()), ("d Only with HTM.", (0,))]
    assert last == [("c Only in broth.", ()), ("ll (p < 0.05) against placebo.", (1,))]


def test_a_note_that_nothing_points_to_stays_with_its_table() -> None:
    rows = [f"{HEAD}Weight\tDose", "20 kg\t5 mg", "NOTE: Only for infections.", ""]
    other = [f"{HEAD}Age\tVolume", "2 years\t10 ml", "† Shake it first.", "", "* Keep it cold."]
    assert noted(*rows, *other) == [
        [("NOTE: Only for infections.", ())],
        [("† Shake it first.", ())],
    ]


def test_sentences_below_a_table_are_no_notes_of_it() -> None:
    rows = [
        f"{HEAD}Weight\tDose",
        "20 kg\t5 mg",
        "It is swallowed whole.",
        "",
        "2 Tablets are left.",
    ]
    assert noted(*rows) == [[]]


def test_what_stands_right_above_a_table_says_what_it_is_of() -> None:
    rows = ["Each spoon will contain 200 mg", "400 mg/5 mL", f"{HEAD}Bottle\tWater", "50 mL\t33 mL"]
    assert told(*rows)[-1] == "400 mg/5 mL – Bottle: 50 mL; Water: 33 mL."


def test_a_caption_of_two_lines_is_told_with_each_row_and_alone_with_none() -> None:
    rows = [
        "Table 3. Change in pressure at week 12,",
        "According to Subgroup.",
        f"{HEAD}Group\tmm Hg",
        "Women\t-9",
    ]
    assert told(*rows) == [
        "Table 3. Change in pressure at week 12, According to Subgroup – Group: Women; mm Hg: -9."
    ]


def test_a_caption_right_below_a_table_is_told_with_its_rows_and_alone_with_none() -> None:
    rows = [
        f"{HEAD}Group\tmm Hg",
        "Women\t-9",
        "Table 3. Change in pressure at week 12. CI, confidence interval.",
        "",
        "The pressure fell in all groups.",
    ]
    assert told(*rows) == [
        "Table 3. Change in pressure at week 12 – Group: Women; mm Hg: -9.",
        "CI, confidence interval.",
        "The pressure fell in all groups.",
    ]


@pytest.mark.parametrize("last", ["Table 2. Weight.", "Both were measured twice."])
def test_a_caption_between_two_tables_is_of_the_first_where_the_second_has_its_own_below(
    last: str,
) -> None:
    first = [f"{HEAD}Group\tmm Hg", "Women\t-9", "Table 1. Pressure.", ""]
    second = [f"{HEAD}Group\tkg", "Men\t-2", last]
    women, men = (one for one in told(*first, *second) if one.startswith(("Group", "Table")))
    if last.startswith("Table"):
        assert women.startswith("Table 1. Pressure – Group: Women")
        assert men.startswith("Table 2. Weight – Group: Men")
    else:
        assert women.startswith("Group: Women")
        assert men.startswith("Table 1. Pressure – Group: Men")


def test_a_sentence_below_a_table_that_speaks_of_one_is_no_caption() -> None:
    rows = [f"{HEAD}Group\tmm Hg", "Women\t-9", "Table 2 shows what was seen in men."]
    assert told(*rows) == ["Group: Women; mm Hg: -9.", "Table 2 shows what was seen in men."]


def test_a_note_in_running_text_is_a_statement_of_its_own() -> None:
    text = (
        "Day 8 and after 0.92 mg once daily* *Patients with a weak liver take it every other day."
    )
    assert told(text)[-1] == "*Patients with a weak liver take it every other day."
    assert told("Carriers of *2 and *3 take less, as do carriers of *Two.")[0].endswith("*Two.")


def test_the_heading_right_above_a_table_stands_over_its_rows() -> None:
    """And not the one before: the dose for weak kidneys is none for leukaemia."""
    text = (
        "Dose for acute leukaemia\n\nThe dose is 20 mg a day, taken with water.\n\n{above}\n"
        "\u2003Kidney function\tDose\n60 ml/min or more\tfull dose\n30 to 59 ml/min\thalf the dose\n\n"
        "Swallow the tablets whole, with a glass of water.\n"
    )

    def lines_over(above: str, telling: str) -> list[str]:
        found, _ = statements(text.format(above=above), lambda _line: False)
        return next([line.words for line in one.under] for one in found if telling in one.text)

    heading = "People with kidney problems"
    assert lines_over(heading, "half the dose") == ["Dose for acute leukaemia", heading]
    assert lines_over(heading, "Swallow") == ["Dose for acute leukaemia"]
    assert lines_over("Table 2: Doses of the tablets", "half the dose") == [
        "Dose for acute leukaemia"
    ]


def test_a_row_cut_by_the_page_whose_label_is_empty_reads_on() -> None:
    """Its label is on an earlier page, and the next row has one."""
    first = "\u2003Who\tDose\tMost\n\u00a0\t5 mg\t10 mg and\u2000\n"
    found, _ = statements(f"{first}Others\t1 mg\t2 mg\n", lambda _line: False, breaks=[len(first)])
    assert [one.text for one in found if one.row][-1] == "Who: Others; Dose: 1 mg; Most: 2 mg."


def test_a_cut_row_keeps_the_cell_that_is_one_with_that_above() -> None:
    text = "\u2003Who\tDose\tMost\nAdults\t5 mg\t10 mg\nChildren\t2 mg\t\u00a0\u2000\n"
    found, _ = statements(text, lambda _line: False)
    assert found[-1].text == "Who: Children; Dose: 2 mg; Most: 10 mg."
