"""The prompt keeps to the model's context: best first, whole sentences, citations that fit what is sent."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers import prompts
from core.answers.packing import build_messages
from core.domain.answers import DocumentCitation, GraphCitation
from core.domain.documents import Hit
from core.domain.graph import Entity, Fact
from core.errors import ModelError
from core.evidence.citations import CitationBook
from core.evidence.evidence import ClauseEvidence, Evidence, FactGroup
from core.llm.tokens import estimated_tokens
from core.questions.clauses import Clause
from tests.support.records import METFORMIN, a_hit, a_turn

VECTOR = np.zeros(384, dtype=np.float32)
WORDS = st.sampled_from(
    "kidney dose 2.5 mg patient e.g. tablet über 3,000 Fieber μg 日本 (see)".split()
)
SENTENCE = st.lists(WORDS, min_size=3, max_size=25).map(lambda words: f"The {' '.join(words)} end.")
PASSAGE = st.lists(SENTENCE, min_size=1, max_size=12)
FACTS = [Fact(METFORMIN, "TREATS", Entity(f"D:{n}", "Disease", f"disease {n}")) for n in range(60)]


def evidence_of(clauses: Sequence[Sequence[Hit]], facts: Sequence[Fact] = ()) -> Evidence:
    group = FactGroup(METFORMIN, "TREATS", True, tuple(facts), len(facts))
    parts = [ClauseEvidence(Clause("q"), VECTOR, tuple(hits)) for hits in clauses]
    parts.append(ClauseEvidence(Clause("f"), VECTOR, (), (group,) if facts else ()))
    return Evidence("When must metformin not be taken?", tuple(parts))


def numbered_hits(passages: Sequence[Sequence[str]]) -> list[Hit]:
    return [a_hit(" ".join(said), page=page) for page, said in enumerate(passages, start=1)]


def prompt(evidence: Evidence, budget: int, history: object = ()) -> tuple[str, CitationBook, int]:
    book = CitationBook()
    messages = build_messages(evidence, book, history, budget)  # type: ignore[arg-type]
    assert messages[0] == {"role": "system", "content": prompts.SYSTEM}
    used = sum(estimated_tokens(message["content"]) for message in messages)
    return messages[1]["content"], book, used


@given(st.lists(PASSAGE, min_size=1, max_size=8), st.integers(500, 3000), st.integers(0, 60))
def test_the_prompt_keeps_to_its_budget_and_cites_what_it_sends(
    passages: list[list[str]], budget: int, facts: int
) -> None:
    hits = numbered_hits(passages)
    evidence = evidence_of([hits], FACTS[:facts])
    try:
        user, book, used = prompt(evidence, budget)
    except ModelError as error:
        assert error.code == "MODEL_CONTEXT"
        return
    assert used <= budget
    assert user.endswith(f"{prompts.QUESTION_HEAD}\n{evidence.question}")
    cited = [c for c in book.citations if isinstance(c, DocumentCitation)]
    assert [c.n for c in book.citations] == list(range(1, len(book.citations) + 1))
    assert [c.page for c in cited] == list(range(1, len(cited) + 1))  # best first, none left out
    for citation, hit in zip(cited, hits, strict=False):
        assert citation.quote == hit.chunk.text[citation.start : citation.end]
        assert citation.start == 0 and "\n".join(_indented(citation.quote)) in user
        said = passages[citation.page - 1]
        whole = [" ".join(said[:count]) for count in range(1, len(said) + 1)]
        assert citation.quote in whole
    for citation in cited[:-1]:  # only the last one may be shortened
        assert citation.quote == hits[citation.page - 1].chunk.text
    assert len([c for c in book.citations if isinstance(c, GraphCitation)]) <= 40


def _indented(quote: str) -> list[str]:
    return [f"    {line}" for line in quote.splitlines()]


def test_all_of_it_is_there_when_there_is_room() -> None:
    hits = numbered_hits([["One sentence is here."], ["Another is there."]])
    _, book, _ = prompt(evidence_of([hits], FACTS[:5]), 8000)
    assert [c.kind for c in book.citations] == ["document"] * 2 + ["graph"] * 5


def test_clauses_take_turns_and_share_what_both_found() -> None:
    first = [a_hit(f"First {n}.", page=n) for n in (1, 2)]
    second = [a_hit(f"Second {n}.", file="Other.pdf", page=n) for n in (1, 2)]
    _, book, _ = prompt(evidence_of([first, [second[0], first[0], second[1]]]), 8000)
    cited = [(c.file, c.page) for c in book.citations if isinstance(c, DocumentCitation)]
    pdf = "Metformin.pdf"
    assert cited == [(pdf, 1), ("Other.pdf", 1), (pdf, 2), ("Other.pdf", 2)]


@given(st.lists(PASSAGE, min_size=1, max_size=30), st.integers(1, 8), st.integers(1500, 30_000))
def test_passages_for_a_model_alone_come_last_and_fill_a_small_context_at_most(
    passages: list[list[str]], quotable: int, budget: int
) -> None:
    hits = numbered_hits([passage * 12 for passage in passages])
    first, further = tuple(hits[:quotable]), tuple(hits[quotable:])
    part = ClauseEvidence(Clause("q"), VECTOR, first, further=further)
    try:
        _, book, used = prompt(Evidence("When must metformin not be taken?", (part,)), budget)
    except ModelError as error:
        assert error.code == "MODEL_CONTEXT"
        return
    cited = [c for c in book.citations if isinstance(c, DocumentCitation)]
    assert used <= budget
    assert [c.page for c in cited] == list(range(1, len(cited) + 1))
    added = cited[len(first) :]
    if added:
        assert all(c.quote == hit.chunk.text for c, hit in zip(cited, first, strict=False))
        assert sum(estimated_tokens(c.quote) for c in cited) <= 6_000


def test_further_passages_are_in_the_prompt() -> None:
    first, further = numbered_hits([["One sentence is here."], ["Another is there."]])
    part = ClauseEvidence(Clause("q"), VECTOR, (first,), further=(further, first))
    user, book, _ = prompt(Evidence("When must metformin not be taken?", (part,)), 8000)
    assert "Another is there." in user and len(book.citations) == 2


def test_a_list_that_does_not_fit_is_left_out_whole() -> None:
    items = "\n".join(f"• you have the illness number {n} or its kin" for n in range(1, 40))
    text = f"Keep this medicine dry at all times.\n\nDo not take it if:\n{items}"
    hit = a_hit(text, page=1)
    full = prompt(evidence_of([[hit]]), 20_000)[2]
    _, book, used = prompt(evidence_of([[hit]]), full - 60)
    (citation,) = book.citations
    assert isinstance(citation, DocumentCitation)
    assert used <= full - 60
    assert citation.quote == text[citation.start : citation.end]
    assert citation.quote.endswith(("all times.", "or its kin"))


def test_old_turns_go_first_and_never_crowd_out_the_evidence() -> None:
    turns = [a_turn(f"Question {n}?", f"Answer {n}. " + "word " * 400) for n in range(5)]
    hits = numbered_hits([["The evidence stands here."]])
    user, book, used = prompt(evidence_of([hits]), 4000, turns)
    assert used <= 4000 and len(book.citations) == 1
    kept = [int(n) for n in re.findall(r"Question (\d)\?", user)]
    assert kept and kept == list(range(5))[-len(kept) :] and len(kept) < 5


def test_a_context_without_room_is_told() -> None:
    with pytest.raises(ModelError) as caught:
        prompt(evidence_of([numbered_hits([["A sentence is here."]])]), 100)
    assert caught.value.code == "MODEL_CONTEXT" and "CONTEXT_TOKENS" in caught.value.advice


@given(st.text(max_size=300))
def test_tokens_are_counted_by_their_bytes(text: str) -> None:
    counted = estimated_tokens(text)
    assert 3 * counted >= len(text.encode()) > 3 * (counted - 1) or not text
