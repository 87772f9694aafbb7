"""Answers survive JSON, and scripts find the promised fields."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import (
    Answer,
    Block,
    DocumentCitation,
    EntityLink,
    Failure,
    GraphCitation,
    Sentence,
    State,
    Support,
    Usage,
)
from core.domain.provenance.trace import (
    DocumentVersion,
    GraphVersion,
    IndexVersion,
    PromptEvidence,
    Trace,
    TracedPassage,
)
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public, plain
from tests.domain.answers import an_answer

text = st.text(max_size=30)
number = st.integers(min_value=1, max_value=99)
share = st.floats(min_value=0, max_value=1, allow_nan=False)
offset = st.integers(min_value=0, max_value=10**6)
properties = st.dictionaries(text, text, max_size=3)

document_citations = st.builds(
    DocumentCitation,
    n=number,
    document_id=text,
    chunk_id=text,
    file=text,
    page=number,
    section=text,
    heading=text,
    quote=text,
    start=offset,
    end=offset,
    relevance=share,
    orders=st.booleans(),
)
graph_citations = st.builds(
    GraphCitation,
    n=number,
    source_id=text,
    source=text,
    source_type=text,
    relationship=text,
    target_id=text,
    target=text,
    target_type=text,
    relevance=share,
    properties=properties,
)


def some(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(strategy, max_size=3).map(tuple)


traces = st.builds(
    Trace,
    program=text,
    clauses=some(text),
    probabilities=some(share),
    threshold=share,
    passages=some(
        st.builds(
            TracedPassage,
            clause=offset,
            document_id=text,
            chunk_id=text,
            file=text,
            page=number,
            section=text,
            heading=text,
            score=share,
            before_reranking=st.none() | share,
            similarity=share,
            citation=number,
        )
    ),
    prompt=some(st.builds(PromptEvidence, number=number, what=text, citation=number)),
    documents=some(
        st.builds(DocumentVersion, id=text, file=text, title=text, index=text, sha256=text)
    ),
    indexes=some(
        st.builds(IndexVersion, name=text, model=text, dimension=number, generation=offset)
    ),
    graph=st.none()
    | st.builds(
        GraphVersion, generation=offset, entities=offset, relationships=offset, sha256=text
    ),
    settings=properties,
)

answers = st.builds(
    Answer,
    question=text,
    read_as=text,
    query_type=st.sampled_from(["semantic", "structural", "exact", "hybrid"]),
    refused=st.booleans(),
    sentences=some(
        st.builds(
            Sentence,
            text=text,
            support=st.sampled_from(Support),
            citations=some(number),
            problems=some(text),
            block=st.integers(0, 9),
            decisive=st.booleans(),
            items=some(st.tuples(offset, offset)),
        )
    ),
    citations=some(document_citations | graph_citations),
    entities=some(
        st.builds(EntityLink, id=text, type=text, name=text, relevance=share, reason=text)
    ),
    nearest=some(document_citations),
    timings_ms=st.dictionaries(
        st.sampled_from(["retrieve", "expand", "generate"]),
        st.floats(min_value=0, max_value=1e6, allow_nan=False),
    ),
    model=text,
    session=text,
    disclaimer=text,
    notice=text,
    subgraph=st.dictionaries(st.just("entities"), st.lists(text, max_size=3)),
    confidence=st.none() | share,
    usage=st.none()
    | st.builds(
        Usage,
        prompt_tokens=offset,
        completion_tokens=offset,
        cost=st.none() | share,
        counted=st.booleans(),
    ),
    failure=st.none()
    | st.builds(Failure, code=text, message=text, advice=text, retryable=st.booleans()),
    scope=some(text),
    wider=st.booleans(),
    stopped=st.booleans(),
    suggestions=some(text),
    correlation_id=text,
    blocks=some(
        st.builds(
            Block,
            n=number,
            document_id=text,
            subject=text,
            file=text,
            page=st.integers(0, 99),
            section=text,
            heading=text,
            boxed_warning=st.booleans(),
            less_certain=st.booleans(),
        )
    ),
    may_not_answer=st.booleans(),
    trace=st.none() | traces,
)


@given(answers)
def test_an_answer_comes_back_from_json_as_it_was(answer: Answer) -> None:
    kept = answer_to_json(answer)
    again = answer_from_json(kept)
    assert again == answer
    assert asdict(again) == asdict(answer) and answer_to_json(again) == kept
    assert json.dumps(plain(answer)) == json.dumps(asdict(answer))
    assert json.dumps(answer_to_public(again)) == json.dumps(answer_to_public(answer))
    assert again.text == answer.text
    assert all(isinstance(sentence.support, Support) for sentence in again.sentences)
    assert all(isinstance(sentence.citations, tuple) for sentence in again.sentences)
    assert [type(one) for one in again.citations] == [type(one) for one in answer.citations]


@given(document_citations)
def test_a_citation_from_before_there_were_orders_is_read(citation: DocumentCitation) -> None:
    answer = replace(an_answer("Q?"), citations=(citation,))
    kept = json.loads(answer_to_json(answer))
    del kept["citations"][0]["orders"]
    (again,) = answer_from_json(json.dumps(kept)).citations
    assert again == replace(citation, orders=False)


@given(answers)
def test_an_answer_from_before_there_were_blocks_is_read(answer: Answer) -> None:
    kept = json.loads(answer_to_json(answer))
    del kept["blocks"], kept["may_not_answer"]
    for sentence in kept["sentences"]:
        del sentence["block"], sentence["decisive"], sentence["items"]
    again = answer_from_json(json.dumps(kept))
    assert again.text == answer.text and again.citations == answer.citations
    assert again.blocks == () and {one.block for one in again.sentences} <= {0}
    assert again.state is (State.NOT_IN_LIBRARY if answer.refused else State.ANSWERED)


@given(answers)
def test_the_public_form_has_state_and_blocks(answer: Answer) -> None:
    public = json.loads(json.dumps(answer_to_public(answer)))
    assert public["state"] == (
        "not_in_library"
        if answer.refused
        else "may_not_answer"
        if answer.may_not_answer
        else "answered"
    )
    assert [one["subject"] for one in public["blocks"]] == [one.subject for one in answer.blocks]
    assert [one["decisive"] for one in public["sentences"]] == [
        one.decisive for one in answer.sentences
    ]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"question": "Q?"}'])
def test_what_is_no_answer_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="Answer"):
        answer_from_json(text)


@given(answers)
def test_the_public_form_has_the_promised_fields(answer: Answer) -> None:
    public = json.loads(json.dumps(answer_to_public(answer)))
    assert {
        "answer",
        "refused",
        "query_type",
        "sentences",
        "citations",
        "entities",
        "timings_ms",
        "model",
        "session",
    } <= set(public)
    assert public["answer"] == answer.text
    for sentence in public["sentences"]:
        assert sentence["support"] in {"document", "graph", "both", "unsupported"}
        assert all(isinstance(n, int) for n in sentence["citations"])
    for shown, citation in zip(public["citations"], answer.citations, strict=True):
        assert shown["n"] == citation.n and shown["kind"] == citation.kind
        if isinstance(citation, DocumentCitation):
            assert {"file", "page", "section", "quote", "start", "end"} <= set(shown)
            assert (shown["file"], shown["page"]) == (citation.file, citation.page)
        else:
            assert shown["source"]["id"] == citation.source_id
            assert shown["target"]["id"] == citation.target_id
            assert shown["relationship"] == citation.relationship
            assert shown["source"]["name"] == citation.source


@given(answers)
def test_a_citation_is_found_by_its_number(answer: Answer) -> None:
    for citation in answer.citations:
        found = answer.citation(citation.n)
        assert found is not None and found.n == citation.n
    assert answer.citation(0) is None
