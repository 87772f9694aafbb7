"""Relationship types in words."""

from __future__ import annotations

import pytest

from core.graph.phrases import relationship_phrase


@pytest.mark.parametrize(
    ("relationship_type", "forward", "phrase"),
    [
        ("TREATS", True, "treats"),
        ("TREATS", False, "is treated by"),
        ("CONTRAINDICATED_IN", True, "is contraindicated in"),
        ("CONTRAINDICATED_IN", False, "is a contraindication of"),
        ("CAUSES_SIDE_EFFECT", True, "can cause"),
        ("CAUSES_SIDE_EFFECT", False, "is a side effect of"),
        ("EXPOSURE__DISEASE", True, "exposure disease"),
        ("EXPOSURE__DISEASE", False, "exposure disease"),
        ("", True, ""),
    ],
)
def test_phrases(relationship_type: str, forward: bool, phrase: str) -> None:
    assert relationship_phrase(relationship_type, forward) == phrase
