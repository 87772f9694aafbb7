"""One answer as text to be pasted."""

from __future__ import annotations

from core.conversations.exporting.told import plain_text
from core.domain.conversations import Turn
from tests.conversations.exporting.conversations import HASH, SESSION, WHEN, a_full_answer


def test_an_answer_is_copied_with_every_source() -> None:
    quote = "Do not exceed\n3,000 mg \u202ea day."
    assert plain_text(Turn("t", SESSION, 0, a_full_answer(quote), WHEN)).splitlines() == [
        "Question: How much of it may be taken?",
        "Read as: How much of Metformin may be taken?",
        "",
        "Answer: At most 3,000 mg a day. [1] It treats type 2 diabetes. [2] Or 35 mg.",
        "Doubt: 35 mg is not in the evidence",
        "",
        "Note: One mark was removed.",
        "",
        "Sources:",
        f"[1] Metformin.pdf, p. 3, Dose (SHA-256 {HASH}): “Do not exceed 3,000 mg [U+202E]a day.”",
        "[2] Graph: Metformin treats type 2 diabetes (source of fact: Hetionet (CC0))",
        "",
        "Materia, 2026-05-03 14:05:09 UTC, confidence 0.81.",
    ]
