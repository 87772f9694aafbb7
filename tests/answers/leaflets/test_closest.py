"""How much is told: the less sure an answer is, the more of the closest passages, and never another's dose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.candidates import Candidate
from core.answers.leaflets.choosing import choose, shown_within
from core.domain.answers import State
from core.evidence.passages import Quote
from core.text.quantities import quantities
from core.workspace import Workspace
from tests.support.records import a_hit

_TEXTS = st.one_of(
    st.builds("Take {} mg every {} hours.".format, st.integers(1, 9), st.integers(1, 9)),
    st.builds("Ask about the {} kidney.".format, st.sampled_from("abcdef")),
)


def _candidate(place: int, score: float, text: str) -> Candidate:
    quote = Quote(a_hit(text), text, place * 100, place * 100 + len(text), text)
    vector = np.zeros(20, np.float32)
    vector[place] = 1.0
    return Candidate(quote, score, vector, (quote,))


def _amounts(text: str) -> set[tuple[str, object]]:
    return {(one.unit, one.amount) for one in quantities(text) if one.unit}


@given(st.lists(st.tuples(st.floats(-3, 3), _TEXTS), min_size=1, max_size=8), st.floats(0, 4))
def test_what_is_less_likely_brings_no_other_dose(
    drawn: list[tuple[float, str]], within: float
) -> None:
    ordered = sorted(drawn, key=lambda one: -one[0])
    found = [_candidate(place, *one) for place, one in enumerate(ordered)]
    chosen = choose(found, 3, within)
    assert chosen[0] is found[0] and len(chosen) <= 3
    known = _amounts(chosen[0].quote.text)
    for one in chosen[1:]:
        behind, own = chosen[0].score - one.score, _amounts(one.quote.text)
        assert behind <= within
        assert behind <= 0.3 or not known or own <= known
        known |= own


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_less_sure_the_more_is_told(one: float, other: float) -> None:
    assert shown_within(min(one, other)) >= shown_within(max(one, other)) > 0


@pytest.mark.req("PR-4")
def test_what_no_passage_names_is_not_answered(
    sample_workspace: Workspace,
) -> None:
    answer = sample_workspace.chat.answer("Can I take ibuprofen with phenytoin?")
    assert answer.state is State.MAY_NOT_ANSWER
    assert "No passage that is quoted names “phenytoin”" in answer.notice
    assert answer.confidence is not None and answer.confidence <= 0.5
    absent = sample_workspace.chat.answer("What is the half-life of metformin?")
    assert absent.state is not State.ANSWERED
    named = sample_workspace.chat.answer("Can I take ibuprofen with warfarin?")
    assert named.state is State.ANSWERED and "No passage" not in named.notice
