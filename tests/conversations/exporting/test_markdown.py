"""Markdown: whatever a quote says stays text."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.conversations.exporting.blocks import Cited, Facts, Grid, Heading, Note, Paragraph, Said
from core.conversations.exporting.markdown import markdown
from core.conversations.exporting.outline import outline
from core.conversations.exporting.printable import one_line
from core.domain.answers import Support
from core.domain.plans import ClausePlan, Plan, Want
from core.stores.sqlite.conversations import SqliteConversations
from tests.conversations.exporting.conversations import HOSTILE, a_full_answer, a_record
from tests.domain.answers import an_answer

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_MARKUP = "|#<>[]()*_`~!-+=.:\\&$@^{}\"' \n\t1aA/"
anything = st.text(max_size=40) | st.text(_MARKUP, max_size=40)


def _read(source: bytes) -> tuple[str, set[str]]:
    """What a reader sees, white space as single blanks, and the elements that it is made of."""
    page = _MARKDOWN.render(source.decode())
    tags = set(re.findall(r"<(\w+)", page))
    text = html.unescape(re.sub(r"<[^>]*>", " ", page))
    return " ".join(text.split()), tags


@given(anything)
@example(HOSTILE)
@example("1. one\n2. two\n- three\n    code\n> four\n---\n===")
@example("&lt;b&gt; &#35;")
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    shown = one_line(text)
    for block, allowed in (
        (Paragraph(text), {"p"}),
        (Note(text), {"blockquote", "p", "strong"}),
        (Heading(1, f"1. {text}"), {"h2"}),
        (Facts(((text, text),)), {"table", "thead", "tbody", "tr", "th", "td"}),
        (Grid(("a",), ((text,),), (1,)), {"table", "thead", "tbody", "tr", "th", "td"}),
        (Said("1.1", text, (1,), Support.GRAPH, (text,)), {"p", "strong", "em", "blockquote"}),
        (
            Cited(1, text, text, (("a", text),)),
            {"p", "strong", "blockquote", "br", "ul", "li"},
        ),
    ):
        read, tags = _read(markdown([block]))
        assert tags <= allowed, (block, tags)
        assert shown in read, (block, read)


@pytest.mark.req("KG-F")
def test_a_conversation_has_all_that_it_rests_on(store: SqliteConversations) -> None:
    read, _ = _read(markdown(outline(a_record(store, a_full_answer(HOSTILE)))))
    for part in (
        "About metformin", "How much of it may be taken?", "How much of Metformin may be taken?",
        "At most 3,000 mg a day. [1]", "Rests on a document", "It treats type 2 diabetes. [2]",
        "Rests on the graph", "Rests on nothing that was found", "35 mg is not in the evidence",
        "Metformin.pdf, page 3, Dose", one_line(HOSTILE), "Metformin treats type 2 diabetes",
        "source of fact: Hetionet (CC0)", "gpt-4o-mini", "0.81", "c0ffee123456", "One mark was removed.",
        "RATE_LIMITED", "2026-05-03 14:05:09 UTC", "embedding_model = all-MiniLM-L6-v2", "ec1099ed9d674b",
        "deleted", "0.55", "0.91", "1,200 in, 90 out", "af" * 32,
    ):  # fmt: skip
        assert part in read, part


def test_what_was_told_by_likeness_is_exported_as_that(store: SqliteConversations) -> None:
    told = ClausePlan(Plan(Want.LIST), "Drugs that target ADRB1", True, ("handout",))
    answer = replace(an_answer("For a handout?"), understood=told.understood, plans=(told,))
    read, _ = _read(markdown(outline(a_record(store, answer))))
    assert "Told by likeness, not word by word leaves out “handout”" in read
