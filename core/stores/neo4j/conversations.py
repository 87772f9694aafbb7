"""Sessions, questions and answers in Neo4j; implements `core.conversations.store.ConversationStore`.

(:User)-[:HAS_SESSION]->(:Session)-[:HAS_MESSAGE]->(:Question)-[:HAS_ANSWER]->(:Answer), questions in
order by (:Question)-[:NEXT]->(:Question) (CG-1). A question MENTIONS the entities that it names, an
answer all that it was made from. An answer CITES a (:Document) where the registry of documents is on
this server; otherwise, or when the document is removed, a (:CitedDocument {id, file}), so that what an
answer rested on is never lost. The whole answer is kept as JSON as well: what the graph no longer has
can still be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.domain.answers import Answer, DocumentCitation
from core.domain.conversations import Session, Turn
from core.domain.graph import NAMED_IN_QUESTION
from core.domain.serial import answer_from_json, answer_to_json
from core.errors import NotFound
from core.stores.library.rows import now, written
from core.stores.neo4j.connection import Neo4j, Row, Statement
from core.stores.neo4j.schema import ENTITIES, Schema, unique

_USER = "analyst"  # one analyst; sessions hang on a user from the first day
_TURNS_AT_ONCE = 200  # an answer's JSON has some ten kilobytes
_DELETE_SECONDS = 60.0

_SCHEMA = (
    *ENTITIES,
    unique("user_id", "User", "id"),
    unique("session_id", "Session", "id"),
    unique("question_id", "Question", "id"),
    unique("question_position", "Question", "session", "position"),
    unique("cited_document_id", "CitedDocument", "id"),
)
# Every write begins so: one writer at a time, as in the embedded store.
_LOCK = "MERGE (u:User {id: $user}) SET u.changed_at = $moment"
_CREATE_SESSION = (
    "MATCH (u:User {id: $user}) CREATE (u)-[:HAS_SESSION]->(s:Session) SET s = $session"
)
_RESTORE_SESSION = (
    "MATCH (u:User {id: $user}) MERGE (s:Session {id: $session.id}) "
    "ON CREATE SET s.created_at = $session.created_at "
    "SET s.title = $session.title, s.updated_at = $session.updated_at MERGE (u)-[:HAS_SESSION]->(s)"
)
_TURNS = "COUNT { (s)-[:HAS_MESSAGE]->(:Question) } AS turns"
_SESSION = f"MATCH (s:Session {{id: $id}}) RETURN s {{.*}} AS session, {_TURNS}"
_SESSIONS = (
    "MATCH (:User {id: $user})-[:HAS_SESSION]->(s:Session) "
    "WHERE EXISTS { (s)-[:HAS_MESSAGE]->(:Question) } AND ($search = '' "
    "OR toLower(s.title) CONTAINS $search OR EXISTS { "
    "MATCH (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "WHERE toLower(q.text) CONTAINS $search OR toLower(a.text) CONTAINS $search }) "
    f"RETURN s {{.*}} AS session, {_TURNS} "
    "ORDER BY s.updated_at DESC, s.id LIMIT $limit"
)
_RENAME = "MATCH (s:Session {id: $id}) SET s.title = $title"
_TOUCH = (
    f"{_LOCK} WITH u MATCH (u)-[:HAS_SESSION]->(s:Session {{id: $session}}) "
    "SET s.updated_at = $moment RETURN count(s) AS found"
)
_ADD_NEXT_TURN = (
    "OPTIONAL MATCH (before:Question {session: $session}) WHERE before.position IS NOT NULL "
    "WITH before ORDER BY before.session DESC, before.position DESC LIMIT 1 "
    "MATCH (s:Session {id: $session}) "
    "CREATE (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "SET q = $question, a = $answer, q.position = coalesce(before.position + 1, 0) "
    "FOREACH (x IN CASE WHEN before IS NULL THEN [] ELSE [before] END | CREATE (x)-[:NEXT]->(q)) "
    "RETURN q.position AS position"
)
_RESTORE_TURN = (
    "MATCH (s:Session {id: $session}) WHERE NOT EXISTS { (:Question {id: $question.id}) } "
    "CREATE (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "SET q = $question, a = $answer"
)
# On both sides: a restored turn may come before its neighbours or between them.
_LINK = (
    "MATCH (q:Question {id: $id}) "
    "CALL (q) { MATCH (b:Question {session: q.session, position: q.position - 1}) MERGE (b)-[:NEXT]->(q) } "
    "CALL (q) { MATCH (n:Question {session: q.session, position: q.position + 1}) MERGE (q)-[:NEXT]->(n) }"
)
_MENTION = (
    "MATCH (g:GraphState {name: 'graph'}) MATCH (q:Question {id: $id})-[:HAS_ANSWER]->(a:Answer) "
    "UNWIND $entities AS row MATCH (e:Entity {id: row.id, generation: g.version}) "
    "MERGE (a)-[:MENTIONS]->(e) "
    "FOREACH (x IN CASE WHEN row.named THEN [e] ELSE [] END | MERGE (q)-[:MENTIONS]->(x))"
)
_CITE = (
    "MATCH (:Question {id: $id})-[:HAS_ANSWER]->(a:Answer) "
    "UNWIND $documents AS row OPTIONAL MATCH (d:Document {id: row.id}) "
    "FOREACH (x IN CASE WHEN d IS NULL THEN [] ELSE [d] END | MERGE (a)-[:CITES]->(x)) "
    "FOREACH (x IN CASE WHEN d IS NULL THEN [row] ELSE [] END | "
    "MERGE (c:CitedDocument {id: x.id}) ON CREATE SET c.file = x.file MERGE (a)-[:CITES]->(c))"
)
_READ_TURNS = (
    "MATCH (q:Question {session: $session}) WHERE q.position IS NOT NULL "
    "MATCH (q)-[:HAS_ANSWER]->(a:Answer) "
    "RETURN q {.id, .session, .position, .created_at} AS question, a.payload AS payload "
    "ORDER BY q.position DESC"
)
_COUNT = "RETURN COUNT { (:Session {id: $id})-[:HAS_MESSAGE]->(:Question) } AS turns"
_DELETE = (
    "MATCH (s:Session {id: $id}) "
    "OPTIONAL MATCH (s)-[:HAS_MESSAGE]->(q:Question) OPTIONAL MATCH (q)-[:HAS_ANSWER]->(a:Answer) "
    "DETACH DELETE a, q, s"
)
_DELETE_UNCITED = "MATCH (c:CitedDocument) WHERE NOT EXISTS { (c)<-[:CITES]-() } DELETE c"


class Neo4jConversations:
    """The conversations' side of the store on a server."""

    def __init__(self, neo4j: Neo4j) -> None:
        self._schema = Schema(neo4j, _SCHEMA)

    @property
    def _neo4j(self) -> Neo4j:
        return self._schema.ensure()

    def create_session(self, session_id: str, title: str) -> Session:
        at = now()
        row = {"id": session_id, "title": title, "created_at": at, "updated_at": at}
        self._neo4j.write_all([_lock(), (_CREATE_SESSION, {"user": _USER, "session": row})])
        return _session(row, 0)

    def session(self, session_id: str) -> Session | None:
        rows = self._neo4j.read(_SESSION, {"id": session_id})
        return _session(rows[0]["session"], rows[0]["turns"]) if rows else None

    def sessions(self, search: str = "", limit: int = 200) -> list[Session]:
        wanted = {"user": _USER, "search": search.lower(), "limit": limit}
        rows = self._neo4j.read(_SESSIONS, wanted)
        return [_session(row["session"], row["turns"]) for row in rows]

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        at = now()
        question, kept = _rows(turn_id, session_id, answer, at)
        new = {"session": session_id, "question": question, "answer": kept}

        def check(results: list[list[Row]]) -> None:
            if results[0][0]["found"] == 0:
                raise NotFound(
                    "This conversation does not exist any more.", advice="Start a new one."
                )

        results = self._neo4j.write_all(
            [
                (_TOUCH, {"user": _USER, "session": session_id, "moment": at}),
                (_ADD_NEXT_TURN, new),
                *_links(turn_id, answer),
            ],
            check,
        )
        position = results[1][0]["position"]
        return Turn(turn_id, session_id, position, answer, datetime.fromisoformat(at))

    def restore_turn(self, session: Session, turn: Turn) -> None:
        at = written(turn.created_at)
        question, kept = _rows(turn.id, session.id, turn.answer, at)
        question["position"] = turn.position
        owner = {
            "id": session.id,
            "title": session.title,
            "created_at": written(session.created_at),
            "updated_at": written(session.updated_at),
        }
        self._neo4j.write_all(
            [
                _lock(),
                (_RESTORE_SESSION, {"user": _USER, "session": owner}),
                (_RESTORE_TURN, {"session": session.id, "question": question, "answer": kept}),
                (_LINK, {"id": turn.id}),
                *_links(turn.id, turn.answer),
            ]
        )

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        newest = _READ_TURNS if last is None else f"{_READ_TURNS} LIMIT $last"
        asked = {"session": session_id, "last": last}
        rows = self._neo4j.stream(newest, asked, _TURNS_AT_ONCE)
        return [_turn(row) for row in reversed(list(rows))]

    def rename_session(self, session_id: str, title: str) -> None:
        self._neo4j.write_all([_lock(), (_RENAME, {"id": session_id, "title": title})])

    def delete_session(self, session_id: str) -> int:
        named = {"id": session_id}
        results = self._neo4j.write_all(
            [_lock(), (_COUNT, named), (_DELETE, named), (_DELETE_UNCITED, {})],
            seconds=_DELETE_SECONDS,
        )
        turns: int = results[1][0]["turns"]
        return turns


