"""Errors read from the end of the log, by the id that a message showed or the latest of all.

Of a line only fields are passed on that hold no text of documents, questions or answers; the log has masked
keys before it was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.logs import LOG_NAME, ROTATED, mask_secrets

MOST = 50  # errors that are listed
_TAIL = 1_000_000  # bytes of the newest log in which the latest are looked for
_BLOCK = 65_536
_LONGEST_LINE = 20_000  # bytes; a longer one is none of ours
_LONGEST = 400  # characters of a field
_LEVELS = ("warning", "error", "critical")
_ID = re.compile(r"[0-9A-Za-z_-]{4,64}")
_WHERE = ("path", "part", "task", "work", "kind", "type", "status")


@dataclass(frozen=True, slots=True)
class LoggedError:
    """A line of the log.

    Attributes:
        when: ISO 8601, UTC.
        level: ``warning``, ``error``; of what was looked for by its id also ``info``.
        code: of the error; empty where the line has none.
        what: in words.
        where: what part of Materia, and what it was about.
    """

    when: str
    level: str
    code: str
    what: str
    where: str
    correlation_id: str


def checked_id(text: str) -> str:
    """A correlation id as somebody typed it.

    Raises:
        InputError: it cannot be one (``INVALID_CORRELATION_ID``).
    """
    wanted = text.strip()
    if not _ID.fullmatch(wanted):
        raise InputError(
            "This is no correlation id.",
            advice="It stands in the message of an error, in letters and digits.",
            code="INVALID_CORRELATION_ID",
        )
    return wanted


def latest_errors(folder: Path, limit: int = MOST) -> list[LoggedError]:
    """The last warnings and errors, newest first; those of the last megabyte of the log."""
    found: list[LoggedError] = []
    left = _TAIL
    for place in _places(folder):
        for line in _backwards(place, left):
            left -= len(line) + 1
            error = _read(line)
            if error is not None and error.level in _LEVELS:
                found.append(error)
            if len(found) == limit or left <= 0:
                return found
    return found


def errors_with(folder: Path, correlation_id: str, limit: int = MOST) -> list[LoggedError]:
    """What the log has under a correlation id, oldest first; all of the logs that are kept are read.

    Raises:
        InputError: see `checked_id`.
    """
    wanted = checked_id(correlation_id)
    sought = wanted.encode()
    found: list[LoggedError] = []
    for place in _places(folder):
        for line in _backwards(place, None):
            error = _read(line) if sought in line else None
            if error is not None and error.correlation_id == wanted:
                found.append(error)
                if len(found) == limit:
                    return found[::-1]
    return found[::-1]


def _places(folder: Path) -> list[Path]:
    """The log and those it was rotated to, newest first."""
    return [folder / LOG_NAME, *(folder / f"{LOG_NAME}.{n}" for n in range(1, ROTATED + 1))]


def _backwards(place: Path, most: int | None) -> Iterator[bytes]:
    """The lines of a file, the last first; of `most` bytes from its end where that is given. A file that is
    rotated away meanwhile, or is not there, has no more."""
    with suppress(OSError), place.open("rb") as file:
        at = file.seek(0, 2)
        first = 0 if most is None else max(0, at - most)
        rest = b""
        while at > first:
            size = min(_BLOCK, at - first)
            at -= size
            file.seek(at)
            lines = (file.read(size) + rest).split(b"\n")
            rest = lines[0][-_LONGEST_LINE:]
            yield from (line for line in reversed(lines[1:]) if line)
        if rest and first == 0:
            yield rest


def _read(line: bytes) -> LoggedError | None:
    if len(line) > _LONGEST_LINE:
        return None
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    event = _text(data, "event").replace("_", " ")
    about = ", ".join(filter(None, (_text(data, name) for name in _WHERE)))
    return LoggedError(
        when=_text(data, "timestamp"),
        level=_text(data, "level"),
        code=_text(data, "code"),
        what=_text(data, "message") or _crash(data) or event,
        where=f"{event} ({about})" if about else event,
        correlation_id=_text(data, "correlation_id"),
    )


def _crash(data: Mapping[str, Any]) -> str:
    if "exception" not in data and "exc_info" not in data:
        return ""
    return "Something went wrong inside Materia; the log has the place in the code."


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name, "")
    return mask_secrets(str(value))[:_LONGEST] if isinstance(value, str | int | float) else ""
