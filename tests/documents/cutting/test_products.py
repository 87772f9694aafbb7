"""Several products in one file: told apart where each begins, and only there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.cutting.chunks import chunk_pages
from core.documents.cutting.named import DrugsIn, drugs_of
from core.documents.cutting.products import about, products
from core.documents.cutting.sections import sections
from core.domain.documents import Page, Product, Profile

MEDICINES = ("aspirin", "ibuprofen", "metformin")
LEAFLET = """Package leaflet: Information for the user
{name} 20 mg tablets
Active substance: something
1. What {name} is and what it is used for
{name} lowers a thing in the blood.
2. What you need to know before you take {name}
Do not take {name}
• if you are allergic to it
3. How to take {name}
The dose is {dose} mg once a day."""
FACTS = """Active ingredient (in each tablet) Purpose
{name} {amount} mg ............. Pain reliever
Uses
temporary relief of headache
Warnings
Ask a doctor.
Directions
Take one tablet."""


def count(text: str) -> Mapping[str, int]:
    found = {name: text.casefold().count(name) for name in MEDICINES}
    return {name: times for name, times in found.items() if times}


def medicines(ids: Iterable[str]) -> Mapping[str, str]:
    return {one: one.capitalize() for one in ids}


def leaflet(name: str, dose: int = 20) -> str:
    return LEAFLET.format(name=name, dose=dose)


def nothing_counted(_text: str) -> Mapping[str, int]:
    return {}


with_graph = drugs_of(count, medicines)
without_graph = drugs_of(nothing_counted, medicines)


def begins(*texts: str, known: DrugsIn = with_graph) -> list[tuple[str, int]]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return [(one.title, one.page) for one in products(pages, known)]


def test_each_leaflet_of_a_file_is_a_product() -> None:
    found = begins(leaflet("Fooxil"), "Fooxil, second page", leaflet("Barvane"), leaflet("Quolvex"))
    assert found == [
        ("Fooxil 20 mg tablets", 1),
        ("Barvane 20 mg tablets", 3),
        ("Quolvex 20 mg tablets", 4),
    ]


def test_a_second_leaflet_on_the_same_page_begins_at_its_heading() -> None:
    text = f"{leaflet('Fooxil')}\n{leaflet('Barvane')}"
    (first, second) = products([Page(0, text)], with_graph)
    assert (first.start, second.start) == (0, text.rindex("Package leaflet"))
    assert second.title == "Barvane 20 mg tablets"


@pytest.mark.parametrize(
    "texts",
    [
        (leaflet("Fooxil"),),
        (leaflet("Fooxil"), leaflet("Fooxil"), leaflet("Fooxil")),
        # A product information has the same medicine's summary, and its leaflet behind it.
        ("1. NAME OF THE MEDICINAL PRODUCT\nFooxil 20 mg film-coated tablets", leaflet("Fooxil")),
        # A heading that runs over every page has the text of the page below it.
        tuple(
            f"Package leaflet: Information for the user\n{words} goes on\n3. How to take it\nSo."
            for words in ("If this", "Other people", "The doctor")
        ),
        (leaflet("Fooxil"), "A guidance.\nPackage leaflet: Information for the user\nBarvane 5 mg"),
        ("",),
    ],
)
def test_what_is_one_product_stays_one(texts: tuple[str, ...]) -> None:
    assert begins(*texts) == []


KIT = [
    "10 PERSON KIT - ibuprofen, aspirin\nGenuine Aid\n----------\n"
    + FACTS.format(name="Ibuprofen (NSAID*)", amount=200),
    FACTS.format(name="Aspirin", amount=325),
    # It has no name that anybody knows, and is not told under aspirin's.
    "Active ingredient:\nPurified Water USP...q.s.\nUse\nrinses\nWarning:\nIf you feel pain, stop."
    "\nDirections\nRinse.",
    "CARRYING CASE\n2 Purified water\n2 Ibuprofen 200 mg\n2 Aspirin 325 mg",
]
LISTING = "Part {number} of 2\n{name}\n{contents}\n\nProduct Information\nItem Code NDC:1"


@pytest.mark.parametrize("known", [with_graph, without_graph], ids=["graph", "no graph"])
def test_each_part_of_a_kit_is_a_product(known: DrugsIn) -> None:
    assert begins(*KIT[:3], known=known) == [
        ("Ibuprofen (NSAID*)", 1),
        ("Aspirin", 2),
        ("Purified Water USP", 3),
    ]


@pytest.mark.parametrize("counts", [count, nothing_counted], ids=["graph", "no graph"])
def test_a_part_has_the_name_of_the_listing_and_what_a_kit_holds_is_its_own(
    counts: Callable[[str], Mapping[str, int]],
) -> None:
    listing = [
        LISTING.format(number=1, name="IBUPROFEN", contents="ibuprofen tablet"),
        LISTING.format(number=2, name="EYEWASH", contents="water liquid"),
    ]
    pages = [Page(number, text) for number, text in enumerate([*KIT, *listing], start=1)]
    title, told = about(pages, {}, "kit", counts, medicines)
    assert title.startswith("10 PERSON KIT")
    assert [(one.title, one.page) for one in told] == [
        ("IBUPROFEN - ibuprofen tablet", 1),
        ("Aspirin", 2),
        ("EYEWASH - water liquid", 3),
        (title, 4),
        ("IBUPROFEN - ibuprofen tablet", 5),
        ("EYEWASH - water liquid", 6),
    ]


def test_a_part_is_never_called_by_what_it_does_not_contain() -> None:
    kit = [
        FACTS.format(name="Acetaminophen", amount=325),
        FACTS.format(name="Aspirin", amount=325),
        LISTING.format(number=1, name="NON-ASPIRIN", contents="acetaminophen tablet"),
        LISTING.format(number=2, name="PAINGONE", contents="aspirin tablet"),
    ]
    assert begins(*kit, known=without_graph) == [
        ("acetaminophen tablet", 1),
        ("PAINGONE - aspirin tablet", 2),
        ("acetaminophen tablet", 3),
        ("PAINGONE - aspirin tablet", 4),
    ]


def test_what_a_package_shows_is_told_under_the_product_that_it_names() -> None:
    pages = [
        FACTS.format(name="Bacitracin zinc", amount=500),
        FACTS.format(name="Lidocaine HCl", amount=4),
        "Package label - principal display panel\nBacitracin ointment, 1 oz",
        "PRINCIPAL DISPLAY PANEL\nKit with bacitracin and lidocaine",
    ]
    numbered = [Page(number, text) for number, text in enumerate(pages, start=1)]
    title, told = about(numbered, {}, "kit", nothing_counted, medicines)
    assert title == "Bacitracin zinc; Lidocaine HCl"
    assert [(one.title, one.page) for one in told] == [
        ("Bacitracin zinc", 1),
        ("Lidocaine HCl", 2),
        ("Bacitracin zinc", 3),
        (title, 4),
    ]


def test_products_of_the_same_substance_in_other_company_differ() -> None:
    day = "Active ingredients (in each caplet) Purpose\nAcetaminophen 325 mg ... Pain reliever\n{other}\n{rest}"
    rest = FACTS.partition("\n")[2].partition("\n")[2]
    kit = [
        day.format(other="Phenylephrine HCl 5 mg ... Nasal decongestant", rest=rest),
        day.format(other="Doxylamine succinate 6.25 mg ... Antihistamine", rest=rest),
    ]
    assert begins(*kit, known=without_graph) == [
        ("Acetaminophen, Phenylephrine HCl", 1),
        ("Acetaminophen, Doxylamine succinate", 2),
    ]


def test_labels_of_before_2006_begin_with_a_line_of_name_and_form() -> None:
    label = "{name} tablets, USP\nRx only\nDESCRIPTION\n{name} is a powder. {name} melts.\nWARNINGS\nNone.\n"
    file = [
        label.format(name="Baclofen"),
        "CONTRAINDICATIONS\nGout.",
        label.format(name="Warfarin"),
    ]
    assert begins(*file, known=without_graph) == [
        ("Baclofen tablets, USP", 1),
        ("Warfarin tablets, USP", 3),
    ]


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        (
            "NDA 50-749\nPage 1\nXylodir® (cefdinir) for Oral Suspension\n\nXylodir® (cefdinir) Capsules\n"
            "Rx only\n\nTo keep it effective, Xylodir should be used only for infections.\nDESCRIPTION",
            "Xylodir® (cefdinir)",
        ),
        ("METHYLPREDNISOLONE TABLETS, USP\n\nDESCRIPTION", "METHYLPREDNISOLONE TABLETS, USP"),
        ("Sample tablets\nRx only\nDESCRIPTION", "file"),
        ("Methylprednisolone tablets are for adults.\nDESCRIPTION", "file"),
    ],
)
def test_a_label_of_before_2006_is_called_what_its_first_lines_say(top: str, expected: str) -> None:
    label = f"{top}\nIt is a powder.\nWARNINGS\nNone."
    assert about([Page(1, label)], {}, "file", nothing_counted, medicines) == (expected, ())


def test_a_leaflet_before_a_kit_is_its_own_product() -> None:
    file = [
        leaflet("Fooxil"),
        *(FACTS.format(name=one, amount=5) for one in ("Bacitracin", "Aspirin")),
    ]
    assert begins(*file, known=without_graph) == [
        ("Fooxil 20 mg tablets", 1),
        ("Bacitracin", 2),
        ("Aspirin", 3),
    ]


def test_entries_of_a_compendium_begin_with_a_name_alone() -> None:
    entry = "{name}\nIndications\n{name} is for pain. {name} helps.\nDosage\nTwice.\n"
    (first, second) = products(
        [Page(1, entry.format(name="BACITRACIN") + entry.format(name="LIDOCAINE"))], without_graph
    )
    assert (first.title, first.start, second.title) == ("BACITRACIN", 0, "LIDOCAINE")
    assert second.start == len(entry.format(name="BACITRACIN"))


@pytest.mark.parametrize(
    "texts",
    [
        # A combination is one product, whatever it names, and so is one in two boxes.
        (
            "Active ingredients (in each tablet) Purpose\nAcetaminophen 250 mg ... Pain reliever\n"
            "Aspirin 250 mg ... Pain reliever\nUses\nheadache\nWarnings\nDo not use with ibuprofen.\n"
            "Directions\nTake two.",
        ),
        (FACTS.format(name="Aspirin", amount=81), FACTS.format(name="Aspirin", amount=81)),
        # Drug Facts below the title of their label.
        (
            "DAYTIME COLD- acetaminophen tablet\nAcme\n----------\n"
            + FACTS.format(name="Acetaminophen", amount=1),
        ),
        # A guide for patients says what its medicine contains, and parts of a paper are numbered.
        (
            leaflet("Vumerine"),
            "What are the ingredients in Vumerine?\nActive ingredient: diroximel fumarate\n"
            "Inactive ingredients: crospovidone",
        ),
        ("Part 1 of 2\nIbuprofen\nIts uses", "Part 2 of 2\nAspirin\nIts uses"),
        # A table that compares, and what else must not be taken.
        (
            leaflet("Amoxicillin/Clavulanic acid")
            + "\nOther medicines\nIbuprofen 400 mg tablets\nAspirin 100 mg",
        ),
        # An active ingredient without facts behind it: a form to be filled in.
        ("Active ingredient: Ibuprofen\nApplicant: A", "Active ingredient: Aspirin\nApplicant: B"),
    ],
)
def test_what_names_several_medicines_is_not_for_that_several_products(
    texts: tuple[str, ...],
) -> None:
    assert begins(*texts) == [] and begins(*texts, known=without_graph) == []


def test_a_file_of_two_leaflets_is_about_both_and_each_names_its_medicine() -> None:
    texts = [leaflet("Fooxil") + "\n" + 20 * "ibuprofen ", leaflet("Barvane")]
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    title, told = about(pages, {}, "file", count, medicines)
    assert [one.title for one in told] == [
        "Fooxil 20 mg tablets (Ibuprofen)",
        "Barvane 20 mg tablets",
    ]
    assert title == "Fooxil 20 mg tablets (Ibuprofen); Barvane 20 mg tablets"
    assert about(pages[:1], {}, "file", count, medicines) == (
        "Fooxil 20 mg tablets (Ibuprofen)",
        (),
    )


def test_nothing_of_one_product_runs_on_into_the_next() -> None:
    text = f"{leaflet('Fooxil')}\n{leaflet('Barvane', 40)}"
    found = products([Page(0, text)], with_graph)
    start = found[1].start
    parts = sections([Page(0, text)], [(one.page, one.start) for one in found])[0]
    assert parts[-1].end == len(text)
    at_start = next(part for part in parts if part.start == start)
    assert (at_start.code, at_start.heading) == ("", "")
    chunks = chunk_pages(
        [Page(0, text)],
        Profile.LEAFLET,
        document_id="d",
        title="Both",
        count_tokens=lambda texts: [len(one.split()) for one in texts],
        max_tokens=256,
        products=found,
    )
    assert all(one.end <= start or one.start >= start for one in chunks)
    assert {one.context.split(" · ")[0] for one in chunks} == {one.title for one in found}
    assert "".join(text[one.start : one.end] for one in chunks if one.start >= start).count("40 mg")


@given(
    names=st.lists(st.sampled_from(["Fooxil", "Barvane", "Quolvex"]), min_size=1, max_size=5),
    noise=st.text(max_size=60),
)
def test_products_are_in_order_and_cover_the_file(names: list[str], noise: str) -> None:
    pages = [Page(number, f"{leaflet(name)}\n{noise}") for number, name in enumerate(names, 1)]
    found = products(pages, with_graph)
    assert not found or found[0] == Product(found[0].title, 1, 0)
    assert list(found) == sorted(found, key=lambda one: (one.page, one.start))
    changes = [name for before, name in zip(["", *names], names, strict=False) if before != name]
    assert [one.title.split()[0] for one in found] == (changes if len(changes) > 1 else [])


@pytest.mark.parametrize(
    "line", ["ZEPOSIA® (ozanimod) capsules, for oral use", "ZEPOSIA (ozanimod)"]
)
def test_a_label_that_says_its_substance_below_is_of_one_product(line: str) -> None:
    """Trade name and substance are two names in the list of medicines, and one medicine."""
    label = (
        "These highlights do not include all the information needed to use ZEPOSIA safely and effectively.\n"
        f"See full prescribing information for ZEPOSIA.\n{line}\n1 INDICATIONS AND USAGE\n"
        "ZEPOSIA is for multiple sclerosis.\n2 DOSAGE\nThe dose of ZEPOSIA is 0.92 mg.\n"
    )
    title, parts = about([Page(1, label)], {}, "file", nothing_counted, medicines)
    assert title == "ZEPOSIA (ozanimod)" and not parts
