"""The text of a deleted document is taken out of kept answers, and nothing else is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.quotes import REMOVED, without_quotes
from core.domain.answers import (
    Answer,
    Block,
    DocumentCitation,
    EntityLink,
    GraphCitation,
    Sentence,
    Support,
)
from core.domain.provenance.trace import Trace, TracedPassage
from core.domain.serial import answer_to_json
from tests.domain.answers import an_answer

RUN = 6  # words in a row that must not be found again
OURS = "Quintaxol tablets are swallowed whole with a glass of cold water. Do not crush them."
THEIRS = "Zolvetrin is given by injection into the thigh twice a week by a nurse."


def passage(n: int, document: str, quote: str) -> DocumentCitation:
    return DocumentCitation(
        n, document, f"{document}:0", f"{document}.pdf", 2, "posology", "3. How", quote, 5, 90, 0.8
    )


def answer(*sentences: Sentence, nearest: tuple[DocumentCitation, ...] = ()) -> Answer:
    treats = GraphCitation(3, "D1", "Quintaxol", "Drug", "TREATS", "E1", "gout", "Disease", 0.5)
    return replace(
        an_answer("How is Quintaxol taken?"),
        sentences=sentences,
        citations=(passage(1, "ours", OURS), passage(2, "theirs", THEIRS), treats),
        entities=(
            EntityLink("D1", "Drug", "Quintaxol", 0.9, "mentioned", f"... {OURS[:60]} ..."),
            EntityLink("E1", "Disease", "gout", 0.9, "treated", "Quintaxol treats gout."),
        ),
        nearest=nearest,
    )


@pytest.mark.req("PR-5")
def test_what_rests_on_the_document_goes_and_the_rest_stays() -> None:
    given_ = answer(
        Sentence(OURS, Support.DOCUMENT, (1,), (f"“{OURS[:40]}” is odd",)),
        Sentence("Swallow it with water.", Support.DOCUMENT, (1, 2)),
        Sentence(THEIRS, Support.BOTH, (1, 2)),
        Sentence("A nurse injects it.", Support.DOCUMENT, (2,)),
        Sentence("Quintaxol treats gout.", Support.GRAPH, (3,)),
        Sentence("It is best in the morning.", Support.UNSUPPORTED, ()),
    )
    emptied, quotes = without_quotes(replace(given_, notice=f"Note: {OURS}"), {"ours"})
    assert quotes == {"ours": 1}
    assert [one.text for one in emptied.sentences] == [
        REMOVED, REMOVED, THEIRS, "A nurse injects it.", "Quintaxol treats gout.", REMOVED,
    ]  # fmt: skip
    assert [one.citations for one in emptied.sentences] == [
        one.citations for one in given_.sentences
    ]
    assert emptied.citations == (
        replace(given_.citations[0], quote="", heading="", start=0, end=0),
        *given_.citations[1:],
    )
    assert [one.excerpt for one in emptied.entities] == [REMOVED, "Quintaxol treats gout."]
    assert emptied.notice == REMOVED and emptied.question == given_.question
    assert without_quotes(emptied, {"ours"}) == (emptied, {})


def test_headings_and_places_of_list_items_go_with_the_quotes() -> None:
    blocks = tuple(
        Block(n, document, document, f"{document}.pdf", 2, "posology", f"3. How to take {document}")
        for n, document in ((1, "ours"), (2, "theirs"))
    )
    passages = tuple(
        TracedPassage(0, one.document_id, "c", one.file, 2, "posology", one.heading, 0.9, None, 0.8)
        for one in blocks
    )
    given_ = replace(
        answer(
            Sentence(
                OURS, Support.DOCUMENT, (1,), block=1, decisive=True, items=((0, 9), (10, 20))
            ),
            Sentence(THEIRS, Support.DOCUMENT, (2,), block=2, items=((0, 9),)),
        ),
        blocks=blocks,
        trace=Trace("1", passages=passages),
    )
    emptied, _ = without_quotes(given_, {"ours"})
    assert [one.items for one in emptied.sentences] == [(), ((0, 9),)]
    assert [one.heading for one in emptied.blocks] == ["", "3. How to take theirs"]
    assert emptied.trace is not None
    assert [one.heading for one in emptied.trace.passages] == ["", "3. How to take theirs"]


def test_an_answer_that_quotes_others_stays_as_it_is() -> None:
    given_ = answer(
        Sentence(OURS, Support.DOCUMENT, (1,)), Sentence("Odd.", Support.UNSUPPORTED, ())
    )
    assert without_quotes(given_, {"another"}) == (given_, {})
    assert without_quotes(given_, set()) == (given_, {})


def test_the_nearest_passages_of_a_refusal() -> None:
    refused = replace(
        an_answer("Q?", "The documents do not say."),
        refused=True,
        sentences=(Sentence("The documents do not say.", Support.UNSUPPORTED, ()),),
        nearest=(passage(1, "ours", OURS), passage(2, "theirs", THEIRS)),
    )
    emptied, quotes = without_quotes(refused, {"ours"})
    assert quotes == {"ours": 1} and [one.quote for one in emptied.nearest] == ["", THEIRS]


WORDS = st.sampled_from(
    "take one two mg tablets daily with water before food never if you are".split()
)
TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(
    lambda words: " ".join(words).capitalize() + "."
)


@st.composite
def told_answers(draw: st.DrawFn) -> Answer:
    """Answers whose sentences, excerpts and notice repeat parts of two documents' passages."""
    quotes = draw(st.lists(TEXTS, min_size=2, max_size=4))
    citations = tuple(
        passage(n, draw(st.sampled_from(("ours", "theirs"))), quote)
        for n, quote in enumerate(quotes, start=1)
    )

    def part() -> str:
        quote = draw(st.sampled_from(quotes)).split()
        start = draw(st.integers(0, len(quote) - 1))
        return " ".join([*draw(st.lists(WORDS, max_size=3)), *quote[start:]])

    numbers = st.lists(st.integers(1, len(quotes)), max_size=2, unique=True).map(tuple)
    sentences = tuple(
        Sentence(part(), draw(st.sampled_from(Support)), draw(numbers))
        for _ in range(draw(st.integers(1, 4)))
    )
    return replace(
        an_answer("How?"),
        sentences=sentences,
        citations=citations,
        nearest=tuple(draw(st.lists(st.sampled_from(citations), max_size=2))),
        entities=(EntityLink("D1", "Drug", "Take", 0.9, "mentioned", part()),),
        notice=part(),
    )


def runs(text: str) -> set[str]:
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    return {" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@given(told_answers())
def test_no_run_of_words_of_the_document_is_left(given_: Answer) -> None:
    emptied, quotes = without_quotes(given_, {"ours"})
    passages = [*given_.citations, *given_.nearest]
    documents = [one for one in passages if isinstance(one, DocumentCitation)]
    removed = [one.quote for one in documents if one.document_id == "ours"]
    assert quotes.total() == len(removed)
    kept = set().union(*(runs(one.quote) for one in documents if one.document_id == "theirs"))
    gone = set().union(*map(runs, removed)) - kept

    def texts(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for one in value.values() for text in texts(one)]
        if isinstance(value, list):
            return [text for one in value for text in texts(one)]
        return [value] if isinstance(value, str) else []

    left = set().union(*map(runs, texts(json.loads(answer_to_json(emptied)))))
    assert not left & gone
    still = [
        one.quote
        for one in (*emptied.citations, *emptied.nearest)
        if isinstance(one, DocumentCitation) and one.document_id == "theirs"
    ]
    assert still == [one.quote for one in documents if one.document_id == "theirs"]
    if not removed:
        assert emptied == given_
