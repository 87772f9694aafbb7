"""Questions and statements in German and Dutch, read beside each other word by word in English."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.domain.vectors import Vectors
from core.errors import ModelError
from core.evidence.reading.pairs import PairReader

ASKED = "Wie soll Beispielin aufbewahrt werden?"
STORED = "Beispielin · Aufbewahrung: Nicht über 25 °C lagern."


def reading(question: str, text: str) -> tuple[Vectors, tuple[str, str]]:
    """The scores of a text, and what was read."""
    read: list[tuple[str, str]] = []

    def scores(asked: str, texts: Sequence[str]) -> Vectors:
        read.extend((asked, one) for one in texts)
        return np.zeros((len(texts), 2), np.float32)

    found = PairReader(scores).read(question, [text])
    assert found is not None
    return found, read[0]


def test_both_are_put_into_english_where_both_are_german() -> None:
    found, (question, text) = reading(ASKED, STORED)
    assert "stored" in question and "not over 25" in text and "Beispielin" in text
    assert found[0, 0] == 0 < found[0, 1], "it is told less surely than it is read in English"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How is Exampline stored?", "Exampline · Storage: Store below 25 °C."),
        (ASKED, "Exampline · Storage: Store it below 25 °C in the original carton."),
    ],
)
def test_what_has_english_on_a_side_is_read_as_it_is(question: str, text: str) -> None:
    found, read = reading(question, text)
    assert read == (question, text) and not found.any()


def test_nothing_is_read_where_the_model_cannot_be() -> None:
    def scores(_asked: str, _texts: Sequence[str]) -> Vectors:
        raise ModelError("It cannot be loaded.", advice="Install it again.")

    assert PairReader(scores).read(ASKED, [STORED]) is None
