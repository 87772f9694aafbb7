"""Escaping for places that read Markdown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.parts.shared.text import plain, short


@given(st.text(max_size=200))
def test_escaped_text_is_one_run_of_plain_text(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parseInline(plain(text))
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= {"text", "text_special"}


@given(st.text(max_size=200), st.integers(min_value=2, max_value=50))
def test_short_never_exceeds_its_limit(text: str, most: int) -> None:
    assert len(short(text, most)) <= most
