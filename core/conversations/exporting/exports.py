"""Conversations out to files, and in again."""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from core import __version__
from core.conversations.exporting.blocks import Block
from core.conversations.exporting.importing import ReadIn, read_in
from core.conversations.exporting.json_file import json_file
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
from core.documents.library.shelves import EARLIER
from core.domain.answers import DocumentCitation, GraphCitation
from core.domain.conversations import LOCAL_USER, Turn
from core.domain.documents import Document, DocumentState, Index
from core.domain.provenance.trace import DocumentVersion, GraphVersion
from core.errors import NotFound, StoreError
from core.logs import get_logger

_LONGEST_NAME = 60  # characters of a file's name
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


class Graph(Protocol):
    """What an export asks of the graph."""

    def fingerprint(self) -> GraphVersion: ...


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
        graph: to tell whether it is still the one that answers cite.
    """

    store: ConversationStore
    documents: Documents
    changed: Callable[[], None] = lambda: None
    graph: Graph | None = None
    user: str = LOCAL_USER

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
                f"There is no such {what}.",
                advice="Look it up in the list of conversations.",
                code=f"{what.upper()}_NOT_FOUND",
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
            graph=self._graph(chosen),
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

    def archive(self, session_ids: Collection[str], form: ExportFormat) -> ExportedFile:
        """Several conversations as files in one ZIP archive.

        Raises:
            NotFound, StoreError: see `record`; no archive is made then.
        """
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, session_id in enumerate(session_ids, start=1):
                file = self.written(session_id, form)
                archive.writestr(f"{number:03}-{file.name}", file.content)
        name = f"materia-conversations-{datetime.now(UTC):%Y-%m-%d}.zip"
        return ExportedFile(name, "application/zip", made.getvalue())

    def of_user(self, user: str) -> Exports:
        """The same for the conversations of one user."""
        return replace(self, store=self.store.of_user(user), user=user)

    def read_in(self, data: bytes) -> ReadIn:
        """Keep the conversation of a JSON file, see `core.conversations.exporting.importing.read_in`."""
        done = read_in(self.store, self.user, data)
        self.changed()
        return done

    def _graph(self, turns: Collection[Turn]) -> GraphVersion | None:
        """The graph as it is now, if one of the turns cites it."""
        if self.graph is None or not any(
            isinstance(one, GraphCitation) for turn in turns for one in turn.answer.citations
        ):
            return None
        try:
            return self.graph.fingerprint()
        except StoreError:
            return None

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
                Standing.REPLACED if document.index == EARLIER else Standing.PRESENT,
                turns,
            )
        others = any(
            self.documents.documents_named(index.name, version.file)
            for index in self.documents.indexes()
        )
        return CitedDocument(version, Standing.REPLACED if others else Standing.DELETED, turns)


def file_name(title: str, form: str) -> str:
    """``materia-which-drugs-treat-gout-2026-05-03.pdf``, of the present day.

    Args:
        form: the file's ending, an `ExportFormat` or another.
    """
    return f"materia-{_slug(title)}-{datetime.now(UTC):%Y-%m-%d}.{form}"


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))[:_LONGEST_NAME].strip("-")
    return words or "conversation"
