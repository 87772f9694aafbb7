"""Questions asked of the real sample, by the real chat service."""

from __future__ import annotations

from collections.abc import Callable

from core.evaluation.judging import judge
from core.evaluation.questions import Question
from core.evaluation.run import QuestionRun
from core.workspace import Workspace


def _run(workspace: Workspace) -> QuestionRun:
    return QuestionRun(workspace.chat, workspace.conversations)


def test_answers_and_places_without_a_trace_in_the_history(sample_workspace: Workspace) -> None:
    before = sample_workspace.conversations.list()
    told: list[tuple[int, int]] = []
    questions = [
        Question(
            id="a",
            question="What is the highest dose of metformin for adults?",
            document="Metformin.pdf",
            pages=(3,),
            answer=("3,000 mg",),
        ),
        Question(id="b", question="What is the capital of Australia?", answerable=False),
        # "Its" would read as metformin in a conversation that goes on.
        Question(id="c", question="What are its side effects?"),
    ]
    outcomes = _run(sample_workspace).ask_all(questions, lambda *step: told.append(step))
    assert sample_workspace.conversations.list() == before
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    first = judge(outcomes[0])
    assert first.retrieved and first.cited and first.answered and first.milliseconds > 0
    assert first.prompted and 0 < first.prompt_tokens <= 6_000
    assert questions[0].question not in outcomes[0].prompt
    assert judge(outcomes[1]).refused and judge(outcomes[1]).prompted is None
    answer = outcomes[2].answer
    assert answer is not None and answer.read_as == "What are its side effects?"


def test_a_question_that_cannot_be_asked_is_an_error_in_its_outcome(
    sample_workspace: Workspace,
) -> None:
    before = sample_workspace.conversations.list()
    outcome = _run(sample_workspace).ask(Question(id="a", question="long " * 2000))
    verdict = judge(outcome)
    assert verdict.failed and "QUESTION_TOO_LONG" in verdict.problems[0]
    assert sample_workspace.conversations.list() == before


def test_no_conversation_goes_for_one_that_is_not_kept(
    make_workspace: Callable[..., Workspace],
) -> None:
    workspace = make_workspace(max_conversations=1)
    session = workspace.chat.answer("What is kept?").session
    _run(workspace).ask_all([Question(id="a", question="What is not?")])
    assert [one.id for one in workspace.conversations.list()] == [session]
