"""Sessions, questions and answers in Neo4j; implements `core.conversations.store.ConversationStore`.

(:User)-[:HAS_SESSION]->(:Session)-[:HAS_MESSAGE]->(:Question)-[:HAS_ANSWER]->(:Answer), of a long session
(:Session)-[:HAS_SUMMARY]->(:Summary), questions in order by (:Question)-[:NEXT]->(:Question) (CG-1). A
question MENTIONS the entities that it is about, an
answer all that it was made from. An answer CITES a (:Document) where the registry of documents is on
this server; otherwise, or when the document is removed, a (:CitedDocument {id, file}), so that what an
answer rested on is never lost. The whole answer is kept as JSON as well: what the graph no longer has
can still be read. A rating is kept with its answer, pin and tags with their session.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
    LOCAL_USER,
    AnswerSubject,
    Feedback,
    FoundTurn,
    PairVector,
    QuotingTurn,
    Session,
    SessionFilter,
    SimilarTurn,
    Summary,
    TakenIds,
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
from core.stores.library.refusals import id_taken, session_gone, turn_gone
from core.stores.library.rows import now, written
from core.stores.neo4j import conversation_statements as cypher
from core.stores.neo4j.connection import Neo4j, Row, Statement
from core.stores.neo4j.pair_vectors import Neo4jPairVectors
from core.stores.neo4j.schema import Schema

_TURNS_AT_ONCE = 200  # an answer's JSON has some ten kilobytes
_LONG_SECONDS = 60.0  # for what goes through a whole conversation, or all of them


class Neo4jConversations:
    """The conversations' side of the store on a server.

    Args:
        user: whose conversations are seen; None: everybody's, and new ones are the local user's.
    """

    def __init__(self, neo4j: Neo4j, user: str | None = None, schema: Schema | None = None) -> None:
        self._server = neo4j
        self._schema = schema or Schema(neo4j, cypher.SCHEMA)
        self._user = user

    def of_user(self, user: str) -> Neo4jConversations:
        return Neo4jConversations(self._server, user, self._schema)

    def users(self) -> list[str]:
        return [row["user"] for row in self._neo4j.read(cypher.USERS)]

    @property
    def _neo4j(self) -> Neo4j:
        return self._schema.ensure()

    def create_session(self, session_id: str, title: str) -> Session:
        at = now()
        row = {"id": session_id, "title": title, "created_at": at, "updated_at": at}
        user = self._user or LOCAL_USER
        self._neo4j.write_all([_lock(), (cypher.CREATE_SESSION, {"user": user, "session": row})])
        return _session(row, user)

    def session(self, session_id: str) -> Session | None:
        rows = self._neo4j.read(cypher.SESSION, self._asked(id=session_id))
        return _counted(rows[0]) if rows else None

    def sessions(
        self, search: str = "", limit: int = 200, only: SessionFilter = EVERY_SESSION
    ) -> list[Session]:
        wanted = self._looked_for(search, only)
        wanted |= {"limit": limit, "of_turns": only.of_turns}
        return [_counted(row) for row in self._neo4j.read(cypher.SESSIONS, wanted)]

    def found_turns(
        self, session_ids: Sequence[str], search: str, only: SessionFilter
    ) -> list[FoundTurn]:
        wanted = self._looked_for(search, only) | {"ids": list(session_ids)}
        return [FoundTurn(**row) for row in self._neo4j.read(cypher.FOUND_TURNS, wanted)]

    def _looked_for(self, search: str, only: SessionFilter) -> dict[str, Any]:
        """Parameters of a search."""
        return self._asked(
            search=search.lower(),
            entity=only.entity,
            document=only.document,
            refused=only.refused,
            unsure=only.may_not_answer,
            rating=only.rating.value if only.rating else "",
            tag=only.tag,
        )

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        at = now()
        question, kept = _rows(turn_id, session_id, answer, at)
        new = {"session": session_id, "question": question, "answer": kept}

        def check(results: list[list[Row]]) -> None:
            if results[0][0]["found"] == 0:
                raise session_gone()

        results = self._neo4j.write_all(
            [
                (cypher.TOUCH, self._asked(session=session_id, moment=at)),
                (cypher.ADD_NEXT_TURN, new),
                *_links({turn_id: answer}),
            ],
            check,
        )
        position = results[1][0]["position"]
        return Turn(turn_id, session_id, position, answer, datetime.fromisoformat(at))

    def restore_turn(self, session: Session, turn: Turn) -> None:
        row = _turn_row(replace(turn, session_id=session.id))
        user = self._user or session.user

        def check(results: list[list[Row]]) -> None:
            if any(row["user"] != user for row in results[1]):
                raise id_taken()

        self._neo4j.write_all(
            [
                _lock(),
                (cypher.OWNERS, {"id": session.id}),
                (cypher.RESTORE_SESSION, {"user": user, "session": _session_row(session)}),
                (cypher.RESTORE_TURN, {"session": session.id, **row}),
                (cypher.LINK, {"id": turn.id}),
                *_links({turn.id: turn.answer}),
            ],
            check,
        )

    def taken(self, session_ids: Sequence[str], turn_ids: Sequence[str]) -> TakenIds:
        sessions = self._neo4j.read(cypher.TAKEN_SESSIONS, {"ids": list(session_ids)})
        turns = self._neo4j.read(cypher.TAKEN_TURNS, {"ids": list(turn_ids)})
        return TakenIds(
            frozenset(row["id"] for row in sessions), {row["id"]: row["session"] for row in turns}
        )

    def import_session(self, session: Session, turns: Sequence[Turn]) -> None:
        from neo4j.exceptions import ConstraintError

        rows = [_turn_row(turn) for turn in turns]
        batches = (rows[n : n + _TURNS_AT_ONCE] for n in range(0, len(rows), _TURNS_AT_ONCE))
        new = {"user": self._user or LOCAL_USER, "session": _session_row(session)}
        statements = [
            _lock(),
            (cypher.CREATE_SESSION, new),
            *((cypher.IMPORT_TURNS, {"session": session.id, "turns": some}) for some in batches),
            (cypher.LINK_ALL, {"session": session.id}),
            *_links({turn.id: turn.answer for turn in turns}),
        ]
        try:
            self._neo4j.write_all(statements, seconds=_LONG_SECONDS)
        except ConstraintError as error:
            raise id_taken() from error

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        newest = cypher.READ_TURNS if last is None else f"{cypher.READ_TURNS} LIMIT $last"
        asked = self._asked(session=session_id, last=last)
        rows = self._neo4j.stream(newest, asked, _TURNS_AT_ONCE)
        return [_turn(row) for row in reversed(list(rows))]

    def turn(self, turn_id: str) -> Turn | None:
        rows = self._neo4j.read(cypher.READ_TURN, self._asked(id=turn_id))
        return _turn(rows[0]) if rows else None

    def rename_session(self, session_id: str, title: str) -> None:
        self._neo4j.write_all([_lock(), (cypher.RENAME, self._asked(id=session_id, title=title))])

    def mark_session(self, session_id: str, pinned: bool, tags: Sequence[str]) -> None:
        marks = self._asked(id=session_id, pinned=pinned, tags=sorted(set(tags)))
        self._neo4j.write_all([_lock(), (cypher.MARK, marks)])

    def delete_session(self, session_id: str) -> int:
        named = self._asked(id=session_id)
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

        rated = self._asked(id=turn_id, feedback=feedback_row(feedback))
        self._neo4j.write_all([_lock(), (cypher.RATE, rated)], check)

    def rated_turns(self) -> list[Turn]:
        rows = self._neo4j.stream(cypher.READ_RATED, self._asked(), _TURNS_AT_ONCE)
        return [_turn(row) for row in rows]

    # -- what answers rest on ----------------------------------------------------------------------

    def quoting(self, document_ids: Sequence[str]) -> list[QuotingTurn]:
        keys = [f'"document_id": {json.dumps(one, ensure_ascii=False)}' for one in document_ids]
        asked = self._asked(ids=list(document_ids), keys=keys)
        rows = self._neo4j.read(cypher.QUOTING, asked, seconds=_LONG_SECONDS)
        return [
            QuotingTurn(row["session"], row["turn"], row["question"], row["cited"]) for row in rows
        ]

    def replace_answers(self, answers: Mapping[str, Answer]) -> None:
        statements = [
            (cypher.REPLACE, self._asked(id=turn_id, answer=_answer_row(answer)))
            for turn_id, answer in answers.items()
        ]
        self._neo4j.write_all([_lock(), *statements], seconds=_LONG_SECONDS)

    def mentioned_entities(self, limit: int = 200) -> list[AnswerSubject]:
        rows = self._neo4j.read(cypher.MENTIONED, self._asked(limit=limit))
        return [AnswerSubject(**row) for row in rows]

    def cited_documents(self, limit: int = 200) -> list[AnswerSubject]:
        rows = self._neo4j.read(cypher.CITED, self._asked(limit=limit))
        return [AnswerSubject(**row) for row in rows]

    def tags(self) -> list[str]:
        return sorted(row["tag"] for row in self._neo4j.read(cypher.TAGS, self._asked()))

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> list[TurnUsage]:
        rows = self._neo4j.stream(cypher.USAGE, self._looked_for(search, only), _TURNS_AT_ONCE)
        return [read_usage(row["payload"], row["asked_at"], row["rating"]) for row in rows]

    # -- summaries ---------------------------------------------------------------------------------

    def summary(self, session_id: str) -> Summary | None:
        rows = self._neo4j.read(cypher.READ_SUMMARY, self._asked(id=session_id))
        return read_summary(rows[0]["summary"]) if rows else None

    def keep_summary(self, session_id: str, summary: Summary | None) -> None:
        statements = [_lock(), (cypher.REMOVE_SUMMARY, self._asked(id=session_id))]
        if summary is not None:
            kept = self._asked(id=session_id, summary=summary_row(summary))
            statements.append((cypher.KEEP_SUMMARY, kept))
        self._neo4j.write_all(statements)

    # -- recall ------------------------------------------------------------------------------------

    def without_vector(self, model: str, limit: int) -> list[Turn]:
        asked = {"model": model, "limit": limit}
        rows = self._neo4j.read(cypher.WITHOUT_VECTOR, asked, seconds=_LONG_SECONDS)
        return [_turn(row) for row in rows]

    def keep_vectors(self, vectors: Sequence[PairVector]) -> int:
        return Neo4jPairVectors(self._neo4j, self._user).keep(vectors, _lock())

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None = None
    ) -> list[SimilarTurn]:
        return Neo4jPairVectors(self._neo4j, self._user).similar(vector, model, limit, before)

    def _asked(self, **parameters: Any) -> dict[str, Any]:
        """Parameters of a statement that sees what is the user's."""
        return {**parameters, "owner": self._user}


