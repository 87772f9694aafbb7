"""What was added, removed, changed and moved is told as that, and layout as nothing."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Page
from core.versions.amounts import changed_numbers
from core.versions.differences import DifferenceKind, NumberChange
from core.versions.files import comparison_csv, comparison_markdown
from tests.versions.leaflets import NEW, OLD, laid_out, of_kind, versions


def test_known_differences_are_told_and_no_others() -> None:
    found = versions(laid_out(OLD, 70, (14,)), laid_out(NEW, 48, (9, 30)))
    assert {section.code or section.heading for section in found.sections} == {
        "Headers and footers", "indications", "warnings", "contraindications", "posology", "storage",
    }  # fmt: skip
    (added,), (removed,), (moved,) = (
        of_kind(found, kind)
        for kind in (DifferenceKind.ADDED, DifferenceKind.REMOVED, DifferenceKind.MOVED)
    )
    assert added.new is not None and added.new.text == NEW[13]
    assert removed.old is not None and removed.old.text == OLD[7].removeprefix("• ")
    assert removed.numbers == (NumberChange("6 months", ""),)
    assert moved.old is not None and moved.new is not None
    assert (moved.old.section, moved.new.section) == ("posology", "warnings")
    assert not moved.new.marks and moved.new.text == OLD[13]
    changed = of_kind(found, DifferenceKind.CHANGED)
    assert [one.numbers for one in changed] == [
        (NumberChange("30 mL/min", "45 mL/min"),),
        (),  # half a gram is 500 mg
        (NumberChange("3,000 mg a day", "2,000 mg a day"),),
        (),
    ]
    dose, storage = changed[2], changed[3]
    assert dose.old is not None and dose.new is not None and storage.new is not None
    assert [dose.old.text[slice(*mark)] for mark in dose.old.numbers] == ["3,000 mg a day"]
    assert [dose.new.text[slice(*mark)] for mark in dose.new.marks] == ["2,000"]
    assert [storage.new.text[slice(*mark)] for mark in storage.new.marks] == ["and reach"]
    assert found.numbers == 3 and not found.same


@given(
    st.integers(30, 110), st.lists(st.integers(0, 60), max_size=4), st.sampled_from("•–*▪"), st.booleans()
)  # fmt: skip
def test_layout_is_no_difference(
    width: int, page_breaks: list[int], bullet: str, ligatures: bool
) -> None:
    pages = laid_out(OLD, width, page_breaks, bullet)
    if ligatures:
        pages = [Page(one.number, one.text.replace("ffi", "ﬃ")) for one in pages]
    hyphened = [Page(one.number, one.text.replace("adults", "adul\u00adts")) for one in pages]
    found = versions(laid_out(OLD), hyphened)
    assert found.same, [(one.kind, one.old, one.new) for one in found.changed(found.differences)]


def test_a_word_that_a_line_breaks_is_that_word() -> None:
    one = [Page(1, "It may harm the liver (hepatomegaly) and stop breast-feeding early.")]
    other = [Page(1, "It may harm the liver (hepato-\nmegaly) and stop breast-\nfeeding early.")]
    assert versions(one, other).same
    whole = [Page(1, "It may harm the liver and stop breast-feeding of the youngest early.")]
    parted = [
        Page(1, "It may harm the liver and stop breast-"),
        Page(2, "feeding of the youngest early."),
    ]
    assert versions(whole, parted).same


def test_rows_of_tables_are_compared_row_by_row() -> None:
    head = "\u2003Effect\tDrug\tPlacebo"
    old = [Page(1, f"{head}\nHeadache\t12 %\t10 %\nNausea\t7 %\t6 %\nRash\t2 %\t1 %")]
    new = [
        Page(1, f"{head}\nHeadache\t14 %\t10 %\nNausea\t7 %\t6 %\nFever\t3 %\t2 %\nRash\t2 %\t1 %")
    ]
    found = versions(old, new)
    (changed,), (added,) = (
        of_kind(found, DifferenceKind.CHANGED),
        of_kind(found, DifferenceKind.ADDED),
    )
    assert changed.numbers == (NumberChange("12 %", "14 %"),)
    assert changed.new is not None and changed.new.row
    assert changed.new.text == "Headache | 14 % | 10 %"
    assert added.new is not None and added.new.text == "Fever | 3 % | 2 %"
    assert found.counts[DifferenceKind.SAME] == 3


def test_heads_that_a_table_repeats_on_its_next_page_are_told_once() -> None:
    head, rows = "\u2003Effect\tDrug", ["Headache\t12 %", "Nausea\t7 %"]
    one = [Page(1, "\n".join([head, *rows]))]
    two = [Page(1, "\n".join([head, rows[0]])), Page(2, "\n".join([head, rows[1]]))]
    assert versions(one, two).same


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("Take 1,000 mg.", "Take 1 g.", ()),
        ("Take at most 10 mg.", "Take at least 10 mg.", ((True, True),)),
        ("Men take 10 mg, women 20 mg.", "Men take 20 mg, women 10 mg.", ((True, True), (True, True))),
        ("It lasts 72 to 96 hours, 4 to 5 days.", "It lasts 72 to 99 hours, 4 to 6 days.",
         ((True, True), (True, True))),
        ("Take two tablets.", "Take three tablets.", ((True, True),)),
    ],
)  # fmt: skip
def test_numbers_differ_by_amount_limit_and_place(
    old: str, new: str, changes: tuple[tuple[bool, bool], ...]
) -> None:
    found, _, _ = changed_numbers(old, new)
    assert len(found) >= len(changes) and bool(found) == bool(changes)


def test_an_item_is_told_with_what_it_stands_under() -> None:
    """The line before its list that ends in a colon, or else the heading; a sentence with nothing."""
    head, lead = "Do not take Quolvane", "Tell your doctor before you take Quolvane:"
    old = (
        head,
        "• if you are allergic to quolvane",
        "Warnings and precautions",
        lead,
        "• if you have gout",
    )
    new = (
        *(head, "• if you are allergic to quolvane", "• if you take amiodarone"),
        *("Warnings and precautions", lead, "• if you have gout", "• if you are over 75"),
        "Blood is tested every three months by your doctor.",
    )
    found = versions(laid_out(old), laid_out(new))
    told = {one.new.text: one.lead for one in of_kind(found, DifferenceKind.ADDED) if one.new}
    assert told == {
        "if you take amiodarone": head,
        "if you are over 75": lead,
        "Blood is tested every three months by your doctor.": "",
    }
    rows = list(csv.DictReader(io.StringIO(comparison_csv(found).decode("utf-8-sig"))))
    assert [row["Under"] for row in rows] == [head, lead, ""]
    assert f"{head} if you take amiodarone" in comparison_markdown(found).decode()


def test_text_stays_text_in_files() -> None:
    formula, markup = "=HYPERLINK(1) is added here by somebody", "<script>alert(1)</script> | a"
    found = versions([Page(1, "Nothing was here before.")], [Page(1, f"{formula}.\n\n{markup}.")])
    rows = list(csv.reader(io.StringIO(comparison_csv(found).decode("utf-8-sig"))))
    assert any(cell.startswith("'=HYPERLINK") for row in rows for cell in row)
    assert not any(cell.startswith("=") for row in rows for cell in row)
    text = comparison_markdown(found).decode()
    assert "<script>" not in text and "&lt;script&gt;" in text
