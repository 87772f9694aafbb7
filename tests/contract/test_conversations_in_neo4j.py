"""Conversations as the graph of CG-1 in a real Neo4j; what holds
for every store is in the module beside it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.conversations.service import Conversations
from core.domain.answers import EntityLink
from core.domain.conversations import SessionFilter, Summary
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.conversations import Neo4jConversations
from tests.contract.test_conversations import a_full_answer, moved
from tests.domain.answers import an_answer


@pytest.fixture
def store(neo4j: Neo4j) -> Neo4jConversations:
    return Neo4jConversations(neo4j)


def rows(neo4j: Neo4j, query: str) -> list[list[object]]:
    return [list(row.values()) for row in neo4j.read(query)]


@pytest.mark.req("CG-1")
def test_a_conversation_is_a_graph(neo4j: Neo4j, store: Neo4jConversations) -> None:
    neo4j.write(
        "CREATE (:GraphState {name: 'graph', version: 2}) "
        "CREATE (:Entity:Drug {id: 'D1', generation: 1}), (:Entity:Drug {id: 'D1', generation: 2}), "
        "(:Entity:Disease {id: 'E2', generation: 2})"
    )
    store.create_session("s", "Title")
    answer = a_full_answer()
    other = EntityLink("E2", "Disease", "Diabetes", 0.5, "treated by metformin")
    unknown = replace(other, id="unknown")
    for name in ("t0", "t1", "t2"):
        store.add_turn(name, "s", replace(answer, entities=(*answer.entities, other, unknown)))
    path = (
        "MATCH (u:User)-[:HAS_SESSION]->(s:Session)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->"
        "(a:Answer) RETURN u.id, s.id, q.id, q.position, a.text ORDER BY q.position"
    )
    assert rows(neo4j, path) == [
        ["analyst", "s", f"t{n}", n, "Metformin. [1][2]"] for n in range(3)
    ]
    following = "MATCH (a:Question)-[:NEXT]->(b) RETURN a.id, b.id ORDER BY a.id"
    assert rows(neo4j, following) == [["t0", "t1"], ["t1", "t2"]]
    mentions = (
        "MATCH (x {id: 't1'})-[:MENTIONS]->(e) RETURN 'question', e.id, e.generation UNION ALL "
        "MATCH ({id: 't1'})-[:HAS_ANSWER]->(x)-[:MENTIONS]->(e) "
        "RETURN 'answer' AS `'question'`, e.id, e.generation"
    )
    assert sorted(rows(neo4j, mentions)) == [
        ["answer", "D1", 2], ["answer", "E2", 2], ["question", "D1", 2],
    ]  # fmt: skip
    cites = "MATCH (a:Answer)-[:CITES]->(d:CitedDocument) RETURN d.id, d.file, count(a)"
    assert rows(neo4j, cites) == [["doc1", "Metformin.pdf", 3]]
    for text in ("Before", "Metformin."):
        store.keep_summary("s", Summary(text, 0, 2, datetime.now(UTC)))
    summary = "MATCH (s:Session)-[:HAS_SUMMARY]->(m:Summary) RETURN s.id, m.text, m.first, m.last"
    assert rows(neo4j, summary) == [["s", "Metformin.", 0, 2]]
    store.delete_session("s")
    assert rows(neo4j, "MATCH (m:Summary) RETURN m") == []


def test_restored_turns_are_linked_in_any_order(neo4j: Neo4j, store: Neo4jConversations) -> None:
    session, turns = moved(4)
    for number in (2, 0, 3, 1, 2):
        store.restore_turn(session, turns[number])
    following = "MATCH (a:Question)-[:NEXT]->(b) RETURN a.id, b.id ORDER BY a.id"
    assert rows(neo4j, following) == [["t0", "t1"], ["t1", "t2"], ["t2", "t3"]]
    assert rows(neo4j, "MATCH (a:Answer)-[c:CITES]->() RETURN count(c)") == [[4]]


def test_nothing_is_left_of_a_deleted_conversation(neo4j: Neo4j, store: Neo4jConversations) -> None:
    for name in ("a", "b"):
        store.create_session(name, name)
        store.add_turn(f"turn of {name}", name, a_full_answer())
        store.add_turn(f"next of {name}", name, an_answer("Q?"))
    assert store.delete_session("a") == 2
    count = "MATCH (n) RETURN labels(n)[0], count(*)"
    assert sorted(rows(neo4j, count)) == [
        ["Answer", 2], ["CitedDocument", 1], ["Question", 2], ["Session", 1], ["User", 1],
    ]  # fmt: skip
    assert store.delete_session("b") == 2 and rows(neo4j, count) == [["User", 1]]


def test_answers_from_before_are_found_too(neo4j: Neo4j, store: Neo4jConversations) -> None:
    """What an earlier Materia wrote: no rating, no list of what is mentioned or quoted, no refusal's mark."""
    neo4j.write(
        "CREATE (:GraphState {name: 'graph', version: 1}) CREATE (:Entity {id: 'D1', name: 'Metformin', "
        "type: 'Drug', generation: 1})"
    )
    store.create_session("s", "Title")
    hostile = replace(a_full_answer(), question='Is "refused": true?')
    store.add_turn("told", "s", hostile)
    store.create_session("r", "Refusal")
    store.add_turn("not told", "r", replace(hostile, refused=True, citations=()))
    neo4j.run("DROP INDEX answer_rating")
    neo4j.write("MATCH (a:Answer) REMOVE a.refused, a.mentioned, a.quoted")
    neo4j.write("MATCH (s:Session) REMOVE s.pinned, s.tags")
    again = Neo4jConversations(neo4j)
    for only, expected in (
        (SessionFilter(refused=True), ["r"]),
        (SessionFilter(refused=False), ["s"]),
        (SessionFilter(entity="D1"), ["r", "s"]),
        (SessionFilter(document="doc1"), ["s"]),
    ):
        assert [session.id for session in again.sessions(only=only)] == expected
    assert [one.turn_id for one in again.quoting(["doc1"])] == ["told"]
    assert [(one.id, one.name, one.answers) for one in again.mentioned_entities()] == [
        ("D1", "Metformin", 2)
    ]
    assert again.tags() == [] and not any(session.pinned for session in again.sessions())
    assert Conversations(again).remove_quotes(["doc1"]) == {"doc1": 2}
    assert again.quoting(["doc1"]) == []


def test_conversations_survive_another_connection(neo4j: Neo4j, store: Neo4jConversations) -> None:
    store.create_session("s", "Title")
    turn = store.add_turn("t", "s", a_full_answer())
    neo4j.close()
    assert Neo4jConversations(neo4j).turns("s") == [turn]
