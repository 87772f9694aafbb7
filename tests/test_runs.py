"""Answers that are written apart from the page: order, stop, errors, the end. Real model client, real
stores, a provider behind a real socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from core.domain.events import Event
from core.domain.plans import Correction
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.stopping import StopSignal
from core.errors import Cancelled, Conflict, InputError, NotFound, StoreError
from core.runs import MOST_RUNNING, MOST_WAITING, AnswerRuns, Run, RunState
from core.user_workspace import workspace_of
from core.workspace import Workspace, share_workspace
from tests.support.answering import Open, with_model
from tests.support.fake_openai import Exchange, FakeOpenAI, Reply, error, hang_after, text

QUESTION = "How should metformin be stored?"
WAIT = 30.0  # seconds until a stuck test gives up


def ended(run: Run) -> Run:
    assert run.wait(WAIT), "the run did not end"
    return run


def until(provider: FakeOpenAI, requests: int) -> None:
    """Wait until the provider has been asked so often."""
    pause = threading.Event()
    for _ in range(int(WAIT * 100)):
        if len(provider.requests) >= requests:
            return
        pause.wait(0.01)
    raise AssertionError(f"{len(provider.requests)} requests came, not {requests}")


def until_text(run: Run, wanted: str) -> None:
    pause = threading.Event()
    for _ in range(int(WAIT * 100)):
        if run.snapshot().text == wanted:
            return
        pause.wait(0.01)
    raise AssertionError(f"“{run.snapshot().text}” is written, not “{wanted}”")


def held(first: str, rest: str) -> Reply:
    """An answer whose rest comes when the provider is released."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece(first)
        exchange.released.wait(WAIT)
        exchange.piece(rest)
        exchange.end_stream()

    return reply


def questions(workspace: Workspace, session: str) -> list[str]:
    return [turn.question for turn in workspace.conversations.history(session)]


# -- a run by itself -------------------------------------------------------------------------------


def test_an_answer_is_made_and_kept_while_nobody_looks(workspace: Workspace) -> None:
    run = workspace.runs.start(QUESTION)
    view = ended(run).snapshot()
    assert view.state is RunState.ANSWERED and not view.active
    assert view.answer is not None and "30 °C" in view.answer.text
    (turn,) = workspace.conversations.history(run.session)
    assert (turn.id, turn.answer) == (view.turn_id, view.answer)
    assert view.read_as == QUESTION and view.query_type
    assert view.passages and view.searched and view.entities is not None
    # The conversation has it; holding it twice would only cost memory.
    assert workspace.runs.of(run.session) == []


