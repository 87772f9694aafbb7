"""The model of relevance: what it says of any signals, and what it says of real statements."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.answers.candidates import Candidates
from core.evidence.evidence import ClauseEvidence
from core.evidence.learned import ANSWERABLE, judge, models, right_share, summary
from core.evidence.passages import PassageReader
from core.evidence.signals import QUESTION, STATEMENT, Signals
from core.workspace import Workspace

_SHARES = st.floats(0, 1, allow_nan=False)


@st.composite
def signals(draw: st.DrawFn) -> Signals:
    """Of one to five statements."""
    count = draw(st.integers(1, 5))
    statements = draw(arrays(np.float64, (count, len(STATEMENT)), elements=_SHARES))
    question = draw(arrays(np.float64, (len(QUESTION),), elements=_SHARES))
    return Signals(statements, question, np.zeros((count, 2), np.float32))


@given(signals())
def test_each_statement_is_judged_and_the_whole_has_a_probability(given_signals: Signals) -> None:
    judged = judge(given_signals)
    assert judged.log_odds.shape == (len(given_signals.statements),)
    assert 0 <= judged.probability <= 1
    assert summary(given_signals, judged.log_odds).shape == (len(ANSWERABLE),)


@given(signals(), st.randoms(use_true_random=False))
def test_the_order_of_statements_does_not_matter(given_signals: Signals, random: object) -> None:
    order = list(range(len(given_signals.statements)))
    random.shuffle(order)  # type: ignore[attr-defined]
    mixed = Signals(
        given_signals.statements[order], given_signals.question, given_signals.vectors[order]
    )
    one, other = judge(given_signals), judge(mixed)
    assert other.log_odds == pytest.approx(one.log_odds[order])
    if len(set(one.log_odds.round(9))) == len(order):  # no two are equally good
        assert other.probability == pytest.approx(one.probability)


@given(_SHARES, _SHARES)
def test_surer_evidence_is_right_more_often(one: float, other: float) -> None:
    assert (right_share(max(one, other)) >= right_share(min(one, other))) and 0 < right_share(
        one
    ) < 1


def test_every_signal_has_its_numbers() -> None:
    made = models()
    for linear, names in ((made.choice, STATEMENT), (made.answerable, ANSWERABLE)):
        assert linear.weights.shape == (len(names),)
        assert (linear.scale > 0).all()


# -- over the sample leaflets ----------------------------------------------------------------------


def _judged(workspace: Workspace, question: str) -> tuple[list[str], ClauseEvidence, Signals]:
    """The statements found for a question of one clause, best first, with the signals of all."""
    chat = workspace.chat
    reader, finder, scope = chat._reader, chat._finder, ("leaflets",)
    clauses = reader.planned(question, reader.planner.read(question))
    found = finder.retrieve(clauses, scope, all_of_them=False)
    (part,) = found.parts
    relevance = workspace.sources.relevance(scope)
    passages = PassageReader(workspace.sources.library)
    quotes, read = Candidates(part, workspace.sources, passages, relevance, 0.0).signals()
    order = np.argsort(-judge(read).log_odds)
    return [quotes[place].text for place in order], part, read


@pytest.mark.req("PR-3")
def test_the_statement_that_answers_is_chosen_in_words_that_it_lacks(workspace: Workspace) -> None:
    best, _, _ = _judged(workspace, "How warm may the place be where metformin is kept?")
    assert "°C" in best[0] or "stor" in best[0].lower()


@pytest.mark.req("PR-4")
def test_what_the_library_tells_is_likelier_than_what_it_does_not(workspace: Workspace) -> None:
    known, unknown = (
        judge(_judged(workspace, question)[2]).probability
        for question in (
            "How should metformin be stored?",
            "Which company sells metformin in Portugal?",
        )
    )
    assert known > 0.5 > unknown


@pytest.mark.req("PR-3")
def test_what_was_kept_of_statements_judges_as_what_is_read_now(workspace: Workspace) -> None:
    workspace.library.tokens.reset()
    for question in ("How should metformin be stored?", "Who must not take ibuprofen?"):
        told, _, now = _judged(workspace, question)
        again, _, kept = _judged(workspace, question)
        assert again == told
        assert np.abs(judge(kept).log_odds - judge(now).log_odds).max() < 0.02
        assert abs(judge(kept).probability - judge(now).probability) < 0.005


def test_another_spelling_of_a_word_counts_nearly_as_much(workspace: Workspace) -> None:
    column = STATEMENT.index("words_near")
    shares = [
        _judged(workspace, f"Does metformin cause {word}?")[2].statements[:, column].max()
        for word in ("diarrhoea", "diarrhea")
    ]
    assert shares[0] >= shares[1] >= 0.8 * shares[0] > 0
