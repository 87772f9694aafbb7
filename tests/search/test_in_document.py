"""Words looked for inside a document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Page
from core.search.in_document import find_in_pages

PAGES = [
    Page(1, "Do not take this if your\nliver is damaged. Hepatitis must be told."),
    Page(2, "Nothing here."),
    Page(3, "hepatic failure, HEPATIC coma (50 %)"),
]


def test_hits_come_by_page_with_the_words_around() -> None:
    found, more = find_in_pages("hepat", PAGES, 10)
    assert not more and [(one.page, one.words) for one in found] == [
        (1, "Hepat"),
        (3, "hepat"),
        (3, "HEPAT"),
    ]
    assert found[0].before == "Do not take this if your liver is damaged."
    assert found[0].after == "itis must be told."
    (over,) = find_in_pages("your  LIVER", PAGES, 10)[0]
    assert PAGES[0].text[over.start : over.end] == "your\nliver" and over.words == "your liver"
    assert find_in_pages("hepat", PAGES, 2)[1]
    assert find_in_pages("(50 %)", PAGES, 2)[0][0].page == 3
    for nothing in ("", "   ", ".*", "liver failure"):
        assert find_in_pages(nothing, PAGES, 5) == ([], False)


@given(st.text(max_size=300), st.integers(0, 300), st.integers(1, 40))
def test_what_stands_in_a_text_is_found_there(text: str, start: int, length: int) -> None:
    words = text[start : start + length]
    if not words.strip():
        return
    found, more = find_in_pages(words, [Page(1, text)], 400)
    assert not more
    for one in found:
        assert text[one.start : one.end].split() and 0 <= one.start < one.end <= len(text)
    stripped = start + len(words) - len(words.lstrip())
    assert any(one.start <= stripped < one.end for one in found)