def _lock() -> Statement:
    return cypher.LOCK, {"moment": now()}


def _links(answers: Mapping[str, Answer]) -> list[Statement]:
    """Statements that tie kept turns to entities and to documents."""
    entities = [
        {"turn": turn_id, "id": row["entity_id"], "named": row["named"]}
        for turn_id, answer in answers.items()
        for row in mention_rows(answer)
    ]
    cited = [
        {"turn": turn_id, "id": row["document_id"], "file": row["file"]}
        for turn_id, answer in answers.items()
        for row in source_rows(answer)
        if row["cited"]
    ]
    statements: list[Statement] = []
    if entities:
        statements.append((cypher.MENTION, {"entities": entities}))
    if cited:
        statements.append((cypher.CITE, {"documents": cited}))
    return statements


def _session_row(session: Session) -> Row:
    """Properties of a session that is kept as it was."""
    return {
        "id": session.id,
        "title": session.title,
        "created_at": written(session.created_at),
        "updated_at": written(session.updated_at),
        "pinned": session.pinned,
        "tags": sorted(set(session.tags)),
    }


def _turn_row(turn: Turn) -> Row:
    """A turn that is kept as it was."""
    question, kept = _rows(turn.id, turn.session_id, turn.answer, written(turn.created_at))
    question["position"] = turn.position
    kept |= feedback_row(turn.feedback)
    return {"question": question, "answer": kept}


def _rows(turn_id: str, session_id: str, answer: Answer, at: str) -> tuple[Row, Row]:
    """Properties of a question and of its answer."""
    question = {"id": turn_id, "session": session_id, "text": answer.question, "created_at": at}
    return question, _answer_row(answer)


def _answer_row(answer: Answer) -> Row:
    """Properties of an answer; `about` also has what the graph does not know."""
    return {
        "text": answer.text,
        "payload": answer_to_json(answer),
        "refused": answer.refused,
        "about": [row["entity_id"] for row in mention_rows(answer) if row["named"]],
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


def _session(
    row: Mapping[str, Any], user: str, turns: int = 0, up: int = 0, down: int = 0
) -> Session:
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
        user,
    )


def _counted(row: Mapping[str, Any]) -> Session:
    """A session as it was read, with the counts of its turns."""
    return _session(row["session"], row["user"], row["turns"], row["rated_up"], row["rated_down"])
