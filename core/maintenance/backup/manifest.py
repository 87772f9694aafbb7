"""What a backup says of itself: versions, numbers, and the size and SHA-256 of each file in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.errors import InputError

NAME = "manifest.json"
FORMAT = "materia-backup"
VERSION = 1
DATABASE, OUTAGE_TURNS, VECTORS = "materia.db", "pending.db", "vectors.db"
MODEL_CHOICE, EVALUATION = "language_model.json", "evaluation/last.json"
MARKS = ("sample-loaded", "sample-begun")  # so that the sample does not come back by itself
MOST_BYTES = 64_000_000  # of a manifest
_ALONE = "|".join(
    map(re.escape, (DATABASE, OUTAGE_TURNS, VECTORS, MODEL_CHOICE, EVALUATION, *MARKS))
)
# Counts that are told, with the word for one.
_TOLD = {
    "documents": "document",
    "chunks": "chunk",
    "vectors": "vector",
    "entities": "entity",
    "relationships": "relationship",
    "conversations": "conversation",
}
# Names of files in a backup are made here, never by whoever made the backup.
_NAMES = re.compile(
    rf"(?:{_ALONE}|graph/[0-9]{{1,19}}\.db|files/[0-9A-Za-z_-]{{1,80}}(?:\.[0-9a-z]{{1,10}}){{0,2}})"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a backup."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds.

    Attributes:
        materia: the version that made it.
        schema_version: of its database.
        made_at: ISO 8601, UTC.
        counts: documents, chunks, vectors, entities, ... -> how many.
        settings: in force when it was made, without secrets; for reading, they are not restored.
        left_out: what is not in it, in words.
        entries: name in the archive -> file.
    """

    materia: str
    schema_version: int
    made_at: str
    counts: Mapping[str, int]
    settings: Mapping[str, str]
    left_out: tuple[str, ...]
    entries: Mapping[str, Entry]
    version: int = VERSION
    format: str = FORMAT

    @property
    def unpacked_bytes(self) -> int:
        """What all files take when they are unpacked."""
        return sum(one.bytes for one in self.entries.values())

    def written(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1).encode()

    @property
    def words(self) -> str:
        """What it holds, in one line."""
        found = ((self.counts.get(name, 0), name, one) for name, one in _TOLD.items())
        return ", ".join(f"{count:,} {one if count == 1 else name}" for count, name, one in found)


def read_manifest(raw: bytes, newest_schema: int) -> Manifest:
    """A manifest that this Materia can restore.

    Raises:
        InputError: it is none (``NOT_A_BACKUP``), a newer Materia's (``NEWER_BACKUP``), or names files that
            no backup has (``BACKUP_UNSAFE``).
    """
    try:
        data: Any = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise not_a_backup()
    version, schema = data.get("version"), data.get("schema_version")
    if not isinstance(version, int) or not isinstance(schema, int):
        raise not_a_backup()
    if version > VERSION or schema > newest_schema:
        raise InputError(
            f"This backup was made by a newer Materia ({str(data.get('materia'))[:20]}).",
            advice="Update Materia, then restore it. Nothing was changed.",
            code="NEWER_BACKUP",
        )
    try:
        manifest = TypeAdapter(Manifest).validate_python(data)
    except ValidationError:
        raise not_a_backup() from None
    foreign = [name for name in manifest.entries if not _NAMES.fullmatch(name)]
    if foreign or any(one.bytes < 0 for one in manifest.entries.values()):
        raise unsafe("It names a file that no backup has.")
    if DATABASE not in manifest.entries:
        raise not_a_backup()
    return manifest


def not_a_backup() -> InputError:
    return InputError(
        "This file is no backup of Materia.",
        advice="Choose a file that “backup” made. Nothing was changed.",
        code="NOT_A_BACKUP",
    )


def unsafe(why: str) -> InputError:
    return InputError(
        f"This backup is not unpacked: {why}",
        advice="Use another backup. Nothing was changed.",
        code="BACKUP_UNSAFE",
    )


def damaged(name: str) -> InputError:
    return InputError(
        f"The backup is damaged: {name} is not as it was written.",
        advice="Copy the file again, or use another backup. Nothing was changed.",
        code="BACKUP_DAMAGED",
    )
