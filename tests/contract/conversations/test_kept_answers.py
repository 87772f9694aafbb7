"""What every store of conversations knows about the answers that it keeps: what they rest on, how they were
rated, which conversations are pinned and tagged."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.conversations.exporting.exports import Exports
from core.conversations.exporting.ledger import Basis, ledger_of
from core.conversations.service import Conversations
from core.conversations.store import ConversationStore
from core.domain.answers import Answer, EntityLink, Sentence, Support
from core.domain.conversations import (
    Fault,
    Feedback,
    QuotingTurn,
    Rating,
    SessionFilter,
    Summary,
)
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.errors import NotFound
from tests.contract.test_conversations import HOSTILE, a_citation, a_full_answer, moved
from tests.conversations.exporting import conversations as exported
from tests.domain.answers import an_answer

WARFARIN = EntityLink("D2", "Drug", "Warfarin", 0.9, "named in the question")
DOWN = Feedback(Rating.DOWN, Fault.NUMBER, "It is 5 mg.", datetime(2026, 5, 4, 3, 2, 1, 9, UTC))
UP = Feedback(Rating.UP, None, "", datetime(2026, 5, 5, 3, 2, 1, 9, UTC))


@pytest.fixture
def store(conversation_store: ConversationStore) -> ConversationStore:
    return conversation_store


def refusal(question: str, *document_ids: str) -> Answer:
    nearest = tuple(a_citation(1, one, f"{one}.pdf") for one in document_ids)
    return replace(an_answer(question, "Not enough."), refused=True, nearest=nearest)


def fill(store: ConversationStore) -> None:
    """Four conversations, the newest first: d, c, b, a."""
    for name in "abcd":
        store.create_session(name, f"Title {name}")
    store.add_turn("a0", "a", a_full_answer())
    store.add_turn("a1", "a", an_answer("And warfarin?", "It thins blood.", WARFARIN))
    store.add_turn("b0", "b", refusal("What of France?", "doc1"))
    store.add_turn("c0", "c", an_answer("About warfarin?", "No.", WARFARIN))
    cited = replace(a_full_answer(), citations=(a_citation(1, "doc2", "Warfarin.pdf"),))
    store.add_turn("d0", "d", cited)


def found(store: ConversationStore, search: str = "", **only: object) -> list[str]:
    wanted = SessionFilter(**only)  # type: ignore[arg-type]
    return [session.id for session in store.sessions(search, only=wanted)]


# -- what answers rest on --------------------------------------------------------------------------


@pytest.mark.req("CG-4")
def test_conversations_are_found_by_what_they_speak_of_and_rest_on(
    store: ConversationStore,
) -> None:
    fill(store)
    assert found(store) == ["d", "c", "b", "a"]
    assert found(store, entity="D2") == ["c", "a"] and found(store, entity="D1") == ["d", "a"]
    assert found(store, document="doc1") == ["a"], "a refusal does not rest on what is nearest"
    assert found(store, document="doc2") == ["d"] and found(store, document="doc3") == []
    assert found(store, "title", refused=True) == ["b"]
    assert found(store, refused=True) == ["b"] and found(store, refused=False) == ["d", "c", "a"]
    unsure = replace(a_full_answer(), may_not_answer=True)
    store.add_turn("b1", "b", unsure)
    assert found(store, may_not_answer=True) == ["b"]
    assert found(store, refused=False, may_not_answer=False) == ["d", "c", "a"]
    assert found(store, refused=True, may_not_answer=True) == [], "in one and the same turn"
    store.delete_session("b")
    assert found(store, entity="D2", document="doc1") == [], "in one and the same turn"
    assert found(store, "thins", entity="D2") == ["a"]
    for hostile in HOSTILE:
        assert found(store, entity=hostile) == found(store, document=hostile) == []
        assert found(store, tag=hostile) == []


def test_an_answer_is_about_what_its_question_names_and_no_neighbour_in_the_graph(
    store: ConversationStore,
) -> None:
    """An answer on metformin was made from facts of warfarin too: nobody asked about warfarin."""
    neighbour = replace(WARFARIN, reason="interacts with metformin")
    named = EntityLink("D1", "Drug", "Metformin", 0.9, "named in the question")
    plan = DocumentPlan(subjects=(Named("Lipitor", ("D3",), "Atorvastatin", "Drug"),))
    store.create_session("s", "Title")
    store.create_session("r", "Title")
    store.add_turn("s0", "s", an_answer("Can metformin cause diarrhoea?", "Yes.", named, neighbour))
    store.add_turn("s1", "s", an_answer("And what may not be taken with it?", "Much.", neighbour))
    store.add_turn("r0", "r", replace(an_answer("Lipitor?", "No.", named), document_plans=(plan,)))
    assert found(store, entity="D1") == ["r", "s"] and found(store, entity="D2") == []
    assert found(store, entity="D3") == ["r"], "the plan is about it, whatever the graph found"
    hits = store.found_turns(["r", "s"], "", SessionFilter(entity="D1"))
    assert [one.turn_id for one in hits] == ["r0", "s0"]
    assert "D2" not in {one.id for one in store.mentioned_entities()}


def test_turns_that_quote_a_document(store: ConversationStore) -> None:
    fill(store)
    assert store.quoting(["doc1"]) == [
        QuotingTurn("a", "a0", "Which <b>drug</b>?", True),
        QuotingTurn("b", "b0", "What of France?", False),
    ]
    assert [one.turn_id for one in store.quoting(["doc2", "doc1"])] == ["a0", "b0", "d0"]
    assert store.quoting([]) == [] == store.quoting(list(HOSTILE))
    store.delete_session("a")
    assert [one.turn_id for one in store.quoting(["doc1"])] == ["b0"]


def test_documents_that_are_cited(store: ConversationStore) -> None:
    fill(store)
    told = [(one.id, one.name, one.answers) for one in store.cited_documents()]
    assert told == [("doc1", "Metformin.pdf", 1), ("doc2", "Warfarin.pdf", 1)]
    store.add_turn("d1", "d", replace(a_full_answer(), citations=(a_citation(1, "doc2", "W.pdf"),)))
    assert [one.id for one in store.cited_documents()] == ["doc2", "doc1"]
    assert len(store.cited_documents(limit=1)) == 1
    for name in "abcd":
        store.delete_session(name)
    assert store.cited_documents() == [] == store.mentioned_entities()


@pytest.mark.req("PR-5")
def test_the_text_of_a_document_is_taken_out_and_its_citations_stay(
    store: ConversationStore,
) -> None:
    fill(store)
    secret = "Take two tablets of quintaxol before every meal with water"
    cited = replace(
        a_full_answer(),
        sentences=(
            Sentence(f"{secret}.", Support.DOCUMENT, (1,)),
            Sentence("Metformin treats it.", Support.GRAPH, (2,)),
        ),
        citations=(replace(a_citation(1, "doc9", "Q.pdf"), quote=secret, heading="Zorblat use"),),
    )
    store.add_turn("c1", "c", cited)
    store.rate_turn("c1", DOWN)
    assert found(store, "quintaxol") == ["c"] and found(store, document="doc9") == ["c"]
    before = store.turns("a"), store.turns("d")
    assert Conversations(store).remove_quotes(["doc9"]) == {"doc9": 1}
    turn = store.turns("c")[-1]
    assert (turn.id, turn.question, turn.feedback) == ("c1", cited.question, DOWN)
    assert "quintaxol" not in repr(turn) and "Zorblat" not in repr(turn)
    (citation,) = turn.answer.citations
    assert citation.kind == "document" and (citation.file, citation.page) == ("Q.pdf", 3)
    assert [one.citations for one in turn.answer.sentences] == [(1,), (2,)]
    assert turn.answer.sentences[1].text == "Metformin treats it."
    assert found(store, "quintaxol") == [] and found(store, document="doc9") == ["c"]
    assert store.quoting(["doc9"]) == [] and Conversations(store).remove_quotes(["doc9"]) == {}
    assert (store.turns("a"), store.turns("d")) == before


# -- ratings ---------------------------------------------------------------------------------------


@pytest.mark.req("KG-F")
def test_a_rating_is_kept_changed_and_taken_back(store: ConversationStore) -> None:
    fill(store)
    assert store.rated_turns() == []
    store.rate_turn("a1", DOWN)
    store.rate_turn("c0", UP)
    assert [turn.feedback for turn in store.turns("a")] == [None, DOWN]
    one = store.turn("a1")
    assert one == store.turns("a")[1] and one is not None and one.feedback == DOWN
    assert [turn.id for turn in store.rated_turns()] == ["c0", "a1"]
    assert found(store, rating=Rating.DOWN) == ["a"] and found(store, rating=Rating.UP) == ["c"]
    session = store.session("a")
    assert session is not None and (session.rated_up, session.rated_down) == (0, 1)
    assert [(one.id, one.rated_up) for one in store.sessions()][1] == ("c", 1)
    store.rate_turn("a1", UP)
    assert found(store, rating=Rating.DOWN) == [] and found(store, rating=Rating.UP) == ["c", "a"]
    assert found(store, entity="D1", rating=Rating.UP) == [], "in one and the same turn"
    store.rate_turn("a1", None)
    assert store.turns("a")[1].feedback is None
    assert [turn.id for turn in store.rated_turns()] == ["c0"]
    store.delete_session("c")
    assert store.rated_turns() == []


@pytest.mark.parametrize("comment", HOSTILE)
def test_a_comment_is_kept_as_it_is(store: ConversationStore, comment: str) -> None:
    fill(store)
    store.rate_turn("a0", replace(DOWN, comment=comment))
    assert store.turns("a")[0].feedback == replace(DOWN, comment=comment)


def test_what_is_gone_cannot_be_rated(store: ConversationStore) -> None:
    fill(store)
    for feedback in (UP, None):
        with pytest.raises(NotFound) as refused:
            store.rate_turn("nobody", feedback)
        assert refused.value.code == "ANSWER_NOT_FOUND"
    assert store.turn("nobody") is None
    store.replace_answers({"nobody": an_answer("Q?")})
    assert store.turn("nobody") is None


# -- pins and tags ---------------------------------------------------------------------------------


@pytest.mark.req("CG-4")
def test_pinned_conversations_come_first_and_tags_find_them(store: ConversationStore) -> None:
    fill(store)
    store.mark_session("b", True, ["signal", "case 12", "signal"])
    store.mark_session("c", False, ["signal"])
    store.mark_session("nobody", True, ["ghost"])
    assert found(store) == ["b", "d", "c", "a"]
    session = store.session("b")
    assert session is not None and (session.pinned, session.tags) == (True, ("case 12", "signal"))
    assert store.tags() == ["case 12", "signal"]
    assert found(store, tag="signal") == ["b", "c"] and found(store, tag="sig") == []
    store.rename_session("b", "Another")
    store.add_turn("a2", "a", an_answer("Q?"))
    assert found(store) == ["b", "a", "d", "c"]
    again = store.session("b")
    assert again == replace(session, title="Another")
    store.mark_session("b", False, [])
    assert store.tags() == ["signal"] and found(store) == ["a", "d", "c", "b"]


@pytest.mark.parametrize("tag", [*HOSTILE, "Äther", "\U0001f48a", "[1,2]", ","])
def test_any_text_is_a_tag(store: ConversationStore, tag: str) -> None:
    fill(store)
    store.mark_session("a", False, [tag])
    assert store.tags() == [tag] and found(store, tag=tag) == ["a"]


# -- summaries -------------------------------------------------------------------------------------


@pytest.mark.req("CG-4")
def test_a_summary_is_kept_replaced_and_removed(store: ConversationStore) -> None:
    fill(store)
    assert store.summary("a") is None is store.summary("nobody")
    for text in ("First.\n1. A", HOSTILE[1]):
        summary = Summary(text, 0, 20, DOWN.rated_at)
        store.keep_summary("a", summary)
        store.keep_summary("nobody", summary)
        assert store.summary("a") == summary
    assert store.summary("b") is None is store.summary("nobody")
    assert len(store.turns("a")) == 2
    store.keep_summary("a", None)
    assert store.summary("a") is None
    store.keep_summary("a", summary)
    store.delete_session("a")
    store.create_session("a", "Again")
    assert store.summary("a") is None


# -- moving between stores -------------------------------------------------------------------------


def test_a_rated_and_pinned_conversation_is_restored_as_it_was(store: ConversationStore) -> None:
    session, turns = moved(3)
    session = replace(session, pinned=True, tags=("signal",), rated_up=1, rated_down=1)
    turns[0], turns[2] = replace(turns[0], feedback=DOWN), replace(turns[2], feedback=UP)
    for turn in turns:
        store.restore_turn(session, turn)
    assert store.session("old") == session and store.turns("old") == turns
    assert found(store, rating=Rating.DOWN) == ["old"] == found(store, tag="signal")
    assert [one.turn_id for one in store.quoting(["doc1"])] == ["t0", "t1", "t2"]


def test_the_ledger_is_the_same_from_every_store(store: ConversationStore) -> None:
    kept = exported.fill(store, exported.a_full_answer())
    record = Exports(store, exported.NoDocuments()).record(kept.id)
    told = [(claim.number, claim.basis, claim.changed) for claim in ledger_of(record).claims]
    assert told == [
        ("1.1", Basis.DOCUMENT, ("deleted",)),
        ("1.2", Basis.GRAPH, ()),
        ("1.3", Basis.UNSUPPORTED, ()),
    ]
