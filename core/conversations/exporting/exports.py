"""Conversations out to files, and in again."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from core import __version__
from core.conversations.exporting.blocks import Block
from core.conversations.exporting.json_file import from_json_file, json_file
from core.conversations.exporting.markdown import markdown
from core.conversations.exporting.outline import outline
from core.conversations.exporting.pdf import pdf
from core.conversations.exporting.record import (
    CitedDocument,
    Record,
    Standing,
    content_hash,
    session_values,
    turn_values,
)
from core.conversations.exporting.word import word
from core.conversations.store import ConversationStore
from core.domain.answers import DocumentCitation
from core.domain.conversations import Session, Turn
from core.domain.documents import Document, DocumentState, Index
from core.domain.provenance.trace import DocumentVersion
from core.errors import Conflict, NotFound
from core.logs import get_logger

_LONGEST_NAME = 60  # characters of a file's name
_TRIES = 3
_log = get_logger("export")


class ExportFormat(StrEnum):
    """As which a conversation can be written."""

    MARKDOWN = "md"
    PDF = "pdf"
    WORD = "docx"
    JSON = "json"


MEDIA_TYPES = {
    ExportFormat.MARKDOWN: "text/markdown; charset=utf-8",
    ExportFormat.PDF: "application/pdf",
    ExportFormat.WORD: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ExportFormat.JSON: "application/json",
}
_READABLE: dict[ExportFormat, Callable[[Record, Iterable[Block]], bytes]] = {
    ExportFormat.MARKDOWN: lambda _record, blocks: markdown(blocks),
    ExportFormat.PDF: pdf,
    ExportFormat.WORD: word,
}


class Documents(Protocol):
    """What an export asks of the registry of documents."""

    def document(self, document_id: str) -> Document | None: ...
    def documents_named(self, index: str, file: str) -> list[Document]: ...
    def indexes(self, *, include_deleting: bool = False) -> list[Index]: ...


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to be saved; `name` has letters, digits and hyphens alone."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Exports:
    """Writes conversations, and reads what it wrote as JSON.

    Args:
        changed: called when a conversation was read in.
    """

    store: ConversationStore
    documents: Documents
    changed: Callable[[], None] = lambda: None

    def record(self, session_id: str, turn_id: str = "") -> Record:
        """A conversation with what became of its documents; one answer of it when `turn_id` is given.

        Raises:
            NotFound: there is no such conversation, no such answer, or nothing was asked in it.
            StoreError: a store cannot be read.
        """
        session = self.store.session(session_id)
        turns = self.store.turns(session_id) if session is not None else []
        chosen = [turn for turn in turns if turn_id in ("", turn.id)]
        if session is None or not chosen:
            what = "answer" if session is not None and turn_id else "conversation"
            raise NotFound(
                f"There is no such {what}.", advice="Look it up in the list of conversations."
            )
        session = replace(session, turns=len(turns))
        return Record(
            session,
            tuple(chosen),
            self._cited(chosen),
            datetime.now(UTC),
            __version__,
            content_hash(session_values(session), turn_values(chosen)),
            whole=not turn_id,
        )

    def written(self, session_id: str, form: ExportFormat, turn_id: str = "") -> ExportedFile:
        """A conversation, or one answer of it, as a file.

        Raises:
            NotFound, StoreError: see `record`.
        """
        record = self.record(session_id, turn_id)
        write = _READABLE.get(form)
        content = write(record, outline(record)) if write else json_file(record)
        _log.info("exported", format=str(form), turns=len(record.turns), bytes=len(content))
        return ExportedFile(file_name(record.title, form), MEDIA_TYPES[form], content)

    def read_in(self, data: bytes) -> Session:
        """Keep the conversation of a JSON file; ids stay where they are free.

        Either all of it is kept or nothing: what was kept before a failure is removed.

        Raises:
            DocumentError, TooLarge: see `core.conversations.exporting.json_file.from_json_file`.
            StoreError: the store cannot be written.
        """
        found = from_json_file(data)
        session = found.session
        if self.store.session(session.id) is not None:
            session = replace(session, id=uuid.uuid4().hex)
        turns = [_moved(turn, session.id) for turn in found.turns]
        try:
            self._restore(session, turns)
        except BaseException:
            self.store.delete_session(session.id)
            raise
        self.changed()
        _log.info("imported", session=session.id, turns=len(turns))
        return session

    def _restore(self, session: Session, turns: list[Turn]) -> None:
        """Keep all turns; one whose id another conversation has, under a new one."""
        for _ in range(_TRIES):
            for turn in turns:
                self.store.restore_turn(session, turn)
            places = {turn.position for turn in self.store.turns(session.id)}
            turns = [
                replace(turn, id=uuid.uuid4().hex) for turn in turns if turn.position not in places
            ]
            if not turns:
                return
        raise Conflict("The conversation could not be kept.", advice="Import it again.")

    def _cited(self, turns: Collection[Turn]) -> dict[str, CitedDocument]:
        """The documents that turns cite, by id."""
        files: dict[str, str] = {}
        traced: dict[str, DocumentVersion] = {}
        asked: dict[str, list[int]] = {}
        for turn in turns:
            for one in turn.answer.citations:
                if isinstance(one, DocumentCitation):
                    files.setdefault(one.document_id, one.file)
                    asked.setdefault(one.document_id, []).append(turn.position + 1)
            if turn.answer.trace is not None:
                traced.update({one.id: one for one in turn.answer.trace.documents})
        return {
            document_id: self._standing(
                traced.get(document_id) or DocumentVersion(document_id, file, "", "", ""),
                tuple(dict.fromkeys(asked[document_id])),
            )
            for document_id, file in files.items()
        }

    def _standing(self, version: DocumentVersion, turns: tuple[int, ...]) -> CitedDocument:
        document = self.documents.document(version.id)
        if document is not None and document.state is DocumentState.READY:
            return CitedDocument(
                DocumentVersion(
                    document.id, document.file, document.title, document.index, document.sha256
                ),
                Standing.PRESENT,
                turns,
            )
        others = any(
            self.documents.documents_named(index.name, version.file)
            for index in self.documents.indexes()
        )
        return CitedDocument(version, Standing.REPLACED if others else Standing.DELETED, turns)


def _moved(turn: Turn, session_id: str) -> Turn:
    return replace(turn, session_id=session_id, answer=replace(turn.answer, session=session_id))


def file_name(title: str, form: ExportFormat) -> str:
    """``materia-which-drugs-treat-gout-2026-05-03.pdf``, of the present day."""
    return f"materia-{_slug(title)}-{datetime.now(UTC):%Y-%m-%d}.{form}"


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))[:_LONGEST_NAME].strip("-")
    return words or "conversation"
