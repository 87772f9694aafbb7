"""A guideline's monographs: a row of numbered headings that each begin with a medicine's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from core.documents.cutting.products import about
from core.documents.cutting.sections import sections
from core.domain.documents import Page

DOSE = (
    "Give 500 mg in 100 mL over 60 minutes, every 12 hours. Check the level before the third dose and "
    "write it down in the chart of the ward."
)
INTRODUCTION = (
    "For inpatients aged 16 years and over. Ask the pharmacist of the ward where in doubt."
)


def nothing(_text: str) -> Mapping[str, int]:
    return {}


def no_names(_ids: Iterable[str]) -> Mapping[str, str]:
    return {}


def read(*texts: str) -> tuple[str, list[tuple[str, int]]]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    title, found = about(pages, {}, "guideline.pdf", nothing, no_names)
    return title, [(one.title, one.page) for one in found]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "heads",
    [
        ("1 VANCOMYCIN (intravenous)", "2 TEICOPLANIN", "3 FLUCONAZOLE"),
        ("1. Vancomycin (intravenous)", "2. Teicoplanin", "3. Fluconazole"),
        ("A. VANCOMYCIN HYDROCHLORIDE 500 mg vial", "B. TEICOPLANIN", "C. FLUCONAZOLE"),
    ],
)
def test_each_monograph_is_a_product_of_its_file(heads: tuple[str, str, str]) -> None:
    first, second, third = heads
    title, found = read(
        f"{INTRODUCTION}\n\n{first}\n\n{DOSE}\n\n{second}\n\n{DOSE}", f"{third}\n\n{DOSE}"
    )
    names = [one.partition(" ")[2] for one in heads]
    assert found == [(title, 1), (names[0], 1), (names[1], 1), (names[2], 2)]


def test_what_stands_under_everyday_words_is_the_whole_files() -> None:
    title, found = read(
        f"{INTRODUCTION}\n\n1 VANCOMYCIN\n\n{DOSE}\n\n2 TEICOPLANIN\n\n{DOSE}\n\n3 Teicoplanin levels\n\n"
        f"{DOSE}\n\n4 References\n\n{DOSE}"
    )
    assert [one for one, _ in found][-1] == title


@pytest.mark.parametrize(
    "text",
    [
        # Medicines that a leaflet only lists.
        f"{DOSE} {DOSE} {DOSE}\n\nTell your doctor if you take:\n\n1. Vancomycin\n\n2. Teicoplanin\n\n{DOSE}",
        # Sections, of which one names a medicine.
        f"1 Vancomycin\n\n{DOSE}\n\n2 Dosage\n\n{DOSE}\n\n3 Storage\n\n{DOSE}",
        # One medicine in several headings.
        f"1 Vancomycin dose\n\n{DOSE}\n\n2 Vancomycin levels\n\n{DOSE}",
        # No doses below them.
        "1 Vancomycin\n\nIt is an old antibiotic.\n\n2 Teicoplanin\n\nIt is younger than that.",
    ],
)
def test_other_rows_of_headings_begin_no_monographs(text: str) -> None:
    assert read(text)[1] == []


def test_a_guideline_may_begin_with_its_scope_and_end_with_a_comparison() -> None:
    whole = f"{DOSE} {DOSE} {DOSE}"
    title, found = read(
        f"1. Scope\n\n{INTRODUCTION}\n\n2. Steps\n\n{DOSE}\n\n3. Vancomycin\n\n3.1 Adults\n\n{whole}",
        f"4. Teicoplanin\n\n4.1 Adults\n\n{whole}\n\n5. Comparison\n\n{DOSE}\n\n6. Afterwards\n\n{DOSE}",
    )
    assert [one for one, _ in found] == [title, "Vancomycin", "Teicoplanin", title]


def test_headings_of_a_monograph_count_on_from_its_own() -> None:
    text = f"3. Vancomycin\n\n3.1 Adults\n\n{DOSE}\n\n3.2 Neonates\n\n{DOSE}"
    page = Page(1, f"{INTRODUCTION}\n\n{text}")
    begun = len(INTRODUCTION) + 2
    found = [one.heading for one in sections([page], [(1, begun)])[1]]
    assert found[-2:] == ["3.1 Adults", "3.2 Neonates"]
    # An item of a list is no heading for that.
    item = Page(1, f"{INTRODUCTION}\n\nTake it so:\n\n3. Open the bottle\n\n3.1 Adults\n\n{DOSE}")
    assert "3.1 Adults" not in [one.heading for one in sections([item], [(1, begun)])[1]]


def test_lines_that_are_names_and_nothing_else_begin_monographs() -> None:
    names = ("Vancomycin", "Gentamicin", "Aciclovir")
    told = "\n\n".join(f"{one}\nDose {DOSE}" for one in names)
    _, found = read(f"Intravenous medicines\n{INTRODUCTION}\n\n{told}")
    assert [one for one, _ in found if one in names] == list(names)
    # A medicine's own document has such lines over what it does with others.
    _, own = read(f"Warfarin 5 mg tablets\n{INTRODUCTION}\n\n{told}")
    assert not {one for one, _ in own} & set(names)
    _, leaflet = read(f"Package leaflet\nBrand 400 mg tablets\n{INTRODUCTION}\n\n{told}")
    assert not {one for one, _ in leaflet} & set(names)
    # A salt before the name is part of it; alone it is what is measured.
    salted = told.replace("Gentamicin", "Sodium Warfarin").replace("Dose", "Potassium\nDose", 1)
    _, named = read(f"Intravenous medicines\n{INTRODUCTION}\n\n{salted}")
    assert [one for one, _ in named if one][-3:] == ["Vancomycin", "Sodium Warfarin", "Aciclovir"]
    # Two of one name are rows of a list.
    _, listed = read(f"Intravenous medicines\n{INTRODUCTION}\n\n{told}\n\n{told}")
    assert not {one for one, _ in listed} & set(names)


def test_a_monograph_whose_title_has_a_number_alone_keeps_the_headings_below_it() -> None:
    body = (
        f"2 Gentamicin\n2.1 Hospital treatment\n{DOSE}\n2.2 Contraindications, monitoring and antidote\n"
        f"Not in myasthenia.\n2.3 Adverse effects and cautions\n{DOSE}"
    )
    start = len(INTRODUCTION) + 2
    page = Page(1, f"{INTRODUCTION}\n\n{body}")
    found = {one.heading: one.code for one in sections([page], [(1, start)])[1]}
    assert found["2.1 Hospital treatment"] == ""
    assert found["2.2 Contraindications, monitoring and antidote"] == "", "not all of it forbids"
    assert found["2.3 Adverse effects and cautions"] == "adverse_reactions"


def test_monographs_of_a_book_s_chapters_are_products() -> None:
    title, found = read(
        f"{INTRODUCTION}\n\n5.1 Antibacterials\n\n5.1.1 Vancomycin (vials 500 mg, 1 g; capsules 125 mg; oral "
        f"solution made from the vials of all makers)\n\n{DOSE}\n\n5.1.2 Teicoplanin\n\n{DOSE}",
        f"4.6 Antiemetics\n\nFor all wards, see below.\n\n4.6.1 Ondansetron\n\n{DOSE}",
    )
    assert found == [
        (title, 1), ("Vancomycin", 1), ("Teicoplanin", 1), (title, 2), ("Ondansetron", 2),
    ]  # fmt: skip


def test_the_interactions_of_a_label_are_no_monographs() -> None:
    _, found = read(
        f"2.1 Recommended dosage\n\n{DOSE}\n\n2.2 Missed dose\n\n{DOSE}\n\n2.3 Renal impairment\n\n{DOSE}\n\n"
        f"7.1 Vancomycin\n\n{DOSE}\n\n7.2 Warfarin\n\n{DOSE}\n\n7.3 Digoxin\n\n{DOSE}"
    )
    assert found == []
