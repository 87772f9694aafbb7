"""Sessions, questions and answers in Neo4j; implements `core.conversations.store.ConversationStore`.

(:User)-[:HAS_SESSION]->(:Session)-[:HAS_MESSAGE]->(:Question)-[:HAS_ANSWER]->(:Answer), of a long session
(:Session)-[:HAS_SUMMARY]->(:Summary), questions in order by (:Question)-[:NEXT]->(:Question) (CG-1). A
question MENTIONS the entities that it names, an
answer all that it was made from. An answer CITES a (:Document) where the registry of documents is on
this server; otherwise, or when the document is removed, a (:CitedDocument {id, file}), so that what an
answer rested on is never lost. A question holds the embedding of it and its answer (CG-2), in a vector index
that is made with the first of them. The whole answer is kept as JSON as well: what the graph no longer has
can still be read. A rating is kept with its answer, pin and tags with their session.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
    AnswerSubject,
    Feedback,
    PairVector,
    QuotingTurn,
    Session,
    SessionFilter,
    SimilarTurn,
    Summary,
    Turn,
    TurnUsage,
)
from core.domain.serial import answer_from_json, answer_to_json
from core.domain.vectors import Vector
from core.stores.library.answer_rows import (
    feedback_row,
    mention_rows,
    read_feedback,
    read_summary,
    read_usage,
    source_rows,
    summary_row,
)
from core.stores.library.refusals import session_gone, turn_gone
from core.stores.library.rows import now, written
from core.stores.neo4j import conversation_statements as cypher
from core.stores.neo4j.connection import Neo4j, Row, Statement
from core.stores.neo4j.schema import Schema

_TURNS_AT_ONCE = 200  # an answer's JSON has some ten kilobytes
_LEAST_ASKED = 50  # near vectors; the index looks at as many candidates, so few are found inexactly
_MORE = 4  # times as many are asked for when others' took the places
_LONG_SECONDS = 60.0  # for what goes through a whole conversation, or all of them


class Neo4jConversations:
    """The conversations' side of the store on a server."""

    def __init__(self, neo4j: Neo4j) -> None:
        self._schema = Schema(neo4j, cypher.SCHEMA)

    @property
    def _neo4j(self) -> Neo4j:
        return self._schema.ensure()

    def create_session(self, session_id: str, title: str) -> Session:
        at = now()
        row = {"id": session_id, "title": title, "created_at": at, "updated_at": at}
        self._neo4j.write_all(
            [_lock(), (cypher.CREATE_SESSION, {"user": cypher.USER, "session": row})]
        )
        return _session(row)

    def session(self, session_id: str) -> Session | None:
        rows = self._neo4j.read(cypher.SESSION, {"id": session_id})
        return _counted(rows[0]) if rows else None

    def sessions(
        self, search: str = "", limit: int = 200, only: SessionFilter = EVERY_SESSION
    ) -> list[Session]:
        wanted = {**_asked(search, only), "limit": limit, "of_turns": only.of_turns}
        return [_counted(row) for row in self._neo4j.read(cypher.SESSIONS, wanted)]

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        at = now()
        question, kept = _rows(turn_id, session_id, answer, at)
        new = {"session": session_id, "question": question, "answer": kept}

        def check(results: list[list[Row]]) -> None:
            if results[0][0]["found"] == 0:
                raise session_gone()

        results = self._neo4j.write_all(
            [
                (cypher.TOUCH, {"user": cypher.USER, "session": session_id, "moment": at}),
                (cypher.ADD_NEXT_TURN, new),
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
        kept |= feedback_row(turn.feedback)
        owner = {
            "id": session.id,
            "title": session.title,
            "created_at": written(session.created_at),
            "updated_at": written(session.updated_at),
            "pinned": session.pinned,
            "tags": sorted(set(session.tags)),
        }
        self._neo4j.write_all(
            [
                _lock(),
                (cypher.RESTORE_SESSION, {"user": cypher.USER, "session": owner}),
                (
                    cypher.RESTORE_TURN,
                    {"session": session.id, "question": question, "answer": kept},
                ),
                (cypher.LINK, {"id": turn.id}),
                *_links(turn.id, turn.answer),
            ]
        )

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        newest = cypher.READ_TURNS if last is None else f"{cypher.READ_TURNS} LIMIT $last"
        asked = {"session": session_id, "last": last}
        rows = self._neo4j.stream(newest, asked, _TURNS_AT_ONCE)
        return [_turn(row) for row in reversed(list(rows))]

    def turn(self, turn_id: str) -> Turn | None:
        rows = self._neo4j.read(cypher.READ_TURN, {"id": turn_id})
        return _turn(rows[0]) if rows else None

    def rename_session(self, session_id: str, title: str) -> None:
        self._neo4j.write_all([_lock(), (cypher.RENAME, {"id": session_id, "title": title})])

    def mark_session(self, session_id: str, pinned: bool, tags: Sequence[str]) -> None:
        marks = {"id": session_id, "pinned": pinned, "tags": sorted(set(tags))}
        self._neo4j.write_all([_lock(), (cypher.MARK, marks)])

    def delete_session(self, session_id: str) -> int:
        named = {"id": session_id}
        results = self._neo4j.write_all(
            [_lock(), (cypher.COUNT, named), (cypher.DELETE, named), (cypher.DELETE_UNCITED, {})],
            seconds=_LONG_SECONDS,
        )
        turns: int = results[1][0]["turns"]
        return turns

    # -- ratings -----------------------------------------------------------------------------------

    def rate_turn(self, turn_id: str, feedback: Feedback | None) -> None:
        def check(results: list[list[Row]]) -> None:
            if results[1][0]["found"] == 0:
                raise turn_gone()

        rated = {"id": turn_id, "feedback": feedback_row(feedback)}
        self._neo4j.write_all([_lock(), (cypher.RATE, rated)], check)

    def rated_turns(self) -> list[Turn]:
        return [_turn(row) for row in self._neo4j.stream(cypher.READ_RATED, {}, _TURNS_AT_ONCE)]

    # -- what answers rest on ----------------------------------------------------------------------

    def quoting(self, document_ids: Sequence[str]) -> list[QuotingTurn]:
        keys = [f'"document_id": {json.dumps(one, ensure_ascii=False)}' for one in document_ids]
        asked = {"ids": list(document_ids), "keys": keys}
        rows = self._neo4j.read(cypher.QUOTING, asked, seconds=_LONG_SECONDS)
        return [
            QuotingTurn(row["session"], row["turn"], row["question"], row["cited"]) for row in rows
        ]

    def replace_answers(self, answers: Mapping[str, Answer]) -> None:
        statements = [
            (cypher.REPLACE, {"id": turn_id, "answer": _answer_row(answer)})
            for turn_id, answer in answers.items()
        ]
        self._neo4j.write_all([_lock(), *statements], seconds=_LONG_SECONDS)

    def mentioned_entities(self, limit: int = 200) -> list[AnswerSubject]:
        return [
            AnswerSubject(**row) for row in self._neo4j.read(cypher.MENTIONED, {"limit": limit})
        ]

    def cited_documents(self, limit: int = 200) -> list[AnswerSubject]:
        return [AnswerSubject(**row) for row in self._neo4j.read(cypher.CITED, {"limit": limit})]

    def tags(self) -> list[str]:
        return sorted(row["tag"] for row in self._neo4j.read(cypher.TAGS))

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> list[TurnUsage]:
        rows = self._neo4j.stream(cypher.USAGE, _asked(search, only), _TURNS_AT_ONCE)
        return [read_usage(row["payload"], row["asked_at"], row["rating"]) for row in rows]

    # -- summaries ---------------------------------------------------------------------------------

    def summary(self, session_id: str) -> Summary | None:
        rows = self._neo4j.read(cypher.READ_SUMMARY, {"id": session_id})
        return read_summary(rows[0]["summary"]) if rows else None

    def keep_summary(self, session_id: str, summary: Summary | None) -> None:
        statements = [_lock(), (cypher.REMOVE_SUMMARY, {"id": session_id})]
        if summary is not None:
            kept = {"id": session_id, "summary": summary_row(summary)}
            statements.append((cypher.KEEP_SUMMARY, kept))
        self._neo4j.write_all(statements)

    # -- recall ------------------------------------------------------------------------------------

    def without_vector(self, model: str, limit: int) -> list[Turn]:
        asked = {"model": model, "limit": limit}
        rows = self._neo4j.read(cypher.WITHOUT_VECTOR, asked, seconds=_LONG_SECONDS)
        return [_turn(row) for row in rows]

    def keep_vectors(self, vectors: Sequence[PairVector]) -> int:
        if not vectors:
            return 0
        self._ensure_index(len(vectors[0].vector))
        rows = [
            {
                "id": one.turn_id,
                "answer": one.answer,
                "model": one.model,
                "vector": one.vector.tolist(),
            }
            for one in vectors
        ]
        results = self._neo4j.write_all(
            [_lock(), (cypher.KEEP_VECTORS, {"rows": rows})], seconds=_LONG_SECONDS
        )
        kept: int = results[1][0]["kept"]
        return kept

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None = None
    ) -> list[SimilarTurn]:
        if self._dimension() != len(vector):
            return []
        asked = {
            "index": cypher.PAIRS,
            "vector": vector.tolist(),
            "user": cypher.USER,
            "model": model,
            "before": written(before) if before else None,
        }
        count = max(2 * limit, _LEAST_ASKED)
        while True:
            (row,) = self._neo4j.read(cypher.SIMILAR, {**asked, "count": count})
            if len(row["found"]) >= limit or row["size"] < count:
                near = [_similar(one) for one in row["found"]]
                return sorted(near, key=lambda one: (-one.similarity, one.turn_id))[:limit]
            count *= _MORE

    def _dimension(self) -> int:
        """Numbers of a vector in the index; 0 without one."""
        rows = self._neo4j.read(cypher.SHOW_PAIRS, {"name": cypher.PAIRS})
        return int(rows[0]["dimension"]) if rows else 0

    def _ensure_index(self, dimension: int) -> None:
        """Make the index; one of another embedding model's dimension goes."""
        present = self._dimension()
        if present != dimension:
            config = {
                "vector.dimensions": dimension,
                "vector.similarity_function": "cosine",
                "vector.quantization.enabled": False,
            }
            if present:
                self._neo4j.run(cypher.DROP_PAIRS, {}, _LONG_SECONDS)
            made = {"options": {"indexConfig": config}}
            self._neo4j.run(cypher.CREATE_PAIRS, made, _LONG_SECONDS)
            self._neo4j.run(cypher.AWAIT_PAIRS, {}, _LONG_SECONDS)


def _asked(search: str, only: SessionFilter) -> Row:
    """What the conditions on sessions and turns compare with."""
    return {
        "user": cypher.USER,
        "search": search.lower(),
        "tag": only.tag,
        "entity": only.entity,
        "document": only.document,
        "refused": only.refused,
        "rating": only.rating.value if only.rating else "",
    }


def _lock() -> Statement:
    return cypher.LOCK, {"user": cypher.USER, "moment": now()}


def _links(turn_id: str, answer: Answer) -> list[Statement]:
    """Statements that tie a kept turn to entities and to documents."""
    entities = [{"id": row["entity_id"], "named": row["named"]} for row in mention_rows(answer)]
    cited = [
        {"id": row["document_id"], "file": row["file"]}
        for row in source_rows(answer)
        if row["cited"]
    ]
    statements: list[Statement] = []
    if entities:
        statements.append((cypher.MENTION, {"id": turn_id, "entities": entities}))
    if cited:
        statements.append((cypher.CITE, {"id": turn_id, "documents": cited}))
    return statements


def _rows(turn_id: str, session_id: str, answer: Answer, at: str) -> tuple[Row, Row]:
    """Properties of a question and of its answer."""
    question = {"id": turn_id, "session": session_id, "text": answer.question, "created_at": at}
    return question, _answer_row(answer)


def _answer_row(answer: Answer) -> Row:
    """Properties of an answer; `mentioned` also has what the graph does not know."""
    return {
        "text": answer.text,
        "payload": answer_to_json(answer),
        "refused": answer.refused,
        "mentioned": [row["entity_id"] for row in mention_rows(answer)],
        "quoted": [row["document_id"] for row in source_rows(answer) if row["quoted"]],
    }


def _turn(row: Mapping[str, Any]) -> Turn:
    question = row["question"]
    return Turn(
        question["id"],
        question["session"],
        question["position"],
        answer_from_json(row["payload"]),
        datetime.fromisoformat(question["created_at"]),
        read_feedback(row["feedback"]),
    )


def _session(row: Mapping[str, Any], turns: int = 0, up: int = 0, down: int = 0) -> Session:
    return Session(
        row["id"],
        row["title"],
        datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(row["updated_at"]),
        turns,
        row.get("pinned") or False,
        tuple(row.get("tags") or ()),
        up,
        down,
    )


def _counted(row: Mapping[str, Any]) -> Session:
    """A session as it was read, with the counts of its turns."""
    return _session(row["session"], row["turns"], row["rated_up"], row["rated_down"])


def _similar(row: Mapping[str, Any]) -> SimilarTurn:
    """A question that the index found; Neo4j's cosine score is (1 + cosine) / 2."""
    return SimilarTurn(
        row["id"],
        row["session"],
        row["position"],
        row["text"],
        datetime.fromisoformat(row["created_at"]),
        2.0 * row["score"] - 1.0,
        row["refused"],
    )
