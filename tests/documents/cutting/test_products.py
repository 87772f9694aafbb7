"""Several products in one file: told apart where each begins, and only there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.cutting.chunks import chunk_pages
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


def drugs_in(text: str) -> frozenset[str]:
    return frozenset(count(text))


def leaflet(name: str, dose: int = 20) -> str:
    return LEAFLET.format(name=name, dose=dose)


def begins(*texts: str) -> list[tuple[str, int]]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return [(one.title, one.page) for one in products(pages, drugs_in)]


def test_each_leaflet_of_a_file_is_a_product() -> None:
    found = begins(leaflet("Fooxil"), "Fooxil, second page", leaflet("Barvane"), leaflet("Quolvex"))
    assert found == [
        ("Fooxil 20 mg tablets", 1),
        ("Barvane 20 mg tablets", 3),
        ("Quolvex 20 mg tablets", 4),
    ]


def test_a_second_leaflet_on_the_same_page_begins_at_its_heading() -> None:
    text = f"{leaflet('Fooxil')}\n{leaflet('Barvane')}"
    (first, second) = products([Page(0, text)], drugs_in)
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


def test_each_part_of_a_kit_is_a_product() -> None:
    kit = [
        "10 PERSON KIT - ibuprofen, aspirin\nGenuine Aid\n----------\n"
        + FACTS.format(name="Ibuprofen (NSAID*)", amount=200),
        FACTS.format(name="Aspirin", amount=325),
        # It has no name that anybody knows, and is not told under aspirin's.
        "Active ingredient:\nPurified Water USP...q.s.\nWarning:\nIf you feel pain, stop.",
        "Part 1 of 2\nIBUPROFEN\nibuprofen tablet",
    ]
    assert begins(*kit) == [
        ("Ibuprofen (NSAID*)", 1),
        ("Aspirin", 2),
        ("Purified Water USP", 3),
        ("IBUPROFEN - ibuprofen tablet", 4),
    ]
    pages = [Page(number, text) for number, text in enumerate(kit, start=1)]
    title, told = about(pages, {}, "kit", count, medicines)
    assert title == "10 PERSON KIT (Ibuprofen)" or title.startswith("10 PERSON KIT")
    assert len(told) == 4


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
    found = products([Page(0, text)], drugs_in)
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
    found = products(pages, drugs_in)
    assert not found or found[0] == Product(found[0].title, 1, 0)
    assert list(found) == sorted(found, key=lambda one: (one.page, one.start))
    changes = [name for before, name in zip(["", *names], names, strict=False) if before != name]
    assert [one.title.split()[0] for one in found] == (changes if len(changes) > 1 else [])