def _lock() -> Statement:
    return _LOCK, {"user": _USER, "moment": now()}


def _links(turn_id: str, answer: Answer) -> list[Statement]:
    """Statements that tie a kept turn to entities and to documents."""
    entities = [
        {"id": entity.id, "named": entity.reason == NAMED_IN_QUESTION} for entity in answer.entities
    ]
    documents = {
        cited.document_id: cited.file
        for cited in answer.citations
        if isinstance(cited, DocumentCitation)
    }
    cited = [{"id": key, "file": file} for key, file in documents.items()]
    statements: list[Statement] = []
    if entities:
        statements.append((_MENTION, {"id": turn_id, "entities": entities}))
    if cited:
        statements.append((_CITE, {"id": turn_id, "documents": cited}))
    return statements


def _rows(turn_id: str, session_id: str, answer: Answer, at: str) -> tuple[Row, Row]:
    """Properties of a question and of its answer."""
    question = {"id": turn_id, "session": session_id, "text": answer.question, "created_at": at}
    return question, {"text": answer.text, "payload": answer_to_json(answer)}


def _turn(row: Mapping[str, Any]) -> Turn:
    question = row["question"]
    return Turn(
        question["id"],
        question["session"],
        question["position"],
        answer_from_json(row["payload"]),
        datetime.fromisoformat(question["created_at"]),
    )


def _session(row: Mapping[str, Any], turns: int) -> Session:
    return Session(
        row["id"],
        row["title"],
        datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(row["updated_at"]),
        turns,
    )
