"""Whether words alone say that only a graph answers, for when it is away."""

from __future__ import annotations

import pytest

from core.questions.asked import asked_sections
from core.questions.clauses import Clause
from core.questions.plan_reading.listing import needs_graph


@pytest.mark.parametrize(
    ("question", "named", "needed"),
    [
        ("Which drugs treat gout?", False, True),
        ("What treats gout?", False, True),
        ("Was behandelt Gicht?", False, True),
        ("Wat behandelt jicht?", False, True),
        ("What links metformin and gout?", True, True),
        ("What connects warfarin with ibuprofen?", True, True),
        # What leaflets tell.
        ("What does metformin treat?", True, False),
        ("What interacts with warfarin?", True, False),
        ("What contains lactose?", False, False),
        ("Which route is warfarin given by?", True, False),
        ("What happens if I miss a dose?", False, False),
    ],
)
def test_what_only_a_graph_has_is_told_from_what_leaflets_have(
    question: str, named: bool, needed: bool
) -> None:
    clause = Clause(question, sections=tuple(asked_sections(question)))
    assert needs_graph(clause, named=named) is needed
