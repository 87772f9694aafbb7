"""Searching papers, and an answer from exactly what was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.prompts import REFUSAL
from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.domain.answers import DocumentCitation
from core.search.options import SearchOptions
from core.search.papers import search_papers
from core.workspace import Workspace
from tests.support.fake_openai import FakeOpenAI, error, text

QUESTIONS = (
    "How can side effects be found in health records?",
    "What do spontaneous reports show?",
    "How are drug interactions predicted?",
    "When must metformin not be taken?",
    "Which medicines are mentioned in social media posts?",
    "What is the capital of France?",
)
WORDS = (
    "drug adverse report graph signal bleeding metformin embedding dose search zolvetrin".split()
)
queries = st.sampled_from(QUESTIONS) | st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(
    " ".join
)


@pytest.mark.req("AX-6", "AX-10")
@given(
    query=queries,
    k=st.integers(1, 20),
    index=st.sampled_from([ABSTRACTS, LEAFLETS]),
    mode=st.sampled_from(["hybrid", "semantic", "lexical"]),
)
def test_an_answer_and_at_most_k_hits_it_cites_only(
    sample_workspace: Workspace, query: str, k: int, index: str, mode: str
) -> None:
    options = SearchOptions((index,), k=k, mode=mode)
    result = sample_workspace.retriever.search(query, options)
    answer = sample_workspace.hit_answerer.answer(query, result.hits)
    scores = [hit.score for hit in result.hits]
    assert len(scores) <= k and scores == sorted(scores, reverse=True)
    assert answer.text and answer.question == query
    shown = {hit.document.id for hit in result.hits}
    assert answer.document_ids <= shown
    for citation in answer.citations:
        assert isinstance(citation, DocumentCitation)
        page = sample_workspace.library_store.page(citation.document_id, citation.page)
        assert page is not None
        assert page.text[citation.start : citation.end] == citation.quote
    for sentence in answer.sentences:
        assert answer.refused or (
            sentence.citations and all(map(answer.citation, sentence.citations))
        )
    assert answer.refused == (answer.text == REFUSAL) == (not answer.citations)


def test_a_question_that_a_hit_answers_is_answered_from_it(sample_workspace: Workspace) -> None:
    query = "When must metformin not be taken?"
    result = sample_workspace.retriever.search(query, SearchOptions((LEAFLETS,)))
    answer = sample_workspace.hit_answerer.answer(query, result.hits)
    assert {c.file for c in answer.citations if isinstance(c, DocumentCitation)} == {
        "Metformin.pdf"
    }
    others = [hit for hit in result.hits if hit.document.file != "Metformin.pdf"]
    wider = sample_workspace.retriever.search("warfarin bleeding", SearchOptions((LEAFLETS,)))
    others += [hit for hit in wider.hits if hit.document.file != "Metformin.pdf"]
    assert sample_workspace.hit_answerer.answer(query, others).refused, (
        "what is not shown answers nothing"
    )


@pytest.mark.req("AX-9")
@given(query=queries, k=st.integers(1, 30), mode=st.sampled_from(["hybrid", "semantic"]))
def test_hits_are_grouped_by_paper_and_several_papers_come(
    sample_workspace: Workspace, query: str, k: int, mode: str
) -> None:
    """Every paper of the sample resembles a query somewhat, so that k of them come."""
    result, papers = search_papers(
        sample_workspace.retriever, query, SearchOptions((ABSTRACTS,), k=k, mode=mode)
    )
    assert len(papers) == k, "as many papers as are asked for, not as many passages"
    assert len({paper.document.id for paper in papers}) == k
    for paper in papers:
        assert {hit.document.id for hit in paper.hits} == {paper.document.id}
        assert paper.score == max(hit.score for hit in paper.hits)
    scores = [paper.score for paper in papers]
    assert scores == sorted(scores, reverse=True)
    assert {hit.chunk.id for hit in result.hits} == {
        hit.chunk.id for paper in papers for hit in paper.hits
    }


@pytest.mark.req("AX-10")
def test_a_language_model_writes_from_exactly_the_hits(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    query = "When must metformin not be taken?"
    hits = with_provider.retriever.search(query, SearchOptions((LEAFLETS,), k=3)).hits
    provider.play(text("Metformin must not be taken in circulatory shock [1]."))
    answer = with_provider.hit_answerer.answer(query, hits)
    (request,) = provider.requests
    assert "GRAPH RELATIONSHIPS" not in request.user and query in request.user
    assert all(
        " ".join(hit.chunk.text.split())[:60] in " ".join(request.user.split()) for hit in hits
    )
    assert answer.text.startswith("Metformin must not be taken in circulatory shock")
    assert answer.model != "extractive" and answer.usage is not None
    (citation,) = answer.citations
    assert isinstance(citation, DocumentCitation)
    assert citation.chunk_id in {hit.chunk.id for hit in hits}


def test_hits_that_answer_nothing_call_no_model_and_a_failed_one_is_said(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    search, answerer = with_provider.retriever.search, with_provider.hit_answerer
    unanswerable = "What is the capital of France?"
    hits = search(unanswerable, SearchOptions((LEAFLETS,))).hits
    assert answerer.answer(unanswerable, hits).refused and not provider.requests
    query = "When must metformin not be taken?"
    provider.play(error(401, "invalid_api_key"))
    answer = answerer.answer(query, search(query, SearchOptions((LEAFLETS,))).hits)
    assert answer.model == "extractive" and answer.citations
    assert answer.failure is not None and "in its own words" in answer.notice


def test_of_each_hit_one_statement_is_nearest(sample_workspace: Workspace) -> None:
    query = "How can adverse drug reactions be found in social media?"
    hits = sample_workspace.retriever.search(query, SearchOptions((ABSTRACTS,))).hits
    sentences = sample_workspace.hit_answerer.sentences(query, hits)
    assert sentences.keys() == {hit.chunk.id for hit in hits}
    for hit in hits:
        start, end = sentences[hit.chunk.id]
        page = sample_workspace.library_store.page(hit.document.id, hit.chunk.page)
        assert page is not None and page.text[start:end].strip()
        assert start < hit.chunk.end and end > hit.chunk.start
