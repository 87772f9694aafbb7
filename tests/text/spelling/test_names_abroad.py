"""Names of substances as German and Dutch spell them."""

from __future__ import annotations

import pytest

from core.text.spelling.medicines import (
    in_english_spelling,
    is_medicine,
    substances,
    substances_in,
)


@pytest.mark.parametrize(
    ("written", "english"),
    [
        ("methotrexaat", "methotrexate"),
        ("valproaat", "valproate"),
        ("fenytoïne", "phenytoin"),
        ("mycofenolaat", "mycophenolate"),
        ("cisplatine", "cisplatin"),
        ("sertralin", "sertraline"),
    ],
)
def test_a_name_is_read_as_its_english_one(written: str, english: str) -> None:
    assert is_medicine(written)
    assert substances(written) == substances(english)
    read = in_english_spelling(f"Met {written}, tweemaal")
    assert substances_in(read) == substances(english)
    assert read.isascii()


@pytest.mark.parametrize(
    "word", ["plaat", "advocaat", "resultaat", "machine", "Medizin", "routine"]
)
def test_a_word_that_ends_so_is_none(word: str) -> None:
    assert not is_medicine(word.casefold())
    assert in_english_spelling(word) == word
