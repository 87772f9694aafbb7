"""File names of strangers, made safe to show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents.library.names import display_name, title_from_name


@given(st.text(max_size=400) | st.text("./\\ \x00\r\n\u202ea", max_size=30))
@example("..")
@example("../../etc/passwd")
@example("C:\\Users\\me\\leaflet.pdf")
@example("a\u2028b.pdf")
@example("." * 300)
def test_never_a_path_a_control_character_or_nothing(name: str) -> None:
    shown = display_name(name)
    assert shown.strip() and shown.strip(".")
    assert len(shown) <= 200
    assert "/" not in shown and "\\" not in shown
    assert len(shown.splitlines()) == 1
    assert not any(unicodedata.category(character).startswith("C") for character in shown)
    assert title_from_name(shown).strip()


@given(st.text(max_size=400))
def test_a_safe_name_stays_as_it_is(name: str) -> None:
    assert display_name(display_name(name)) == display_name(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Metformin.pdf", "Metformin.pdf"),
        ("../../Metformin.pdf", "Metformin.pdf"),
        ("C:\\temp\\Metformin.pdf", "Metformin.pdf"),
        ("Ärzte-Info 2024 – neu.pdf", "Ärzte-Info 2024 – neu.pdf"),
        ("<img src=x onerror=alert(1)>.pdf", "<img src=x onerror=alert(1)>.pdf"),
        ("fdp.\u202enimrofteM.pdf", "fdp.nimrofteM.pdf"),
        ("", "unnamed.pdf"),
        ("...", "unnamed.pdf"),
        ("folder/", "folder"),
    ],
)
def test_names_as_people_write_them(name: str, shown: str) -> None:
    assert display_name(name) == shown


def test_a_long_name_keeps_its_ending() -> None:
    shown = display_name("x" * 500 + ".pdf")
    assert shown.endswith(".pdf") and len(shown) <= 200


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("mahi_Metformin.pdf", "mahi Metformin"),
        ("No_ending", "No ending"),
        (".pdf", ".pdf"),
        ("a.b.pdf", "a.b"),
    ],
)
def test_titles(name: str, title: str) -> None:
    assert title_from_name(name) == title
