"""Which kept answers rest on text that a new version changes, and on which sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.conversations.service import Conversations
from core.domain.answers import DocumentCitation, GraphCitation, Sentence, Support
from core.domain.documents import Page
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.versions.differences import VersionComparison
from core.versions.files import comparison_markdown
from core.versions.public import comparison_to_public
from core.versions.resting import answers_resting
from tests.domain.answers import an_answer
from tests.versions.leaflets import NEW, OLD, laid_out, versions

KIDNEYS = "if your kidneys work very poorly, with an eGFR below 30 mL/min"
FACT = GraphCitation(
    2, "D1", "Quolvane", "Drug", "CONTRAINDICATED_IN", "X1", "gout", "Disease", 1.0
)


@pytest.fixture
def conversations(tmp_path: Path) -> Conversations:
    return Conversations(SqliteConversations(Database(tmp_path / "materia.db")))


@pytest.fixture
def found() -> VersionComparison:
    return versions(laid_out(OLD), laid_out(NEW))


def quote(pages: list[Page], words: str, n: int = 1) -> DocumentCitation:
    page = next(page for page in pages if words in " ".join(page.text.split()))
    start = page.text.index(words.split()[0] + " " + words.split()[1])
    end = page.text.index(words.split()[-1], start) + len(words.split()[-1])
    text = page.text[start:end]
    return DocumentCitation(
        n, "old.pdf", "c", "old.pdf", page.number, "", "", text, start, end, 0.9
    )


def kept(conversations: Conversations, citation: DocumentCitation, *sentences: Sentence) -> None:
    session, _ = conversations.open(None, "When not?")
    answer = replace(an_answer("When not?"), sentences=sentences, citations=(citation, FACT))
    conversations.keep(session.id, answer)


def test_a_sentence_that_cites_a_relationship_alone_rests_on_the_text_that_it_says(
    conversations: Conversations, found: VersionComparison
) -> None:
    """The passage that is cited is the same in both versions; the item beside it is not."""
    same = quote(laid_out(OLD), "if you are allergic to quolvane")
    kept(
        conversations,
        same,
        Sentence("Do not take it if you are allergic to quolvane.", Support.DOCUMENT, (1,)),
        Sentence(f"Do not take it {KIDNEYS}.", Support.GRAPH, (2,)),
    )
    (one,) = answers_resting(found, conversations)
    (claim,) = one.claims
    assert (claim.sentences, claim.citations, one.citations) == ((2,), (), ())
    assert claim.difference.numbers[0].new == "45 mL/min"
    (public,) = comparison_to_public(found, [one])["answers"]
    assert public["evidence"] == [] and public["claims"][0]["sentences"] == [2]
    assert "eGFR below 30 mL/min” 30 mL/min → 45 mL/min" in comparison_markdown(
        found, [one]
    ).decode().replace("\\", "")


def test_all_that_became_of_a_passage_is_told_with_the_sentences_that_say_it(
    conversations: Conversations, found: VersionComparison
) -> None:
    pages = laid_out(OLD)
    start, end = (quote(pages, one) for one in ("if your kidneys", "within the last 6 months"))
    whole = replace(start, end=end.end, quote=pages[0].text[start.start : end.end])
    removed = "if you have had a serious infection of the liver within the last 6 months"
    kept(
        conversations,
        whole,
        Sentence(f"Not {removed}.", Support.DOCUMENT, (1,)),
        Sentence(f"Not {KIDNEYS}.", Support.BOTH, (1, 2)),
    )
    (one,) = answers_resting(found, conversations)
    told = {claim.difference.kind.value: claim.sentences for claim in one.claims}
    assert told == {"changed": (2,), "removed": (1,)}
    assert [claim.citations for claim in one.claims] == [(1,), (1,)]


def test_answers_on_text_that_both_versions_have_are_not_told(
    conversations: Conversations, found: VersionComparison
) -> None:
    same = quote(laid_out(OLD), "if you are allergic to quolvane")
    kept(conversations, same, Sentence("Not if you are allergic to quolvane.", Support.BOTH, (1,)))
    assert answers_resting(found, conversations) == []
