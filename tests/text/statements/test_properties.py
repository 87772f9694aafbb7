"""Whatever the text: statements lie within it, in order, and lose no words."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tests.text.statements.told import texts, told

PIECES = st.sampled_from(
    ["Do not take X if:", "• ", "- ", "kidneys", "fail.", "Ask", "your doctor", "5 mg", "1. ", "\n",
     "\n\n", " ", "e.g.", "(x)", "\u00ad", "Ä", "?", ":", ";", "o ", "\t"]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=300))


@given(TEXTS)
def test_statements_lie_within_the_text_in_order(text: str) -> None:
    found = told(text)
    for statement in found:
        assert 0 <= statement.start < statement.end <= len(text)
        assert (
            text[statement.start : statement.end].strip() == text[statement.start : statement.end]
        )
        for item in statement.items:
            assert statement.start <= item.start < item.end <= statement.end
    for one, other in pairwise(found):
        assert one.end <= other.start


@given(TEXTS)
@example(":\n- ")
@example("kidneys\u00adDo not take X if:\no ")
@example("kidneys\u00ad Do not take X if:\n• Do not take X if:")
def test_the_words_of_a_statement_come_from_its_place(text: str) -> None:
    for statement in told(text):
        source = "".join(text[statement.start : statement.end].split())
        if statement.row:  # marks stand between its cells
            assert set(re.findall(r"\w+", statement.text)) <= set(re.findall(r"\w+", text))
            continue
        if not statement.list_number:
            said = "".join(statement.text.split())
            assert said.replace("\u00ad", "") in source.replace("\u00ad", "")
            continue
        lead_words = statement.lead.text if statement.lead else statement.text.split(": ")[0]
        # A soft hyphen joins what a line's end parts.
        before = "".join(text[: statement.start].split()).replace("\u00ad", "")
        assert "".join(lead_words.split()).replace("\u00ad", "") in before
        for item in statement.items:
            words = re.findall(r"\w+", item.text.replace("\u00ad", ""))
            joined = " ".join((text.replace("\u00ad", ""), re.sub("\u00ad\\s*", "", text)))
            assert words and set(words) <= set(re.findall(r"\w+", joined))


ITEM = st.text(alphabet="abcdefgh", min_size=2, max_size=8)


@given(st.lists(st.lists(ITEM, min_size=1, max_size=30), min_size=1, max_size=25))
def test_lists_are_complete(items: list[list[str]]) -> None:
    lines = [f"• if {' '.join(words)}" for words in items]
    text = "Do not take X:\n" + "\n".join(lines) + "\n\nAsk your doctor first."
    *listed, after = told(text)
    assert after.text == "Ask your doctor first."
    assert len({statement.list_number for statement in listed}) == 1
    assert all(statement.text.startswith("Do not take X: if ") for statement in listed)
    parts = [
        statement.text.removeprefix("Do not take X: ").removesuffix(".") for statement in listed
    ]
    assert "; ".join(parts) == "; ".join(f"if {' '.join(words)}" for words in items)
    assert sum(len(statement.items) for statement in listed) == len(items)


@given(st.lists(st.sampled_from(["take", "one", "tablet", "5", "mg"]), min_size=4, max_size=60),
       st.integers(12, 60))  # fmt: skip
def test_wrapping_changes_no_words(words: list[str], width: int) -> None:
    lines: list[str] = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    assert texts("\n".join(lines) + ".") == [" ".join(words) + "."]
