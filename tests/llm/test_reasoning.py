"""What a model thinks aloud is no part of its answer, however its text is cut into pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.reasoning import ThoughtFilter, Withdrawn

BLOCKS = (
    ("<think>", "</think>"),
    ("<THINKING>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
)


def shown(pieces: list[str]) -> str:
    thoughts = ThoughtFilter()
    text = ""
    for piece in pieces:
        for part in thoughts.feed(piece):
            text = "" if isinstance(part, Withdrawn) else text + part
    return text + thoughts.end()


@pytest.mark.parametrize(("opens", "closes"), BLOCKS)
def test_a_block_of_thoughts_is_left_out(opens: str, closes: str) -> None:
    assert shown([f"{opens}They want 900 mg.{closes}The dose is 7 mg [1]."]) == (
        "The dose is 7 mg [1]."
    )
    assert shown([f"Before. {opens}x{closes}After."]) == "Before. After."
    assert shown([f"{opens}never closed, and 900 mg"]) == ""


def test_an_end_without_a_beginning_withdraws_what_came_before() -> None:
    """Some templates put the opening mark into the prompt: only the end of the thoughts is written."""
    assert shown(["The leaflet says 900 mg, or not.", "</think>", "7 mg [1]."]) == "7 mg [1]."


def test_a_channels_end_alone_withdraws_nothing() -> None:
    assert shown(["The dose is 7 mg [1].<|end|>"]) == "The dose is 7 mg [1]."
    final = "<|start|>assistant<|channel|>final<|message|>7 mg [1].<|return|>"
    assert shown([f"<|channel|>analysis<|message|>hm<|end|>{final}"]) == "7 mg [1]."


@given(
    parts=st.lists(
        st.sampled_from(
            [
                "<think>",
                "</think>",
                "[THINK]",
                "[/THINK]",
                "<|end|>",
                "<",
                "a < b ",
                "7 mg [1]. ",
                "th",
            ]
        ),
        max_size=12,
    ),
    cuts=st.lists(st.integers(0, 60), max_size=12),
)
def test_it_does_not_matter_where_the_pieces_are_cut(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    places = sorted({0, *(cut for cut in cuts if cut < len(text)), len(text)})
    pieces = [text[a:b] for a, b in pairwise(places)]
    assert shown(pieces) == shown([text])


@given(st.text(alphabet="abc <>[]/|.7", max_size=60))
def test_a_text_without_marks_comes_through_whole(text: str) -> None:
    assert shown(list(text)) == text
