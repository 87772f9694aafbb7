"""How an answer came about is kept with it, and enough of it to ask again."""

from __future__ import annotations

import hashlib
import json
import shutil
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core import workspace as module
from core.answers.provenance import tracing
from core.domain.answers import Answer, DocumentCitation
from core.domain.provenance.trace import Trace
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public
from core.errors import NotFound
from core.graph.importing.importer import import_graph
from core.maintenance.sample import SAMPLE
from core.search.options import SearchOptions
from core.workspace import Workspace
from tests.support.answering import Open, with_model
from tests.support.asking import HEADLINE, UNANSWERABLE, WHEN_NOT
from tests.support.fake_openai import FakeOpenAI, text
from tests.support.once import made_once


def _trace(answer: Answer) -> Trace:
    assert answer.trace is not None
    return answer.trace


def test_a_trace_says_what_was_found_and_with_what(workspace: Workspace) -> None:
    answer = workspace.chat.answer(HEADLINE)
    trace = _trace(answer)
    assert len(trace.clauses) == 2 == len(trace.probabilities)
    assert trace.threshold == workspace.settings.relevance_threshold
    cited = {one.n for one in answer.citations if isinstance(one, DocumentCitation)}
    assert cited and {one.citation for one in trace.passages} - {0} <= cited
    for one in trace.passages:
        chunk, document = workspace.library_store.chunks_by_id([one.chunk_id])[one.chunk_id]
        assert (document.id, document.file) == (one.document_id, one.file)
        assert (chunk.page, chunk.section) == (one.page, one.section)
        assert 0 <= one.score <= 1 and one.before_reranking is None
    for version in trace.documents:
        path = SAMPLE / "leaflets" / version.file
        assert version.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert {one.document_id for one in answer.citations if isinstance(one, DocumentCitation)} <= {
        one.id for one in trace.documents
    }
    assert trace.graph is not None
    assert trace.graph.relationships == workspace.graph.count_relationships()
    assert trace.graph.entities == sum(workspace.graph.counts_by_type().values())
    assert trace.indexes[0].model == "all-MiniLM-L6-v2" and trace.indexes[0].dimension == 384
    assert trace.settings["top_k"] == str(workspace.settings.top_k)
    assert trace.prompt == () and "llm_model" not in trace.settings


def test_a_refusal_has_one_too(workspace: Workspace) -> None:
    trace = _trace(workspace.chat.answer(UNANSWERABLE[1]))
    assert trace.passages and not any(one.citation for one in trace.passages)
    assert all(one < trace.threshold for one in trace.probabilities)


def test_it_is_kept_with_the_turn_and_in_the_json(workspace: Workspace) -> None:
    answer = workspace.chat.answer(WHEN_NOT)
    (turn,) = workspace.conversations.history(answer.session)
    assert turn.answer == answer and turn.answer.trace == answer.trace
    public = json.loads(json.dumps(answer_to_public(answer)))
    assert public["trace"]["passages"][0]["file"] == _trace(answer).passages[0].file
    kept = json.loads(answer_to_json(answer))
    del kept["trace"]
    old = answer_from_json(json.dumps(kept))
    assert old.trace is None and answer_to_public(old)["trace"] is None