def test_what_is_written_so_far_is_seen_by_all_who_look(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(held("Keep below ", "25 °C [1]."))
    run = with_provider.runs.start(QUESTION)
    until_text(run, "Keep below ")
    (found,) = with_provider.runs.of(run.session)  # as a page that is opened later finds it
    assert found.snapshot().text == "Keep below "
    assert found.snapshot().state is RunState.RUNNING
    assert not found.wait(0)
    assert with_provider.runs.active() == [run]
    provider.released.set()
    assert ended(found).snapshot().text == "Keep below 25 °C [1]."
    assert questions(with_provider, run.session) == [QUESTION]


def test_the_conversation_exists_before_the_answer(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(held("Keep ", "cool [1]."))
    run = with_provider.runs.start(QUESTION, "")
    assert with_provider.conversations.get(run.session).title == QUESTION
    provider.released.set()
    ended(run)
    again = with_provider.runs.start(QUESTION, run.session)
    assert ended(again).session == run.session


@pytest.mark.parametrize(
    ("question", "code"),
    [("  ", "EMPTY_QUESTION"), ("a" * 10_000, "QUESTION_TOO_LONG"), ("\ud800", "INVALID_TEXT")],
)
def test_a_question_that_cannot_be_asked_starts_nothing(
    workspace: Workspace, question: str, code: str
) -> None:
    with pytest.raises(InputError) as caught:
        workspace.runs.start(question)
    assert caught.value.code == code
    assert workspace.runs.active() == []


# -- order -----------------------------------------------------------------------------------------


def test_questions_of_one_conversation_are_answered_one_after_the_other(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(held("Keep ", "cool [1]."), text("Yes [1]."))
    runs = with_provider.runs
    first = runs.start(QUESTION)
    until(provider, 1)
    later = [runs.start(f"{QUESTION} Again, {n}.", first.session) for n in range(MOST_WAITING)]
    assert [run.snapshot().state for run in runs.of(first.session)] == [
        RunState.RUNNING,
        *[RunState.WAITING] * MOST_WAITING,
    ]
    with pytest.raises(Conflict) as caught:
        runs.start("One too many?", first.session)
    assert (caught.value.code, caught.value.retryable) == ("TOO_MANY_QUESTIONS", True)
    assert len(provider.requests) == 1
    provider.released.set()
    for run in [first, *later]:
        ended(run)
    assert questions(with_provider, first.session) == [run.question for run in [first, *later]]
    assert runs.of(first.session) == []


def test_conversations_run_side_by_side_but_not_too_many(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(held("Keep ", "cool [1]."))
    started = [with_provider.runs.start(QUESTION) for _ in range(MOST_RUNNING + 2)]
    until(provider, MOST_RUNNING)
    states = [run.snapshot().state for run in started]
    assert states == [RunState.RUNNING] * MOST_RUNNING + [RunState.WAITING] * 2
    provider.released.set()
    assert all(ended(run).snapshot().state is RunState.ANSWERED for run in started)


# -- stop ------------------------------------------------------------------------------------------


def test_stop_ends_the_request_and_keeps_the_finished_sentences(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    gone = threading.Event()

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece("Store below 25 °C [1]. Do not ")
        try:
            while not exchange.released.wait(0.02):
                exchange.piece(" ")
        except OSError:
            gone.set()
            raise

    provider.play(reply)
    run = with_provider.runs.start(QUESTION)
    until(provider, 1)
    while not run.snapshot().text.startswith("Store below 25 °C [1]. Do not "):
        assert not run.wait(0.01)
    with_provider.runs.stop(run.id)
    view = ended(run).snapshot()
    assert gone.wait(WAIT), "the connection to the provider is still open"
    assert len(provider.requests) == 1
    assert view.state is RunState.ANSWERED and view.answer is not None
    assert view.answer.stopped and "Do not" not in view.answer.text
    assert questions(with_provider, run.session) == [QUESTION]


def test_stopped_before_any_text_nothing_is_kept_and_the_question_is_there_to_edit(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(hang_after(""), text("Below 25 °C [1]."))
    run = with_provider.runs.start(QUESTION, wider=True)
    until(provider, 1)
    with_provider.runs.stop(run.id)
    view = ended(run).snapshot()
    assert (view.state, view.error, view.answer) == (RunState.STOPPED, None, None)
    assert questions(with_provider, run.session) == []
    (kept,) = with_provider.runs.of(run.session)
    assert (kept.question, kept.wider) == (QUESTION, True)
    with_provider.runs.dismiss(run.id)
    assert with_provider.runs.of(run.session) == []
    assert ended(with_provider.runs.start(QUESTION, run.session)).snapshot().answer is not None


def test_a_waiting_question_that_is_stopped_never_begins(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(held("Keep ", "cool [1]."), text("Yes [1]."))
    runs = with_provider.runs
    first = runs.start(QUESTION)
    until(provider, 1)
    second = runs.start("What is the dose of metformin?", first.session)
    third = runs.start("Does metformin interact with warfarin?", first.session)
    runs.stop(second.id)
    assert ended(second).snapshot().state is RunState.STOPPED
    provider.released.set()
    ended(third)
    assert questions(with_provider, first.session) == [first.question, third.question]


def test_a_deleted_conversation_is_not_written_to(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    before = {one.id for one in with_provider.conversations.list()}
    provider.play(held("Keep it cool [1]. Keep ", "it dry [1]."))
    run = with_provider.runs.start(QUESTION)
    waiting = with_provider.runs.start("And warfarin?", run.session)
    until_text(run, "Keep it cool [1]. Keep ")
    with_provider.runs.forget(run.session)
    with_provider.conversations.delete(run.session)
    ended(run)
    ended(waiting)
    assert with_provider.runs.of(run.session) == []
    assert {one.id for one in with_provider.conversations.list()} == before


# -- errors ----------------------------------------------------------------------------------------


def test_a_failing_provider_leaves_an_answer_in_the_evidences_own_words(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(error(500, retry_after="0.01"))
    view = ended(with_provider.runs.start(QUESTION)).snapshot()
    assert view.state is RunState.ANSWERED and view.answer is not None
    assert view.answer.failure is not None and view.answer.failure.retryable
    assert "30 °C" in view.answer.text


class Broken:
    """What answers, and does not."""

    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def checked(self, question: str) -> str:
        return question

    def ask(
        self,
        question: str,
        session_id: str | None = None,
        *,
        wider: bool = False,
        indexes: tuple[str, ...] | None = None,
        within: Within = EVERYTHING,
        correction: Correction | None = None,
        context: tuple[str, ...] = (),
        stop: StopSignal | None = None,
    ) -> Iterator[Event]:
        raise self.problem


def test_an_error_is_held_until_it_was_looked_at(workspace: Workspace) -> None:
    problem = StoreError("The disk is full.", advice="Free some space.", retryable=True)
    runs = AnswerRuns(lambda: Broken(problem), workspace.conversations)
    run = runs.start(QUESTION)
    view = ended(run).snapshot()
    assert (view.state, view.error) == (RunState.FAILED, problem)
    assert view.correlation_id
    assert runs.of(run.session) == [run]
    runs.dismiss(run.id)
    assert runs.of(run.session) == []
    runs.close()


def test_a_defect_is_told_without_its_text_and_the_next_question_still_runs(
    workspace: Workspace,
) -> None:
    runs = AnswerRuns(lambda: Broken(ZeroDivisionError("/secret/path")), workspace.conversations)
    run = runs.start(QUESTION)
    second = runs.start("And warfarin?", run.session)
    for broken in (run, second):
        told = ended(broken).snapshot().error
        assert told is not None and told.code == "INTERNAL" and told.retryable
        assert "secret" not in str(told)
    runs.close()


def test_runs_that_nobody_looks_at_do_not_pile_up(workspace: Workspace) -> None:
    runs = AnswerRuns(lambda: Broken(Cancelled("Stopped.")), workspace.conversations)
    started = [ended(runs.start(f"Question {n}?")) for n in range(30)]
    kept = [run for run in started if runs.get(run.id) is not None]
    assert kept == started[-20:]
    runs.close()


# -- the end ---------------------------------------------------------------------------------------


def test_closing_the_workspace_ends_the_threads_and_their_requests(
    open_workspace: Open, workspace: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(hang_after("Keep "))
    before = {thread for thread in threading.enumerate() if thread.name.startswith("answer")}
    closing = open_workspace(workspace.settings.root, **with_model(provider))
    run = closing.runs.start(QUESTION)
    waiting = closing.runs.start("And warfarin?", run.session)
    until_text(run, "Keep ")
    closing.close()
    assert not run.active and not waiting.active
    after = {thread for thread in threading.enumerate() if thread.name.startswith("answer")}
    assert after <= before
    with pytest.raises(Cancelled):
        closing.runs.start(QUESTION)


# -- users -----------------------------------------------------------------------------------------


@pytest.mark.req("CG-1", "KG-16")
def test_another_user_s_run_is_neither_seen_nor_stopped(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(held("Keep ", "cool [1]."), text("Keep cool [1]."))
    share_workspace(with_provider)
    try:
        anna, ben = workspace_of("anna"), workspace_of("ben")
        run = anna.runs.start(QUESTION)
        assert anna.runs.active() == [run] == with_provider.runs.active() and run.user == "anna"
        until_text(run, "Keep ")
        assert ben.runs.active() == [] == ben.runs.of(run.session) and ben.runs.get(run.id) is None
        ben.runs.stop(run.id)
        ben.runs.forget(run.session)
        ben.runs.dismiss(run.id)
        assert run.active and not run.snapshot().stopping
        # Named by another, her conversation is none: his question begins one.
        other = ben.runs.start("And for children?", run.session)
        assert other.session != run.session
        provider.released.set()
        ended(run)
        ended(other)
    finally:
        share_workspace(None)
    assert questions(anna, run.session) == [QUESTION] and questions(ben, run.session) == []
    asked = {run.session: "anna", other.session: "ben"}
    kept = {one.id: one.user for one in with_provider.conversations.list()}
    assert asked.items() <= kept.items()
    with pytest.raises(NotFound):
        ben.chat.again(run.session, anna.conversations.history(run.session)[0].id)
