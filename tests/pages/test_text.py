"""Escaping for places that read Markdown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.parts.shared.text import file_size, plain, short


@given(st.text(max_size=200))
def test_escaped_text_is_one_run_of_plain_text(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parseInline(plain(text))
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= {"text", "text_special"}


@given(st.text(max_size=200), st.integers(min_value=2, max_value=50))
def test_short_never_exceeds_its_limit(text: str, most: int) -> None:
    assert len(short(text, most)) <= most


def test_no_file_that_has_something_is_said_to_be_of_no_size() -> None:
    sizes = [file_size(size) for size in (60, 9_300, 1_916_400, 2_100_000_000)]
    assert sizes == ["0.1 kB", "9.3 kB", "1.9 MB", "2.10 GB"]
