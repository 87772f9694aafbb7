"""An index that cannot be searched: the others are, and the answer says which one is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.answers import DocumentCitation
from core.domain.events import Answered, Retrieved
from core.errors import EmbeddingMismatch, ModelError
from core.llm.choice import ModelChoice
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.encoders.models import make_sentence_transformer
from tests.support.answering import Open, with_model
from tests.support.asking import WHEN_NOT, bag_of_words, documents
from tests.support.fake_openai import FakeOpenAI, embeddings, error

OLD = "Quolvane must not be taken by people with gout."


@pytest.fixture
def model_gone(make_workspace: Callable[..., Workspace], tmp_path: Path) -> Workspace:
    """Metformin in the leaflets; the index “old” was made with a model whose folder is gone."""
    made = tmp_path / "tiny"
    made.mkdir()
    model = make_sentence_transformer(made)
    before = make_workspace(embedding_model=str(model))
    before.indexes.create("old", "semantic")
    (tmp_path / "quolvane.txt").write_text(OLD)
    assert before.library.ingest(tmp_path / "quolvane.txt", index="old").state == "ready"
    before.close()
    shutil.rmtree(made)
    workspace = make_workspace()
    assert workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    return workspace


def files(citations: tuple[DocumentCitation, ...] | list[DocumentCitation]) -> set[str]:
    return {citation.file for citation in citations}


@pytest.mark.parametrize("wider", [True, False])
def test_the_other_indexes_are_searched_and_the_missing_one_is_named(
    wider: bool, model_gone: Workspace
) -> None:
    retrieved, answered = (
        event
        for event in model_gone.chat.ask(WHEN_NOT, wider=wider)
        if isinstance(event, Retrieved | Answered)
    )
    assert isinstance(retrieved, Retrieved) and isinstance(answered, Answered)
    answer = answered.answer
    assert not answer.refused and files(documents(answer)) == {"Metformin.pdf"}
    assert answer.scope == ("leaflets",) and answer.wider is wider
    assert retrieved.searched == model_gone.library_store.count_chunks(("leaflets",))
    assert "“old”" in answer.notice and "cannot be loaded" in answer.notice
    assert "Embed it anew" in answer.notice and "leaflets" not in answer.notice
    (turn,) = model_gone.conversations.history(answer.session)
    assert turn.answer == answer


def test_a_refusal_tells_it_too(model_gone: Workspace) -> None:
    answer = model_gone.chat.answer("When must Quolvane not be taken?", wider=True)
    assert answer.refused and "“old”" in answer.notice


def test_an_index_that_was_chosen_may_not_be_missing(model_gone: Workspace) -> None:
    with pytest.raises(EmbeddingMismatch) as caught:
        model_gone.chat.answer(WHEN_NOT, indexes=("leaflets", "old"))
    assert "“old”" in caught.value.message and "cannot be loaded" in caught.value.message
    assert caught.value.advice
    assert model_gone.conversations.list() == []
    assert model_gone.chat.answer(WHEN_NOT, indexes=("leaflets",)).notice == ""
    wider = model_gone.chat.answer(WHEN_NOT, indexes=("old",), wider=True)
    assert wider.scope == ("leaflets",) and "“old”" in wider.notice


def test_when_every_index_is_missing_it_is_an_error(model_gone: Workspace) -> None:
    model_gone.indexes.delete("leaflets")
    for wider in (True, False):
        with pytest.raises(EmbeddingMismatch):
            model_gone.chat.answer(WHEN_NOT, wider=wider)


def test_an_index_whose_provider_refuses_is_left_out(
    open_workspace: Open, provider: FakeOpenAI, tmp_path: Path
) -> None:
    """Its model can be had, but not used: the key has run out since."""
    provider.play(embeddings(bag_of_words))
    fields = with_model(provider) | {"embedding_model": "text-embedding-3-small"}
    before = open_workspace(tmp_path / "data", writer=True, **fields)
    before.indexes.create("old", "semantic")
    (tmp_path / "quolvane.txt").write_text(OLD)
    assert before.library.ingest(tmp_path / "quolvane.txt", index="old").state == "ready"
    before.close()
    now = open_workspace(tmp_path / "data", writer=True, **with_model(provider))
    assert now.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    now.models.choose(ModelChoice(None))  # quoted answers
    provider.play(error(401))
    answer = now.chat.answer(WHEN_NOT)
    assert answer.scope == ("leaflets",) and files(documents(answer)) == {"Metformin.pdf"}
    assert "“old”" in answer.notice and provider.requests
    with pytest.raises(ModelError):
        now.chat.answer(WHEN_NOT, indexes=("leaflets", "old"))


def test_a_reranker_that_fails_is_told(
    make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace(reranker=str(tmp_path / "no model"))
    assert workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    answer = workspace.chat.answer(WHEN_NOT)
    assert not answer.refused and answer.notice.count("RERANKER_FAILED") == 1


def test_an_index_whose_vectors_are_gone_is_searched_by_its_words(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    assert own_workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    own_workspace.indexes.create("papers", "semantic")
    (tmp_path / "quolvane.txt").write_text(OLD)
    assert own_workspace.library.ingest(tmp_path / "quolvane.txt", index="papers").state == "ready"
    papers = own_workspace.library_store.index("papers")
    assert papers is not None
    own_workspace.vectors.drop(papers.collection)
    answer = own_workspace.chat.answer(WHEN_NOT)
    assert answer.scope == ("leaflets", "papers") and "lost its vectors" in answer.notice
    assert files(documents(answer)) == {"Metformin.pdf"}
    alone = own_workspace.chat.answer("Who must not take quolvane?", indexes=("papers",))
    assert files(documents(alone)) == {"quolvane.txt"} and "lost its vectors" in alone.notice
