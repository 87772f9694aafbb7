"""Two answers to one question: what differs is said, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answers.provenance.comparison import compare
from core.domain.answers import Answer, DocumentCitation, Sentence, Support
from core.domain.provenance.trace import GraphVersion, IndexVersion
from tests.conversations.exporting.conversations import a_full_answer, a_trace

BEFORE = a_full_answer()


def _with_trace(**changes: object) -> Answer:
    return replace(BEFORE, trace=replace(a_trace(), **changes))


def test_equal_answers_do_not_differ() -> None:
    now = replace(BEFORE, timings_ms={"retrieve": 9.0}, correlation_id="other", notice="")
    found = compare(BEFORE, now)
    assert found.same and found.answer == found.evidence == found.since == ()


def test_what_is_said_and_no_longer_said() -> None:
    new = Sentence("At most 2,000 mg a day.", Support.DOCUMENT, (1,))
    now = replace(BEFORE, sentences=(new, *BEFORE.sentences[1:]), confidence=0.5)
    found = compare(BEFORE, now)
    assert found.answer == (
        "No longer said: “At most 3,000 mg a day.”",
        "New: “At most 2,000 mg a day.”",
        "Confidence 0.50; then 0.81.",
    )
    assert found.evidence == () and not found.same


def test_support_doubts_and_order() -> None:
    first, second, third = BEFORE.sentences
    now = replace(
        BEFORE,
        sentences=(
            second,
            replace(first, support=Support.UNSUPPORTED, citations=()),
            replace(third, problems=()),
        ),
    )
    assert compare(BEFORE, now).answer == (
        "“At most 3,000 mg a day.” now rests on: unsupported; then on: document.",
        "Doubts about “Or 35 mg.” now: none.",
        "The same sentences in another order.",
    )


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [(True, False, "now there is an answer"), (False, True, "not enough any more")],
)
def test_a_refusal(then: bool, now: bool, told: str) -> None:
    found = compare(replace(BEFORE, refused=then), replace(BEFORE, refused=now))
    assert told in found.answer[0] and len(found.answer) == 1


def test_evidence_is_the_same_where_its_words_are() -> None:
    quote, fact = BEFORE.citations
    assert isinstance(quote, DocumentCitation)
    moved = replace(quote, n=7, document_id="d2", chunk_id="d2:9", start=90, end=119, relevance=0.1)
    assert compare(BEFORE, replace(BEFORE, citations=(moved, fact))).evidence == ()
    other = replace(quote, page=4)
    assert compare(BEFORE, replace(BEFORE, citations=(other,))).evidence == (
        "No longer cited: Metformin.pdf, p. 3: “Do not exceed 3,000 mg a day.”",
        "No longer cited: graph: Metformin treats type 2 diabetes",
        "Newly cited: Metformin.pdf, p. 4: “Do not exceed 3,000 mg a day.”",
    )


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (replace(BEFORE, model="extractive"), "Answered by quotes, without a model; then by gpt-4o-mini."),
        (replace(BEFORE, scope=("leaflets", "papers")), "Searched in leaflets, papers; then in leaflets."),
        (_with_trace(program="9"), "Materia 9; then 0.1.0."),
        (_with_trace(graph=None), "The graph could not be reached now."),
        (
            _with_trace(graph=GraphVersion(2, 900, 5000, "00")),
            "The graph was imported anew: 900 entities and 5,000 relationships; then 886 and 4,316.",
        ),
        (
            _with_trace(graph=GraphVersion(2, 886, 4316, "af" * 32)),
            "The graph was imported anew, with the same relationships.",
        ),
        (
            _with_trace(indexes=(IndexVersion("leaflets", "other", 768, 1),)),
            "Index leaflets was embedded anew with other; then with all-MiniLM-L6-v2.",
        ),
        (
            _with_trace(settings={"relevance_threshold": "0.9"}),
            "Setting relevance_threshold = 0.9; then 0.5.",
        ),
    ],
)  # fmt: skip
def test_what_changed_since(now: Answer, told: str) -> None:
    found = compare(BEFORE, now)
    assert told in found.since and found.same


def test_documents_that_are_gone_and_answers_without_a_trace() -> None:
    found = compare(replace(BEFORE, trace=None), BEFORE, {"b.pdf", "a.pdf"}, {"c.pdf"})
    assert found.since[:3] == (
        "a.pdf was deleted since.",
        "b.pdf was deleted since.",
        "c.pdf was replaced by another version since.",
    )
    assert "was not kept" in found.since[3] and len(found.since) == 4
