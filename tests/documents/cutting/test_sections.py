"""Sections of medicines' documents: where one begins and ends, and what stands below which."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.cutting.sections import section_title, sections
from core.domain.documents import Page
from core.text.layout.line_marks import HEADING, WRAPPED
from tests.documents.cutting.coded import codes


def test_a_boxed_warning_ends_at_a_first_section_without_a_heading_of_its_own() -> None:
    text = (
        "These highlights do not include all the information\nWARNING: LOSS OF SIGHT\nIt may be lost."
        "\n1.1 Multiple Sclerosis (MS)\nIt is for adults.\n2.1 Dose\nTake 1 mg.\n3 DOSAGE FORMS"
    )
    assert codes(text) == {
        "": "",
        "WARNING: LOSS OF SIGHT": "warnings",
        "1.1 Multiple Sclerosis (MS)": "indications",
        "2.1 Dose": "posology",
        "3 DOSAGE FORMS": "composition",
    }


def test_a_wrapped_sentence_is_not_a_heading() -> None:
    assert codes("Ask first.\nDo not take Ibuprofen\nand other painkillers together.") == {"": ""}


def test_steps_of_an_instruction_stay_in_their_section() -> None:
    text = "3. How to take Ibuprofen\n1. Open the bottle\n2. Take a tablet\nDrink water."
    assert codes(text) == {"3. How to take Ibuprofen": "posology"}


def test_unknown_numbered_headings_keep_their_words_and_their_parents_code() -> None:
    text = "5 WARNINGS AND PRECAUTIONS\nText.\n5.1 Hepatotoxicity\nText.\n6 SOMETHING ELSE\nText."
    assert codes(text) == {
        "5 WARNINGS AND PRECAUTIONS": "warnings",
        "5.1 Hepatotoxicity": "warnings",
        "6 SOMETHING ELSE": "",
    }


def test_a_stroke_may_part_a_heading_from_its_number() -> None:
    text = "2 | MATERIALS AND METHODS\nText.\n2.1 | Protocol and search\nText.\n3 | RESULTS\nText."
    assert list(codes(text)) == [
        "2 | MATERIALS AND METHODS",
        "2.1 | Protocol and search",
        "3 | RESULTS",
    ]


def test_subsections_whose_section_has_no_heading_are_its_own() -> None:
    text = (
        "1 INDICATIONS AND USAGE\nText.\n2.1 Dosage in Narcolepsy\nText.\n2.2 Dosage Modifications in "
        "Patients with Severe Hepatic Impairment or More\nText.\n4 CONTRAINDICATIONS\nText.\n"
        "5.1 Serious Rash\nText.\n5.2 Angioedema\nText.\n9.1 Controlled Substance\nText."
    )
    assert list(codes(text).values()) == [
        "indications",
        "posology",
        "posology",
        "contraindications",
        "warnings",
        "warnings",
        "",
    ]
    assert codes(text.replace("9.1", "6.1"))["6.1 Controlled Substance"] == "adverse_reactions"


def test_headings_of_a_us_label_that_are_lacking_hide_none_of_those_behind() -> None:
    text = (
        "1 INDICATIONS AND USAGE\nText.\n3 DOSAGE FORMS AND STRENGTHS\nText.\n5.1 Serious Rash\nText.\n"
        "5.3 Angioedema\nText.\n12.5 Pharmacogenomics\nText.\n14.2 Ulcerative Colitis\nText."
    )
    assert codes(text)["5.1 Serious Rash"] == codes(text)["5.3 Angioedema"] == "warnings"
    assert "14.2 Ulcerative Colitis" in codes(text)
    # Too far in its section: the number of a row may be one.
    assert "12.5 Pharmacogenomics" not in codes(text)
    # Nor where nothing says that it is a US label.
    assert "5.3 Angioedema" not in codes(text.replace("1 INDICATIONS AND USAGE", "Uses of it"))


def test_what_chemistry_puts_before_a_name_begins_a_heading() -> None:
    """ "α 2 -Adrenergic" stands below its own heading, and no amount becomes one."""
    text = (
        "5 WARNINGS AND PRECAUTIONS\nText.\n7.1 Alcohol\nText.\n7.2 α 2 -Adrenergic Agonists\nText.\n"
        "7.3 5-HT3 Antagonists\nText.\n7.4 µg tablets\nText.\n7.4 10 mg tablets\nText."
    )
    assert codes(text) == {
        "5 WARNINGS AND PRECAUTIONS": "warnings",
        "7.1 Alcohol": "interactions",
        "7.2 α 2 -Adrenergic Agonists": "interactions",
        "7.3 5-HT3 Antagonists": "interactions",
    }


def test_in_eu_product_information_the_number_speaks_for_unknown_words() -> None:
    text = "4.2 Posology\nText.\n4.3 Contre-indications\nText."
    assert codes(text)["4.3 Contre-indications"] == "contraindications"


def test_a_heading_may_stand_on_several_lines() -> None:
    text = (
        "1. What Nimorvan is and what it is\u2002\nused for\n\nIt is for pain.\n\n"
        "If you take more Nimorvan than\u2002\nyou should\n\nTalk to a doctor\u2002\nat once.\n\n"
        "Do not take Nimorvan\u2002\nand alcohol together."
    )
    assert codes(f"Some text.\n{text}") == {
        "": "",
        "1. What Nimorvan is and what it is used for": "indications",
        "If you take more Nimorvan than you should": "overdose",
    }


def test_a_long_heading_of_a_subsection_is_whole() -> None:
    parted = (
        "5.1 Unintended Additive Immunosuppressive Effects from Prior Treatment with",
        "Immunosuppressive or Immune-Modulating Drugs",
    )
    text = "5 WARNINGS AND PRECAUTIONS\nText.\n{}\u2002\n{}\n\nConsider the half-life."
    assert " ".join(parted) in codes(text.format(*parted))
    longer = f"{parted[1]}, and {parted[1]}, and others of them"
    assert parted[0] in codes(text.format(parted[0], longer))


def test_two_headings_below_each_other_are_not_one() -> None:
    """The width of the first may be all that their size of letters has."""
    text = "2. What you need to know before you take Nimorvan\u2002\nDo not take Nimorvan\n\n- at night"
    assert codes(text) == {
        "2. What you need to know before you take Nimorvan": "warnings",
        "Do not take Nimorvan": "contraindications",
    }


def test_a_table_of_contents_is_no_sections() -> None:
    first = "1. What Nimorvan is and what it is used for"
    listed = (
        f"In this leaflet:\n{first}\n\n2. What you need to know before\u2002\nyou take Nimorvan\n"
        "3. How to take Nimorvan\n4. Contents of the pack and other information\n"
    )
    text = f"{listed}Keep it.\n{first}\nPain.\n2. Before you take Nimorvan\nAsk."
    assert codes(text) == {"": "", first: "indications", "2. Before you take Nimorvan": "warnings"}
    (before, *_) = sections([Page(1, text)])[1]
    assert text[before.start : before.end].endswith("Keep it.\n")


def test_an_item_that_another_one_follows_is_no_heading() -> None:
    assert codes(
        "A request is closed when:\n1. The applicant withdraws it, or\n2. It is granted."
    ) == {"": ""}


def test_a_section_runs_on_over_pages() -> None:
    found = sections(
        [
            Page(1, "4. Possible side effects\nHeadache."),
            Page(2, ""),
            Page(3, "Rash.\nStorage\nDry."),
        ]
    )
    assert found[2] == ()
    first, second = found[3]
    assert (first.code, first.heading) == ("adverse_reactions", "4. Possible side effects")
    assert (first.start, first.end, second.start, second.code) == (0, 6, 6, "storage")


def test_every_code_has_a_name() -> None:
    assert section_title("contraindications") == "Contraindications"
    assert section_title("posology") == "Dose"
    assert section_title("") == section_title("never heard of") == "Other"


LINES = st.sampled_from(
    ["4.3 Contraindications", "Storage", "Uses", "1. Start", "text", "", "  ", "2 WORDS", "é 文字."]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(LINES | st.text(max_size=30), max_size=8).map("\n".join), max_size=4))
def test_sections_part_every_page_without_gaps(texts: list[str]) -> None:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    found = sections(pages)
    for page in pages:
        parts = found[page.number]
        assert "".join(page.text[part.start : part.end] for part in parts) == page.text
        assert all(part.start < part.end for part in parts)


@pytest.mark.req("PR-1")
def test_a_title_over_a_numbered_heading_does_not_go_on_in_it() -> None:
    """21 CFR 201.57: "FULL PRESCRIBING INFORMATION" stands over "1 INDICATIONS AND USAGE", set alike."""
    text = (
        f"FULL PRESCRIBING INFORMATION{WRAPPED}\n1 INDICATIONS AND USAGE{HEADING}\n\nIt is for gout.\n\n"
        f"2 DOSAGE AND ADMINISTRATION{HEADING}\n\nTake 5 mg.\n"
    )
    found = codes(text)
    assert found["1 INDICATIONS AND USAGE"] == "indications"
    assert found["2 DOSAGE AND ADMINISTRATION"] == "posology"
    # What a sentence refers to at a line's end begins nothing.
    referring = f"It is cleared as told in section{WRAPPED}\n4.3 Contraindications{WRAPPED}\nand in others.\n"
    assert "4.3 Contraindications" not in codes(referring)


def test_what_stands_below_a_clinical_particular_tells_of_that() -> None:
    text = (
        "4.1 Therapeutic indications\nFor arthritis.\n4.2 Posology and method of administration\n"
        "5 mg twice daily.\n\nInteractions\n\nHalve the dose with ketoconazole.\n\nHepatic impairment\n"
        "5 mg once daily.\n4.3 Contraindications\nSepsis.\n4.5 Interaction with other medicinal products"
        " and other forms of interaction\nFluconazole."
    )
    found = codes(text)
    assert found["Interactions"] == "posology"
    assert found["4.3 Contraindications"] == "contraindications"
    assert codes("Interactions\nFluconazole.")["Interactions"] == "interactions"
    lost = (
        "4.1 Therapeutic indications\nPain.\n4.2 Posology\nTake 5 mg.\nContraindications\nSepsis."
    )
    assert codes(lost)["Contraindications"] == "contraindications"
    assert "Dose" not in codes(
        "5.1 Pharmacodynamic properties\nA study:\nDose\nResponse\n100 mg 54%"
    )


def test_a_sentence_that_begins_with_a_short_form_does_not_go_on_a_heading() -> None:
    found = codes("1. Doses\n5 mg.\n2. Renal and hepatic impairment\neGFR below 10: 2 mg.")
    assert "2. Renal and hepatic impairment" in found
    words = codes("1. Doses\n5 mg.\n2. Renal and hepatic impairment\nof patients: 2 mg.")
    assert "2. Renal and hepatic impairment" not in words


def test_what_a_product_is_ends_a_numbered_heading() -> None:
    found = codes("1. What Olvizan is\n\nIt is an eye drop.\n\n2. Before you use Olvizan\n\nAsk.")
    assert list(found) == ["1. What Olvizan is", "2. Before you use Olvizan"]
