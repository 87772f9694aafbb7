"""A question's whole way with a language model behind a real socket."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import asdict

import pytest

from core.answers import prompts
from core.answers.draft import finished_part
from core.domain.answers import Support, Usage
from core.domain.events import Answered, Expanded, Retrieved, Routed, Token
from core.domain.serial import answer_to_public
from core.domain.stopping import StopSignal
from core.errors import Stopped
from core.llm.choice import ModelChoice
from core.maintenance.sample import SAMPLE
from core.settings import Provider
from core.workspace import Workspace
from tests.support.answering import KEY, Open, with_model
from tests.support.asking import (
    HEADLINE,
    UNANSWERABLE,
    WHEN_NOT,
    assert_evidence,
    quoting,
)
from tests.support.fake_openai import (
    FakeOpenAI,
    Reply,
    cut_after,
    empty_choices,
    error,
    hang,
    hang_after,
    hung_up_on,
    malformed,
    text,
)


@pytest.mark.req("KG-46", "KG-47", "KG-49")
def test_one_call_after_evidence_was_found(with_provider: Workspace, provider: FakeOpenAI) -> None:
    provider.play(text("Metformin must not be taken in circulatory shock [1]."))
    calls = [(type(event), len(provider.requests)) for event in with_provider.chat.ask(WHEN_NOT)]
    # How the question is read and searched is decided before the model is asked anything.
    assert calls[:3] == [(Routed, 0), (Retrieved, 0), (Expanded, 0)]
    assert {kind for kind, _ in calls[3:-1]} == {Token} and len(calls) > 5
    assert calls[-1] == (Answered, 1)


@pytest.mark.req("KG-26")
def test_the_prompt_holds_passages_and_relationships(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text("Yes [1]."))
    with_provider.chat.answer(HEADLINE)
    request = provider.requests[0]
    assert request.system == prompts.SYSTEM
    evidence, rest = request.user.split(prompts.GRAPH_HEAD)
    facts, question = rest.split(f"\n{prompts.QUESTION_HEAD}\n")
    assert evidence.startswith(prompts.EVIDENCE_HEAD) and "Metformin.pdf, p. 1" in evidence
    assert "Metformin must not be taken:" in " ".join(evidence.split())
    assert re.search(r"^\[\d+\] Metformin treats type 2 diabetes mellitus$", facts, re.MULTILINE)
    assert re.search(r"^\[\d+\] Metformin is contraindicated in ", facts, re.MULTILINE)
    assert question == HEADLINE
    numbers = [int(n) for n in re.findall(r"^\[(\d+)\] ", request.user, re.MULTILINE)]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.req("PR-3")
def test_a_model_answer_is_checked_and_its_citations_are_true(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(
        quoting(
            ("Metformin treats type 2 diabetes mellitus", ("Metformin treats type 2",)),
            ("Metformin must not be taken in circulatory shock", ("circulatory shock",)),
        )
    )
    events = list(with_provider.chat.ask(HEADLINE))
    answered = events[-1]
    assert isinstance(answered, Answered)
    answer = answered.answer
    streamed = "".join(event.text for event in events if isinstance(event, Token))
    assert streamed.startswith("Metformin treats type 2 diabetes mellitus [")
    assert [(s.text, s.support, s.citations) for s in answer.sentences] == [
        ("Metformin treats type 2 diabetes mellitus.", Support.GRAPH, (1,)),
        ("Metformin must not be taken in circulatory shock.", Support.DOCUMENT, (2,)),
    ]
    assert (answer.model, answer.notice) == ("fake-model", "")
    assert_evidence(answer, with_provider)


def test_an_invented_citation_is_removed_and_reported(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text("Metformin must not be taken [1][97]. It is so [98]."))
    answer = with_provider.chat.answer(WHEN_NOT)
    assert "97" not in answer.text and "98" not in answer.text
    assert "97, 98" in answer.notice
    assert [s.citations for s in answer.sentences] == [(1,), ()]
    assert answer.sentences[1].support is Support.UNSUPPORTED and answer.sentences[1].problems


def test_a_number_that_the_evidence_lacks_is_a_problem(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(
        quoting(
            ("Kidneys that work very poorly: eGFR below 30 mL/min", ("eGFR below 30",)),
            ("Kidneys that work very poorly: eGFR below 47 mL/min", ("eGFR below 30",)),
        )
    )
    right, wrong = with_provider.chat.answer(WHEN_NOT).sentences
    assert right.support is Support.DOCUMENT and right.problems == ()
    assert wrong.support is Support.UNSUPPORTED
    assert "47" in " ".join(wrong.problems) and wrong.citations


@pytest.mark.req("PR-4", "KG-48")
@pytest.mark.parametrize("question", UNANSWERABLE)
def test_no_call_without_evidence(
    question: str, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    answer = with_provider.chat.answer(question)
    assert provider.requests == []
    assert answer.refused and answer.text == prompts.REFUSAL and answer.nearest


@pytest.mark.req("PR-4")
def test_a_model_reads_what_is_not_sure_enough_to_be_quoted(
    open_workspace: Open, workspace: Workspace, provider: FakeOpenAI
) -> None:
    dose = "What is the highest dose of metformin for adults?"
    asked = open_workspace(workspace.settings.root, relevance_threshold=1.0, **with_model(provider))
    provider.play(quoting(("The highest dose is 3,000 mg", ("3,000 mg",))))
    answer = asked.chat.answer(dose)
    assert len(provider.requests) == 1 and not answer.refused
    assert answer.sentences[0].support is Support.DOCUMENT
    provider.play(error(401, "no"))
    failed = asked.chat.answer(dose)
    assert failed.refused and failed.failure is not None
    provider.play(text("Nothing of this is asked [1]."))
    assert asked.chat.answer(UNANSWERABLE[1]).refused and provider.requests == []
    alone = open_workspace(workspace.settings.root, relevance_threshold=1.0)
    assert alone.chat.answer(dose).refused


def test_a_model_that_refuses_is_believed(with_provider: Workspace, provider: FakeOpenAI) -> None:
    provider.play(text(prompts.REFUSAL.replace(". ", ".\n")))
    answer = with_provider.chat.answer(WHEN_NOT)
    assert answer.refused and answer.text == prompts.REFUSAL
    assert answer.citations == () and answer.nearest and len(provider.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [error(500, f"at {KEY}", retry_after="0.01"), error(401, KEY), cut_after("Met"), malformed],
)
def test_without_the_model_the_evidence_speaks(
    reply: Reply, with_provider: Workspace, provider: FakeOpenAI, workspace: Workspace
) -> None:
    provider.play(reply)
    answer = with_provider.chat.answer(WHEN_NOT)
    quoted = workspace.chat.answer(WHEN_NOT)
    assert provider.requests
    assert (answer.sentences, answer.citations) == (quoted.sentences, quoted.citations)
    assert answer.model == "extractive" and "Shown instead" in answer.notice
    kept = with_provider.conversations.history(answer.session)
    assert KEY not in str(asdict(answer)) + str(kept)


# -- broken off ------------------------------------------------------------------------------------

LONG = "Metformin must not be taken in circulatory shock [1]. The dose is 2."


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("The dose is 2.", ""),
        ("The dose is 2.5 mg [1", ""),
        ("It is so [1]. The dose is 2.", "It is so [1]."),
        ("It is so. [1] The dose is 2.", "It is so. [1]"),
        ("It is so [1][2]. It", "It is so [1][2]."),
        ("- a list [1]\n- of it", "- a list [1]"),
        ("It is so [1]. And so, [2] but", "It is so [1]."),
    ],
)
def test_only_what_is_certainly_whole_is_kept(text: str, kept: str) -> None:
    assert finished_part(text) == kept


@pytest.mark.parametrize(("reason", "said"), [("length", "MAX_TOKENS"), (None, "did not say")])
def test_an_answer_that_was_cut_has_no_half_sentence(
    reason: str | None, said: str, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text(LONG, reason=reason))
    answer = with_provider.chat.answer(WHEN_NOT)
    assert [s.text for s in answer.sentences] == [
        "Metformin must not be taken in circulatory shock."
    ]
    assert said in answer.notice and "2" not in answer.text
    assert not answer.stopped and answer.model == "fake-model"


def test_an_answer_cut_in_its_first_sentence_is_none(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text("Metformin must not be", reason="length"))
    answer = with_provider.chat.answer(WHEN_NOT)
    assert answer.model == "extractive" and answer.failure is not None
    assert answer.failure.code == "MODEL_BROKE_OFF" and not answer.refused


def stop_when_asked(provider: FakeOpenAI, signal: StopSignal) -> threading.Thread:
    def stop() -> None:
        while not provider.requests:
            time.sleep(0.02)
        time.sleep(0.3)  # into the wait for the next piece
        signal.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    return thread


def test_a_stopped_answer_keeps_its_finished_sentences(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    seen = threading.Event()
    provider.play(hung_up_on(LONG, seen))
    signal = StopSignal()
    thread = stop_when_asked(provider, signal)
    answer = with_provider.chat.answer(WHEN_NOT, stop=signal)
    thread.join()
    assert seen.wait(15)
    assert answer.stopped and answer.notice == "You stopped this answer; it is not complete."
    assert [(s.text, s.citations) for s in answer.sentences] == [
        ("Metformin must not be taken in circulatory shock.", (1,))
    ]
    assert answer.usage is not None and not answer.usage.counted
    assert_evidence(answer, with_provider)
    (turn,) = with_provider.conversations.history(answer.session)
    assert turn.answer == answer


@pytest.mark.parametrize("begun", ["", "Metformin must not be taken in"])
def test_nothing_is_kept_of_a_question_stopped_before_its_first_sentence(
    begun: str, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    seen = threading.Event()
    provider.play(hung_up_on(begun, seen))
    sessions = with_provider.conversations.list()
    signal = StopSignal()
    thread = stop_when_asked(provider, signal)
    with pytest.raises(Stopped) as caught:
        with_provider.chat.answer(WHEN_NOT, stop=signal)
    thread.join()
    assert seen.wait(15)
    assert caught.value.code == "STOPPED"
    assert with_provider.conversations.list() == sessions


def test_a_stop_before_the_model_asks_it_nothing(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    signal = StopSignal()
    steps: list[object] = []
    with pytest.raises(Stopped):
        for event in with_provider.chat.ask(WHEN_NOT, stop=signal):
            steps.append(event)
            if isinstance(event, Retrieved):
                signal.stop()
    assert [type(step) for step in steps] == [Routed, Retrieved]
    assert provider.requests == []


# -- what is told ----------------------------------------------------------------------------------


def test_tokens_and_cost_are_kept_with_the_answer(
    open_workspace: Open, workspace: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text("Metformin must not be taken in circulatory shock [1]."))
    priced = open_workspace(
        workspace.settings.root, **with_model(provider), llm_price_in=1.0, llm_price_out=10.0
    )
    answer = priced.chat.answer(WHEN_NOT)
    assert answer.usage == Usage(1234, 56, pytest.approx((1234 + 560) / 1e6), True)
    assert priced.conversations.history(answer.session)[0].answer.usage == answer.usage
    assert answer_to_public(answer)["usage"]["prompt_tokens"] == 1234
    assert set(answer.timings_ms) == {"retrieve", "expand", "generate", "model"}


@pytest.mark.req("KG-E")
@pytest.mark.parametrize(
    ("reply", "code", "retryable", "calls"),
    [
        (error(429, retry_after="0.01"), "RATE_LIMITED", True, 3),
        (error(500, retry_after="0.01"), "MODEL_FAILED", True, 3),
        (error(401), "MODEL_KEY_REFUSED", False, 1),
        (malformed, "MODEL_FAILED", True, 1),
        (empty_choices, "MODEL_EMPTY", True, 1),
        (text("[1][2]"), "MODEL_EMPTY", True, 1),
        (cut_after("Met"), "MODEL_UNREACHABLE", True, 1),
        (hang, "MODEL_TIMEOUT", True, 1),
        (hang_after("Met"), "MODEL_TIMEOUT", True, 1),
    ],
)
def test_a_failure_is_told_beside_the_quoted_evidence(
    reply: Reply,
    code: str,
    retryable: bool,
    calls: int,
    open_workspace: Open,
    workspace: Workspace,
    provider: FakeOpenAI,
    log_text: Callable[[], str],
) -> None:
    provider.play(reply)
    one = open_workspace(
        workspace.settings.root, **(with_model(provider) | {"llm_first_token_seconds": 1.5})
    )
    answer = one.chat.answer(WHEN_NOT)
    assert len(provider.requests) == calls
    assert answer.model == "extractive" and not answer.refused and answer.citations
    assert answer.failure is not None
    assert (answer.failure.code, answer.failure.retryable) == (code, retryable)
    assert answer.failure.message and answer.failure.advice.endswith(".")
    assert answer.correlation_id
    lines = [json.loads(line) for line in log_text().splitlines() if code in line]
    assert {line["correlation_id"] for line in lines} == {answer.correlation_id}
    public = answer_to_public(answer)
    assert public["failure"]["code"] == code and public["correlation_id"] == answer.correlation_id


def test_another_model_answers_the_next_question(
    open_workspace: Open, own_workspace: Workspace, provider: FakeOpenAI
) -> None:
    assert own_workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    provider.play(text("Metformin must not be taken in circulatory shock [1]."))
    assert own_workspace.chat.answer(WHEN_NOT).model == "extractive"
    own_workspace.models.choose(ModelChoice(Provider.CUSTOM, provider.url, "other-model"))
    assert own_workspace.chat.answer(WHEN_NOT).model == "other-model"
    own_workspace.models.choose(ModelChoice(None))
    assert own_workspace.chat.answer(WHEN_NOT).model == "extractive"
    assert [request.body["model"] for request in provider.requests] == ["other-model"]


def test_turns_on_a_deleted_document_do_not_reach_the_model(
    own_workspace: Workspace, provider: FakeOpenAI
) -> None:
    for leaflet in ("Metformin", "Warfarin"):
        ingested = own_workspace.library.ingest(SAMPLE / "leaflets" / f"{leaflet}.pdf")
        assert ingested.state == "ready"
    first = own_workspace.chat.answer(WHEN_NOT)
    provider.play(text("It is so [1]."))
    own_workspace.models.choose(ModelChoice(Provider.CUSTOM, provider.url, "fake-model"))
    stored, taken = "How should warfarin be stored?", "What if I take too much warfarin?"
    own_workspace.chat.answer(stored, first.session)
    assert WHEN_NOT in provider.requests[-1].user
    (metformin,) = first.document_ids
    own_workspace.library.delete(metformin)
    own_workspace.chat.answer(taken, first.session)
    told = provider.requests[-1].user
    assert WHEN_NOT not in told and stored in told and taken in told
