"""A model's text cut into sentences with their marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.cited_sentences import marked_sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It helps [1]. It harms [2].", [("It helps.", (1,)), ("It harms.", (2,))]),
        ("It helps. [1] It harms. [2]", [("It helps.", (1,)), ("It harms.", (2,))]),
        ("It helps 【1】. It harms【2†source】.", [("It helps.", (1,)), ("It harms.", (2,))]),
        ("It helps (1). It harms (2, 3).", [("It helps.", (1,)), ("It harms.", (2, 3))]),
        ("It helps [1]. Step (2).", [("It helps.", (1,)), ("Step (2).", ())]),
        ("It helps [Source 1]. It harms [^2].", [("It helps.", (1,)), ("It harms.", (2,))]),
        ("It helps [1 & 2].", [("It helps.", (1, 2))]),
        ("NSAIDs, e.g. ibuprofen, help [1].", [("NSAIDs, e.g. ibuprofen, help.", (1,))]),
        ("Use NSAIDs, i.e. Ibuprofen [1].", [("Use NSAIDs, i.e. Ibuprofen.", (1,))]),
        ("Ask Dr. Smith [1]. Wait [2].", [("Ask Dr. Smith.", (1,)), ("Wait.", (2,))]),
        ("Take approx. 5 mg. Then rest [1].", [("Take approx. 5 mg.", ()), ("Then rest.", (1,))]),
        ("Bei Weh, z. B. Zahnweh, hilft es [1].", [("Bei Weh, z. B. Zahnweh, hilft es.", (1,))]),
        ("Excipient No. 4 is starch [1].", [("Excipient No. 4 is starch.", (1,))]),
        ("Am 2. Tag steigt die Dosis [1].", [("Am 2. Tag steigt die Dosis.", (1,))]),
        ("The dose is 2.5 mg [1].", [("The dose is 2.5 mg.", (1,))]),
        ("Do not use vitamin K. Wait [1].", [("Do not use vitamin K.", ()), ("Wait.", (1,))]),
        ("# Dose\n**Use**\n\nTake it [1].", [("Take it.", (1,))]),
        ("# Take 5 mg [1]", [("Take 5 mg", (1,))]),
        ("Do not take it if:\n- you bleed [1]\n- you faint [2]", [
            ("Do not take it if:", (1, 2)), ("you bleed", (1,)), ("you faint", (2,)),
        ]),
        ("| Age | Dose |\n|---|---|\n| adult | 5 mg [1] |", [("adult, 5 mg", (1,))]),
        ("It **helps** *much* [1].", [("It helps much.", (1,))]),
        ("It helps.\n[1]", [("It helps.", (1,))]),
        ("---\n***", []),
    ],
)  # fmt: skip
def test_sentences_and_their_marks(text: str, found: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [(one.text, one.numbers) for one in marked_sentences(text)] == found


@given(st.text(alphabet="ab1. \n[]【】()|,;-–*#:†A", max_size=80))
def test_no_letter_is_lost_but_in_headings(text: str) -> None:
    spoken = "".join(one.text for one in marked_sentences(text.replace("#", "").replace("|", "")))
    if "†" not in text and "**" not in text:
        assert spoken.count("b") == text.count("b")
