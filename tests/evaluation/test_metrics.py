"""Each measure against its definition."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import State
from core.evaluation.judging import Verdict, judge
from core.evaluation.metrics import Share, score, score_groups
from core.evaluation.questions import Question
from tests.evaluation.make import outcome, told

_BLANK = judge(outcome(Question(id="q", question="Q?"), told("Yes.", [])))
_MAYBE = st.none() | st.booleans()


# While the graph is away a question is no refusal: `QuestionRun` has it as one that failed.
_STATES = [one for one in State if one is not State.GRAPH_UNAVAILABLE]


@st.composite
def _verdicts(draw: st.DrawFn) -> Verdict:
    citations = draw(st.integers(0, 5))
    failed = draw(st.booleans())
    state = None if failed else draw(st.sampled_from(_STATES))
    milliseconds = draw(st.floats(0, 1e6))
    model_ms = 0.0 if failed else draw(st.just(0.0) | st.floats(0, milliseconds))
    return replace(
        _BLANK,
        kind=draw(st.sampled_from(["", "a", "b"])),
        answerable=draw(st.booleans()),
        failed=failed,
        refused=state is State.NOT_IN_LIBRARY,
        state=state,
        retrieved=draw(_MAYBE),
        page_citations=citations,
        right_citations=draw(st.integers(0, citations)),
        cited=draw(_MAYBE),
        answered=draw(_MAYBE),
        listed=draw(_MAYBE),
        forbidden=draw(_MAYBE),
        milliseconds=milliseconds,
        model_ms=model_ms,
        prompted=draw(_MAYBE),
    )


@given(st.lists(_verdicts(), min_size=1, max_size=30))
def test_measures_follow_their_definitions(verdicts: list[Verdict]) -> None:
    scores = score(verdicts)
    refused = [v for v in verdicts if v.refused]
    unanswerable = [v for v in verdicts if not v.answerable]
    rightly = sum(not v.answerable for v in refused)
    assert scores.refusal_precision == Share(rightly, len(refused))
    assert scores.refusal_recall == Share(rightly, len(unanswerable))
    assert scores.citation_precision.of == sum(v.page_citations for v in verdicts)
    assert scores.retrieval.of == sum(v.retrieved is not None for v in verdicts)
    assert scores.prompt.of == sum(v.prompted is not None for v in verdicts)
    assert scores.prompt.part == sum(v.prompted is True for v in verdicts)
    assert scores.forbidden.part == sum(v.forbidden is True for v in verdicts)
    both = [(v.forbidden, v.answered) for v in verdicts if None not in (v.forbidden, v.answered)]
    assert scores.instead == Share(both.count((True, False)), len(both))
    states = (scores.answered, scores.may_not_answer, scores.not_in_library)
    assert sum(states) == sum(not v.failed for v in verdicts)
    assert scores.not_in_library == len(refused)
    doubtful = [v for v in verdicts if v.state is State.MAY_NOT_ANSWER]
    assert scores.may_not_answer == len(doubtful)
    assert scores.may_not_answer_right.of == sum(v.right is not None for v in doubtful)
    assert all(v.right is False for v in unanswerable)
    shares = [getattr(scores, name) for name in type(scores).__slots__]
    for share in (one for one in shares if isinstance(one, Share)):
        assert share.value is None if not share.of else 0 <= share.value <= 1
    times = [v.milliseconds for v in verdicts]
    assert min(times) - 0.1 <= scores.p50_ms <= scores.p95_ms <= scores.max_ms
    assert scores.max_ms == round(max(times), 1) and 0 <= scores.own_p95_ms <= scores.max_ms + 0.1
    called = [v for v in verdicts if v.model_ms]
    assert scores.own_within_1s == Share(
        sum(v.milliseconds - v.model_ms <= 1000 for v in called), len(called)
    )
    alone = [v for v in verdicts if not v.model_ms]
    assert scores.within_3s == Share(
        sum(v.milliseconds <= 3000 and not v.failed for v in alone), len(alone)
    )


@given(st.lists(_verdicts(), min_size=1, max_size=30))
def test_groups_share_out_the_questions(verdicts: list[Verdict]) -> None:
    groups = score_groups(verdicts, lambda verdict: verdict.kind)
    assert "" not in groups
    assert sum(s.questions for s in groups.values()) == sum(bool(v.kind) for v in verdicts)
    for name, scores in groups.items():
        assert scores == score([v for v in verdicts if v.kind == name])