def test_its_size_is_bounded(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _trace(workspace.chat.answer(HEADLINE))
    monkeypatch.setattr(tracing, "_MOST_PASSAGES", 3)
    monkeypatch.setattr(tracing, "_MOST_DOCUMENTS", 1)
    cut = _trace(workspace.chat.answer(HEADLINE))
    assert cut.passages == whole.passages[:3]
    assert cut.passages_left_out == len(whole.passages) - 3 and len(cut.documents) == 1


def test_a_prompt_is_told_by_its_numbers_and_no_key_is(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text("Metformin must not be taken if you have severe kidney failure [1]."))
    answer = with_provider.chat.answer(WHEN_NOT)
    trace = _trace(answer)
    prompt = provider.requests[-1].user
    assert [one.number for one in trace.prompt] == list(range(1, len(trace.prompt) + 1))
    for one in trace.prompt:
        assert f"[{one.number}]" in prompt
    first = trace.prompt[0]
    assert first.citation == 1 and first.what.startswith("Metformin.pdf, p. ")
    assert trace.settings["llm_model"] == "fake-model"
    assert trace.settings["llm_host"] == "127.0.0.1"
    assert "sk-" not in answer_to_json(answer)


class _Backwards:
    """Ranks the last candidate first."""

    name = "backwards"

    def scores(self, query: str, texts: list[str]) -> np.ndarray:
        return np.linspace(0.1, 0.9, len(texts))


def test_scores_before_and_after_reranking(
    workspace: Workspace, open_workspace: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CrossEncoderReranker", lambda *_a, **_k: _Backwards())
    reranked = open_workspace(workspace.settings.root, reranker="backwards")
    trace = _trace(reranked.chat.answer(WHEN_NOT))
    options = SearchOptions(("leaflets",), k=40, candidates=20, quotes=False)
    found = workspace.retriever.search(trace.clauses[0], options)
    both = [one for one in trace.passages if one.before_reranking is not None]
    assert both and any(one.before_reranking != one.score for one in both)
    before = {hit.chunk.id: round(hit.score, 4) for hit in found.hits}
    assert {one.chunk_id: one.before_reranking for one in both}.items() <= before.items()
    assert trace.settings["reranker"] == "backwards"


# -- asked again -----------------------------------------------------------------------------------


@pytest.fixture
def changing(
    open_shared: Open, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> Workspace:
    """A library of the test's own with one leaflet."""

    def fill(folder: Path) -> None:
        with closing(open_shared(folder, writer=True)) as made:
            import_graph(SAMPLE / "graph", made.graph.store)
            assert made.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"

    shutil.copytree(made_once(tmp_path_factory, "again", fill), tmp_path / "data")
    return open_shared(tmp_path / "data", writer=True)


def _again(workspace: Workspace, session: str, place: int = -1) -> Answer:
    turn = workspace.conversations.history(session)[place]
    return workspace.chat.again(session, turn.id)


def _said(answer: Answer) -> list[str]:
    return [one.text for one in answer.sentences]


def test_the_same_library_gives_the_same_answer_and_keeps_nothing(workspace: Workspace) -> None:
    first = workspace.chat.answer(WHEN_NOT)
    second = workspace.chat.answer("What are its side effects?", first.session)
    workspace.chat.answer("And of ibuprofen?", first.session)
    before = workspace.conversations.history(first.session)
    again = _again(workspace, first.session, 1)
    assert again.read_as == second.read_as and _said(again) == _said(second)
    assert again.citations == second.citations and again.session == first.session
    assert workspace.conversations.history(first.session) == before


def test_indexes_that_were_chosen_are_chosen_again(workspace: Workspace) -> None:
    chosen = workspace.chat.answer(WHEN_NOT, indexes=("leaflets",))
    assert _trace(chosen).indexes_chosen
    assert _trace(_again(workspace, chosen.session)).indexes_chosen
    usual = workspace.chat.answer(WHEN_NOT)
    assert not _trace(_again(workspace, usual.session)).indexes_chosen


def test_what_is_gone_cannot_be_asked_again(workspace: Workspace) -> None:
    answer = workspace.chat.answer(WHEN_NOT)
    with pytest.raises(NotFound):
        workspace.chat.again(answer.session, "nobody")
    (turn,) = workspace.conversations.history(answer.session)
    workspace.conversations.delete(answer.session)
    with pytest.raises(NotFound):
        workspace.chat.again(answer.session, turn.id)


def test_a_deleted_document_answers_nothing_any_more(changing: Workspace) -> None:
    before = changing.chat.answer(WHEN_NOT)
    assert "Metformin.pdf" in {getattr(one, "file", "") for one in before.citations}
    (document,) = changing.library_store.documents()
    changing.library.delete(document.id)
    again = _again(changing, before.session)
    assert not [one for one in again.citations if isinstance(one, DocumentCitation)]


def test_another_model_answers_when_it_is_chosen(
    workspace: Workspace, open_workspace: Open, provider: FakeOpenAI
) -> None:
    answer = workspace.chat.answer(WHEN_NOT)
    provider.play(text("Not with severe kidney failure [1]."))
    modelled = open_workspace(workspace.settings.root, **with_model(provider))
    assert _again(modelled, answer.session).model == "fake-model"
