"""Headers and footers that repeat from page to page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.documents.cutting.furniture import line_key, repeated_lines
from core.domain.documents import Page
from core.text.tables.lines import HEAD


def pages(*texts: str) -> list[Page]:
    return [Page(number, text) for number, text in enumerate(texts, start=1)]


def body(number: int) -> str:
    words = ("red", "green", "blue", "black", "white")
    return "\n".join(f"{words[number % 5]} {words[(number + i) % 5]} line {i}" for i in range(8))


def test_header_and_numbered_footer() -> None:
    found = repeated_lines(
        pages(*(f"Metformin 500 mg\n{body(n)}\nPage {n} of 4" for n in range(1, 5)))
    )
    assert line_key("Metformin 500 mg") in found
    assert line_key("Page  9 of 12") in found and line_key("PAGE 1 OF 4") in found


def test_the_heads_of_a_table_that_goes_on_are_no_furniture() -> None:
    heads = f"{HEAD}Medicine\tWith X\tWith Y"
    texts = [f"Formulary\n{heads}\nDrug {n}\tyes\tno\n{body(n)}" for n in range(3)]
    found = repeated_lines(pages(*texts))
    assert line_key("Formulary") in found and line_key(heads) not in found
    # A header that is set as a table stands above no row of it.
    texts = [f"{heads}\n{body(n)}" for n in range(3)]
    assert line_key(heads) in repeated_lines(pages(*texts))


def test_a_line_in_the_middle_is_text_even_when_it_repeats() -> None:
    middle = "\n".join(f"{a} {b}" for a, b in zip("abcd", "efgh", strict=True))
    texts = [f"{n} first {n}x\n" + middle + "\nTake with food.\n" + middle for n in range(4)]
    assert line_key("Take with food.") not in repeated_lines(pages(*texts))


def test_lines_that_differ_in_a_number_are_text() -> None:
    for doses in [(2, 3), (2, 3, 4, 5), (1, 4, 2, 8)]:
        texts = [f"Take {dose} tablets a day\n{body(n)}" for n, dose in enumerate(doses)]
        assert line_key("Take 2 tablets a day") not in repeated_lines(pages(*texts))
    texts = [f"Section {number} of the study\n{body(number)}" for number in (3, 7, 4, 9)]
    assert line_key("Section 3 of the study") not in repeated_lines(pages(*texts))


def test_numbers_that_stay_or_count_with_the_pages_are_furniture() -> None:
    texts = [f"Leaflet 2024-{n + 11} of X\n{body(n)}\n{n + 5}" for n in range(1, 5)]
    found = repeated_lines(pages(*texts))
    assert {line_key("Leaflet 2024-12 of X"), line_key("6")} <= found
    texts = [f"{body(n)}\nCommunication on Zorvex - page {n}" for n in (1, 2)]
    assert line_key("Communication on Zorvex - page 2") in repeated_lines(pages(*texts))
    texts = [f"{body(n)}\nSee page {n + 3 * n}" for n in (1, 2)]  # does not count with the pages
    assert line_key("See page 4") not in repeated_lines(pages(*texts))
    texts = [f"Ibuprofen 400 mg tablets\n{body(n)}\nSeite {n} von 2" for n in (1, 2)]
    found = repeated_lines(pages(*texts))
    assert {line_key("Ibuprofen 400 mg tablets"), line_key("Seite 1 von 2")} <= found


def test_a_very_long_number_is_only_text() -> None:
    assert line_key("9" * 5000) in repeated_lines(pages("9" * 5000, "9" * 5000))


def test_one_page_has_no_furniture() -> None:
    assert repeated_lines(pages("Header\ntext\nfooter")) == frozenset()
    assert repeated_lines([]) == frozenset()


def test_a_line_on_two_of_six_pages_is_no_furniture() -> None:
    texts = [f"{word}\nown {word}" for word in "abcdef"]
    texts[0], texts[1] = "Notice\nown a", "Notice\nown b"
    assert line_key("Notice") not in repeated_lines(pages(*texts))


def test_a_line_twice_on_one_page_counts_once() -> None:
    assert line_key("Notice") not in repeated_lines(pages("Notice\nx\nNotice", "other\ny", "z"))


@given(st.text(max_size=60))
def test_a_key_ignores_case_space_and_digits_only(line: str) -> None:
    assert line_key(f"  {line}  ") == line_key(line)
    assert line_key(line.replace(" ", "   ")) == line_key(line)
    assert line_key(line + " 7") == line_key(line + " 123")


@given(st.lists(st.text(max_size=80), min_size=2, max_size=6))
def test_what_repeats_stands_on_half_of_the_pages(texts: list[str]) -> None:
    keyed = [{line_key(line) for line in text.splitlines()} for text in texts]
    for key in repeated_lines(pages(*texts)):
        assert sum(key in page for page in keyed) >= max(2, len(texts) / 2)
