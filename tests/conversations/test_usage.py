"""Usage: counted by day and in all."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.usage import usage_lines, usage_report, usage_to_public
from core.domain.answers import State, Support, Usage
from core.domain.conversations import AnswerSubject, Rating, TurnUsage

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
WARFARIN = AnswerSubject("D2", "Warfarin", "Drug", 1)
ASPIRIN = AnswerSubject("D3", "Aspirin", "Drug", 1)


def a_turn(
    day: int = 0,
    state: State = State.ANSWERED,
    rating: Rating | None = None,
    named: tuple[AnswerSubject, ...] = (),
    used: Usage | None = None,
    seconds: float = 1.0,
) -> TurnUsage:
    supports = () if state is State.NOT_IN_LIBRARY else (Support.DOCUMENT, Support.GRAPH)
    return TurnUsage(NOON + timedelta(days=day), state, rating, named, supports, used, seconds)


@pytest.mark.req("KG-F")
def test_turns_are_counted_by_day_and_in_all() -> None:
    report = usage_report(
        [
            a_turn(named=(WARFARIN, ASPIRIN), rating=Rating.UP),
            a_turn(2, State.NOT_IN_LIBRARY, Rating.DOWN, (WARFARIN,), seconds=3.0),
            a_turn(2, State.MAY_NOT_ANSWER, used=Usage(100, 10, 0.5)),
            a_turn(2, used=Usage(50, 5, None, counted=False)),
        ],
        UTC,
    )
    assert [(one.day, one.questions) for one in report.days] == [
        (date(2026, 11, 20), 1),
        (date(2026, 11, 22), 3),
    ]
    assert (report.questions, report.refused_share) == (4, 0.25)
    assert report.states == {
        State.ANSWERED: 2,
        State.MAY_NOT_ANSWER: 1,
        State.NOT_IN_LIBRARY: 1,
        State.GRAPH_UNAVAILABLE: 0,
    }
    assert report.ratings == {Rating.UP: 1, Rating.DOWN: 1}
    assert report.supports[Support.DOCUMENT] == report.supports[Support.GRAPH] == 3
    assert [(one.name, one.answers) for one in report.entities] == [("Warfarin", 2), ("Aspirin", 1)]
    assert (report.by_model, report.prompt_tokens, report.completion_tokens) == (2, 150, 15)
    assert (report.cost, report.unpriced, report.estimated) == (0.5, 1, 1)
    assert report.days[1].tokens == 165 and report.days[0].tokens == 0
    told = dict(usage_lines(report))
    assert told["Refused"] == "1 (25%)" and told["Tokens, prompt + answer"] == "about 150 + 15"
    assert told["Cost"] == "$0.5000; without a known price: 1"
    assert told["Asked about most"] == "Warfarin (2), Aspirin (1)"


def test_nothing_was_asked() -> None:
    report = usage_report([], UTC)
    assert (report.questions, report.refused_share, report.times, report.days) == (0, 0.0, None, ())
    assert usage_to_public(report)["seconds"] is None
    assert dict(usage_lines(report))["Questions"] == "0"


def test_a_day_begins_where_the_analyst_is() -> None:
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    turn = TurnUsage(late, State.ANSWERED, None, (), (), None, 0.0)
    (day,) = usage_report([turn], datetime.strptime("+0100", "%z").tzinfo).days
    assert day.day == date(2026, 11, 21)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60))
def test_95_of_100_took_no_longer(seconds: list[float]) -> None:
    times = usage_report([a_turn(seconds=one) for one in seconds], UTC).times
    assert times is not None and times.median <= times.p95 <= max(seconds)
    assert sum(one <= times.p95 for one in seconds) >= 0.95 * len(seconds)
    assert min(seconds) <= times.median
