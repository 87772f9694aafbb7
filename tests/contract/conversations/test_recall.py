"""What every store does with the vectors of questions and their answers, and recall upon it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.conversations import recall as recall_module
from core.conversations.quotes import REMOVED
from core.conversations.recall import MOST, Recall, pair_text
from core.conversations.service import Conversations
from core.conversations.store import ConversationStore
from core.domain.answers import Answer, Sentence, Support
from core.domain.conversations import LOCAL_USER, PairVector, Turn
from core.domain.vectors import Vector
from core.stores.sqlite.conversations import SqliteConversations
from tests.contract.test_conversations import HOSTILE, a_citation, moved
from tests.domain.answers import an_answer
from tests.support.fakes import HashEncoder

MODEL = "fake, 4"


class Off:
    """A switch that is kept nowhere."""

    def __init__(self) -> None:
        self._value = 0

    def value(self) -> int:
        return self._value

    def set(self, value: int) -> None:
        self._value = value


@pytest.fixture
def store(conversation_store: ConversationStore) -> ConversationStore:
    return conversation_store


@pytest.fixture
def make_recall(store: ConversationStore, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recall]:
    """Recall with a model that knows words and no meaning: few words in common are close enough."""
    monkeypatch.setattr(recall_module, "FLOOR", 0.5)
    monkeypatch.setattr(recall_module, "FLOOR_ANSWERED", 0.5)

    def make(encoder: HashEncoder | None = None, **more: bool) -> Recall:
        model = encoder or HashEncoder(dimension=64)
        return Recall(store, lambda: model, lambda: True, lambda: True, Off(), **more)

    return make


def unit(*numbers: float) -> Vector:
    vector = np.array(numbers, np.float32)
    unit: Vector = vector / np.linalg.norm(vector)
    return unit


def put(store: ConversationStore, turn_id: str, *numbers: float, model: str = MODEL) -> int:
    turn = store.turn(turn_id)
    assert turn is not None
    return store.keep_vectors([PairVector(turn_id, turn.answer.text, model, unit(*numbers))])


def near(
    store: ConversationStore, *numbers: float, limit: int = 9, model: str = MODEL
) -> list[str]:
    return [one.turn_id for one in store.similar(unit(*numbers), model, limit)]


def waiting(store: ConversationStore, model: str = MODEL) -> list[str]:
    return [turn.id for turn in store.without_vector(model, 99)]


def fill(store: ConversationStore) -> None:
    for name in "abc":
        store.create_session(name, name)
        store.add_turn(f"{name}0", name, an_answer(f"Question {name}?", f"Answer {name}."))


# -- the store -------------------------------------------------------------------------------------


@pytest.mark.req("CG-2", "CG-3")
def test_the_nearest_pairs_are_found_by_cosine(store: ConversationStore) -> None:
    fill(store)
    assert near(store, 1, 0, 0, 0) == [] and waiting(store) == ["c0", "b0", "a0"]
    assert [put(store, "a0", 1, 0, 0, 0), put(store, "b0", 1, 1, 0, 0)] == [1, 1]
    put(store, "c0", -1, 0, 0, 0)
    assert waiting(store) == [] and near(store, 2, 0.1, 0, 0) == ["a0", "b0", "c0"]
    assert near(store, 0, 1, 0, 0, limit=1) == ["b0"]
    first, second, last = store.similar(unit(1, 0, 0, 0), MODEL, 3)
    assert (first.session_id, first.position, first.question) == ("a", 0, "Question a?")
    turn = store.turn("b0")
    assert turn is not None and second.asked_at == turn.created_at and not second.refused
    told = [first.similarity, second.similarity, last.similarity]
    assert told == pytest.approx([1, 0.5**0.5, -1], abs=1e-5)
    before = store.similar(unit(1, 0, 0, 0), MODEL, 9, turn.created_at)
    assert [one.turn_id for one in before] == ["a0"]


def test_vectors_of_different_models_are_never_compared(store: ConversationStore) -> None:
    fill(store)
    put(store, "a0", 1, 0, 0, 0)
    put(store, "b0", 1, 0, 0, 0, model="other, 4")
    assert near(store, 1, 0, 0, 0) == ["a0"] and near(store, 1, 0, 0, 0, model="other, 4") == ["b0"]
    assert waiting(store) == ["c0", "b0"] and waiting(store, "other, 4") == ["c0", "a0"]
    assert near(store, 1, 0, model="short, 2") == []
    for name in ("a0", "b0"):
        put(store, name, 1, 0, model="short, 2")
    assert near(store, 1, 0, model="short, 2") == ["a0", "b0"] and near(store, 1, 0, 0, 0) == []
    assert waiting(store) == ["c0", "b0", "a0"]
    put(store, "a0", 0, 1, 0, 0)
    assert near(store, 1, 0, 0, 0) == ["a0"]


def test_a_vector_goes_with_its_answer(store: ConversationStore) -> None:
    fill(store)
    for name in ("a0", "b0", "c0"):
        put(store, name, 1, 0, 0, 0)
    store.delete_session("a")
    assert near(store, 1, 0, 0, 0) == ["b0", "c0"]
    old = store.turn("b0")
    assert old is not None
    late = PairVector("b0", old.answer.text, MODEL, unit(1, 0, 0, 0))
    store.replace_answers({"b0": an_answer("Question b?", "Another.")})
    assert near(store, 1, 0, 0, 0) == ["c0"] and waiting(store) == ["b0"]
    assert store.keep_vectors([late]) == 0 == store.keep_vectors([]), "of the text that went"
    assert store.keep_vectors([replace(late, turn_id="nobody")]) == 0 and near(
        store, 1, 0, 0, 0
    ) == ["c0"]
    store.rename_session("c", "Other")
    store.mark_session("c", True, ["x"])
    assert near(store, 1, 0, 0, 0) == ["c0"]


def test_a_moved_turn_waits_for_its_vector(store: ConversationStore) -> None:
    session, turns = moved(2)
    for turn in turns:
        store.restore_turn(session, turn)
    assert sorted(waiting(store)) == ["t0", "t1"]
    put(store, "t0", 1, 0, 0, 0)
    store.restore_turn(session, turns[0])
    assert near(store, 1, 0, 0, 0) == ["t0"] and waiting(store) == ["t1"]


def test_another_users_pairs_are_not_found(
    store: ConversationStore, request: pytest.FixtureRequest
) -> None:
    store.create_session("theirs", "Theirs")
    vectors = [PairVector(f"x{number:02}", "Yes.", MODEL, unit(1, 0, 0, 0)) for number in range(60)]
    for one in vectors:
        store.add_turn(one.turn_id, "theirs", an_answer("Q?"))
    fill(store)
    store.keep_vectors(vectors)
    put(store, "a0", 0, 1, 0, 0)
    if isinstance(store, SqliteConversations):
        with request.getfixturevalue("database").write() as connection:
            connection.execute("INSERT INTO users (id) VALUES ('other')")
            connection.execute("UPDATE sessions SET user_id = 'other' WHERE id = 'theirs'")
    else:
        request.getfixturevalue("neo4j").write(
            "MATCH ()-[r:HAS_SESSION]->(s:Session {id: 'theirs'}) DELETE r "
            "CREATE (:User {id: 'other'})-[:HAS_SESSION]->(s)"
        )
    assert near(store.of_user(LOCAL_USER), 1, 0, 0, 0) == ["a0"]


def test_many_other_pairs_hide_none(store: ConversationStore) -> None:
    store.create_session("s", "s")
    chance = np.random.default_rng(7)
    vectors = []
    for number in range(70):
        text = f"Answer {number}."
        store.add_turn(f"t{number:02}", "s", an_answer("Q?", text))
        noise = chance.standard_normal(4) * (0.01 if number < 60 else 1)
        # Sixty of another model stand nearer than the ten.
        model = "other, 4" if number < 60 else MODEL
        vectors.append(PairVector(f"t{number:02}", text, model, unit(1 + noise[0], *noise[1:])))
    assert store.keep_vectors(vectors) == 70
    cosines = {one.turn_id: float(one.vector[0]) for one in vectors[60:]}
    found = store.similar(unit(1, 0, 0, 0), MODEL, 5)
    assert [one.turn_id for one in found] == sorted(cosines, key=lambda one: -cosines[one])[:5]


# -- recall ----------------------------------------------------------------------------------------


def ask(known: Conversations, question: str, said: str = "Yes.", session: str = "") -> Turn:
    opened, _ = known.open(session or None, question)
    return known.keep(opened.id, an_answer(question, said))


@pytest.mark.req("CG-2")
def test_a_pair_is_embedded_once_its_answer_is_there(
    store: ConversationStore, make_recall: Callable[..., Recall]
) -> None:
    woken: list[str] = []
    known = Conversations(store, changed=lambda: woken.append("now"))
    recall, encoder = make_recall(), HashEncoder(dimension=64)
    session, _ = known.open(None, "When is zolvetrin taken?")
    assert recall.embed_missing() == 0 and woken == []
    turn = known.keep(session.id, an_answer("When is zolvetrin taken?", "In the morning."))
    assert woken == ["now"]
    assert recall.similar("When is zolvetrin taken?") == []
    assert (recall.embed_missing(), recall.embed_missing()) == (1, 0)
    (vector,) = encoder.encode(["Q: When is zolvetrin taken?\nA: In the morning."])
    (found,) = store.similar(vector, "hash-16, 64, pair 1", 5)
    assert (found.turn_id, found.similarity) == (turn.id, pytest.approx(1, abs=1e-5))
    # Another model, or the same with vectors of another length: all is made anew.
    for other in (HashEncoder("hash-b", 64), HashEncoder(dimension=32)):
        assert make_recall(other).embed_missing() == 1
        assert recall.similar("When is zolvetrin taken?") == []
    assert recall.embed_missing() == 1 and recall.similar("When is zolvetrin taken?")


@pytest.mark.req("CG-3")
def test_the_five_closest_earlier_questions_are_offered(
    store: ConversationStore, make_recall: Callable[..., Recall]
) -> None:
    known, recall = Conversations(store), make_recall()
    same = [ask(known, "Dose of zolvetrin in adults?", "37 mg.") for _ in range(3)]
    for word in "ABCDEF":
        ask(known, f"Dose of zolvetrin in adults {word}?", "37 mg.")
    other = ask(known, "Who painted the ceiling?", "Somebody else entirely did that.")
    refused = replace(an_answer("Dose of zolvetrin in cats?", "No."), refused=True)
    session, _ = known.open(None, "cats")
    known.keep(session.id, refused)
    assert recall.embed_missing() == 11
    found = recall.similar("dose of zolvetrin in adults?")
    assert len(found) == MOST and found[0].turn_id == same[-1].id, "the latest of the same words"
    assert not {one.turn_id for one in found} & {same[0].id, same[1].id, other.id}
    assert recall.similar("Ceiling fresco?") == []
    (cats,) = (one for one in recall.similar("zolvetrin in cats?", limit=99) if one.refused)
    assert cats.question == "Dose of zolvetrin in cats?"
    for words in HOSTILE:
        recall.similar(words)


def test_what_stands_just_above_is_not_offered(
    store: ConversationStore, make_recall: Callable[..., Recall]
) -> None:
    known, recall = Conversations(store), make_recall()
    first = ask(known, "Dose of zolvetrin?", "37 mg.")
    again = ask(known, "Dose of zolvetrin, please?", "37 mg.", first.session_id)
    assert recall.embed_missing() == 2 and recall.similar_to(again) == []
    elsewhere = ask(known, "Dose of zolvetrin now?", "37 mg.")
    recall.embed_missing()
    assert {one.turn_id for one in recall.similar_to(elsewhere)} == {first.id, again.id}
    assert recall.similar_to(first) == [], "nothing was asked before it"
    for number in range(4):
        ask(known, f"Number {number}?", "So.", first.session_id)
    last = ask(known, "Dose of zolvetrin?", "37 mg.", first.session_id)
    assert {one.turn_id for one in recall.similar_to(last)} == {first.id, elsewhere.id}


def test_a_follow_up_is_kept_as_it_was_read() -> None:
    follow_up = replace(an_answer("And in children?", "5 mg."), read_as="Zolvetrin in children?")
    assert pair_text(follow_up) == "Q: Zolvetrin in children?\nA: 5 mg."


def test_nothing_is_embedded_or_offered_when_it_is_off(
    store: ConversationStore, make_recall: Callable[..., Recall]
) -> None:
    known, recall = Conversations(store), make_recall()
    turn = ask(known, "Dose of zolvetrin?", "37 mg.")
    recall.turn(False)
    assert not recall.is_on and recall.embed_missing() == 0 and waiting(store) == [turn.id]
    recall.turn(True)
    assert recall.embed_missing() == 1 and recall.similar("Dose of zolvetrin?")
    recall.turn(False)
    assert recall.similar("Dose of zolvetrin?") == recall.similar_to(turn) == []
    forbidden = make_recall(allowed=False)
    forbidden.turn(True)
    assert not forbidden.is_on and not forbidden.is_ready


@pytest.mark.req("CG-2")
def test_an_answer_without_its_quotes_is_embedded_anew(
    store: ConversationStore, make_recall: Callable[..., Recall]
) -> None:
    recall = make_recall()
    known = Conversations(store, changed=lambda: None)
    quote = "Zolvetrin is swallowed whole with a glass of cold water every morning."
    citation = replace(a_citation(1, "doc9", "Z.pdf"), quote=quote)
    answer: Answer = replace(
        an_answer("How is it taken?"),
        sentences=(Sentence(quote, Support.DOCUMENT, (1,)),),
        citations=(citation,),
    )
    session, _ = known.open(None, "How is it taken?")
    known.keep(session.id, answer)
    recall.embed_missing()
    assert recall.similar(quote)
    assert known.remove_quotes(["doc9"]) == {"doc9": 1}
    assert recall.similar(quote) == [] and recall.embed_missing() == 1
    (turn,) = store.turns(session.id)
    assert pair_text(turn.answer) == f"Q: How is it taken?\nA: {REMOVED}"
    assert recall.similar(quote) == []


def test_embedding_goes_on_where_it_was_ended(
    store: ConversationStore, make_recall: Callable[..., Recall]
) -> None:
    known, recall = Conversations(store), make_recall()
    for number in range(20):
        ask(known, f"Number {number}?")
    answers = iter([True, False])
    ended = recall.embed_missing(lambda: next(answers))
    assert 0 < ended < 20 and len(waiting(store, "hash-16, 64, pair 1")) == 20 - ended
    assert recall.embed_missing() == 20 - ended
