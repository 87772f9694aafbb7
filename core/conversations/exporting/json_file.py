"""A record as JSON, whole and without loss, and the way back: everything is checked before it is believed."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NoReturn

from pydantic import ValidationError

from core.conversations.exporting.record import (
    Record,
    content_hash,
    session_values,
    turn_values,
    written,
)
from core.domain.answers import Answer, DocumentCitation
from core.domain.conversations import (
    LONGEST_COMMENT,
    LONGEST_TAG,
    MOST_TAGS,
    Fault,
    Feedback,
    Rating,
    Session,
    Turn,
    title_of,
)
from core.domain.serial import answer_from_json, answer_to_json
from core.errors import DocumentError, TooLarge

FORMAT = "materia-conversation"
VERSION = 1
MOST_BYTES = 50_000_000
MOST_TURNS = 10_000
_LONGEST_TITLE = 300
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_KEYS = {"format", "version", "exported_at", "program", "sha256", "whole", "session", "turns"}
_MAY = {"documents"}


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation as a file has it; positions count from 0."""

    session: Session
    turns: tuple[Turn, ...]


def json_file(record: Record) -> bytes:
    """The file, UTF-8, readable."""
    session, turns = session_values(record.session), turn_values(record.turns)
    documents = [
        {
            "id": one.version.id,
            "file": one.version.file,
            "title": one.version.title,
            "index": one.version.index,
            "sha256": one.version.sha256,
            "standing": str(one.standing),
            "questions": list(one.turns),
        }
        for one in record.documents.values()
    ]
    values = {
        "format": FORMAT,
        "version": VERSION,
        "program": record.program,
        "exported_at": written(record.exported_at),
        "sha256": record.sha256,
        "whole": record.whole,
        "session": session,
        "turns": turns,
        "documents": documents,
    }
    return (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode()


def from_json_file(data: bytes) -> Imported:
    """The conversation of a file that `json_file` wrote.

    Raises:
        TooLarge: more than 50 MB, or 10,000 questions.
        DocumentError: it is none (``NOT_A_CONVERSATION``), of a newer Materia (``NEWER_EXPORT``), changed
            since it was written (``EXPORT_CHANGED``), or a value of it cannot be (``INVALID_EXPORT``).
    """
    if len(data) > MOST_BYTES:
        raise TooLarge(
            f"The file has {len(data) / 1e6:,.0f} MB; the limit is {MOST_BYTES / 1e6:,.0f} MB.",
            advice="Import the conversation in smaller parts.",
        )
    values = _values(data)
    _shape(values)
    if content_hash(values["session"], values["turns"]) != values["sha256"]:
        raise DocumentError(
            "The file was changed after it was exported: its content does not have the hash that it names.",
            advice="Take the file as it was exported.",
            code="EXPORT_CHANGED",
        )
    session = _session(values["session"], len(values["turns"]))
    whole = _boolean(values["whole"], "“whole”")
    turns = tuple(_turn(one, place, session.id) for place, one in enumerate(values["turns"]))
    if len({turn.id for turn in turns}) < len(turns):
        _wrong("Two questions have one id")
    if not whole:  # one answer goes by its question, as the file does
        session = replace(session, title=title_of(turns[0].question))
    return Imported(session, turns)


def _values(data: bytes) -> dict[str, Any]:
    try:
        values = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise DocumentError(
            "This is no conversation that Materia exported.",
            advice="Choose a file that was exported as JSON.",
            code="NOT_A_CONVERSATION",
        )
    return values


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _shape(values: dict[str, Any]) -> None:
    version = values.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        _wrong("It does not say which version of the format it has")
    if version > VERSION:
        raise DocumentError(
            f"The file was written by a newer Materia (format {version}; this one reads {VERSION}).",
            advice="Update Materia, then import it again.",
            code="NEWER_EXPORT",
        )
    if missing := sorted(_KEYS - values.keys()):
        _wrong(f"“{missing[0]}” is missing")
    if unknown := sorted(values.keys() - _KEYS - _MAY):
        _wrong(f"“{unknown[0][:40]}” is not known")
    if not isinstance(values["turns"], list) or not values["turns"]:
        _wrong("It has no questions")
    if len(values["turns"]) > MOST_TURNS:
        raise TooLarge(
            f"The conversation has {len(values['turns']):,} questions; the limit is {MOST_TURNS:,}.",
            advice="Import it in smaller parts.",
        )


def _session(values: Any, turns: int) -> Session:
    names = {"id", "title", "created_at", "updated_at", "pinned", "tags"}
    _fields(values, names, "The conversation")
    title = _text(values["title"], "The title")
    if len(title) > _LONGEST_TITLE:
        _wrong(f"The title has more than {_LONGEST_TITLE} characters")
    return Session(
        _id(values["id"], "The conversation's id"),
        title,
        _moment(values["created_at"], "The conversation"),
        _moment(values["updated_at"], "The conversation"),
        turns,
        _boolean(values["pinned"], "“pinned”"),
        _tags(values["tags"]),
    )


def _tags(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or len(values) > MOST_TAGS:
        _wrong(f"The tags are no list of at most {MOST_TAGS}")
    tags = tuple(_text(one, "A tag") for one in values)
    if any(len(tag) > LONGEST_TAG for tag in tags) or sorted(set(tags)) != list(tags):
        _wrong(f"The tags must have {LONGEST_TAG} characters at most, each once, in order")
    return tags


def _turn(values: Any, place: int, session_id: str) -> Turn:
    name = f"Question {place + 1}"
    _fields(values, {"id", "created_at", "answer", "feedback"}, name)
    turn_id = _id(values["id"], f"The id of question {place + 1}")
    answer = _answer(values["answer"], name)
    at = _moment(values["created_at"], name)
    feedback = _feedback(values["feedback"], f"The rating of question {place + 1}")
    return Turn(turn_id, session_id, place, replace(answer, session=session_id), at, feedback)


def _feedback(values: Any, name: str) -> Feedback | None:
    if values is None:
        return None
    _fields(values, {"rating", "fault", "comment", "rated_at"}, name)
    comment = values["comment"]
    if not isinstance(comment, str) or len(comment) > LONGEST_COMMENT or _SURROGATE.search(comment):
        _wrong(f"{name} has a comment that is no text of {LONGEST_COMMENT:,} characters at most")
    try:
        rating = Rating(values["rating"])
        fault = None if values["fault"] is None else Fault(values["fault"])
    except ValueError:
        _wrong(f"{name} is not known")
    return Feedback(rating, fault, comment, _moment(values["rated_at"], name))


def _answer(values: Any, name: str) -> Answer:
    try:
        text = json.dumps(values, ensure_ascii=False)
        if _SURROGATE.search(text):
            _wrong(f"{name} has a broken character")
        answer = answer_from_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"] if isinstance(part, str | int))
        _wrong(f"{name} is not as an answer must be, at “{where[:80]}”")
    except (ValueError, RecursionError):
        _wrong(f"{name} has no answer that can be read")
    kept = json.loads(answer_to_json(answer))
    if strange := _unknown(values, kept):
        _wrong(f"{name} has a field that is not known, “{strange[:80]}”")
    if fault := _fault(answer):
        _wrong(f"{name}: {fault}")
    return answer


def _unknown(given: Any, kept: Any, where: str = "") -> str:
    """The first key of a given value that reading it lost; "" for none."""
    if isinstance(given, dict) and isinstance(kept, dict):
        for key, value in given.items():
            place = f"{where}.{key}".lstrip(".")
            if key not in kept:
                return place
            if found := _unknown(value, kept[key], place):
                return found
    if isinstance(given, list) and isinstance(kept, list):
        for one, other in zip(given, kept, strict=False):
            if found := _unknown(one, other, where):
                return found
    return ""


def _fault(answer: Answer) -> str:
    """What cannot be of an answer, though each of its fields can."""
    if not answer.question.strip():
        return "the question is empty"
    numbers = [one.n for one in answer.citations]
    if len(set(numbers)) < len(numbers) or any(n < 1 for n in numbers):
        return "the evidence is not numbered"
    if any(n not in numbers for one in answer.sentences for n in one.citations):
        return "a sentence cites evidence that is not there"
    quoted = [
        one for one in (*answer.citations, *answer.nearest) if isinstance(one, DocumentCitation)
    ]
    if any(one.page < 0 or not 0 <= one.start <= one.end for one in quoted):
        return "a quote stands nowhere"
    shares = [one.relevance for one in (*answer.citations, *answer.nearest, *answer.entities)]
    if answer.confidence is not None:
        shares.append(answer.confidence)
    if any(not 0 <= one <= 1 for one in shares):
        return "a relevance or the confidence is not between 0 and 1"
    shown = answer.subgraph.get("entities", [])
    if not isinstance(shown, list) or any(not isinstance(one, str) for one in shown):
        return "what is shown of the graph is no list of ids"
    if any(not math.isfinite(one) or one < 0 for one in answer.timings_ms.values()):
        return "a time is less than nothing"
    return ""


def _fields(values: Any, names: set[str], what: str) -> None:
    if not isinstance(values, dict) or values.keys() != names:
        _wrong(f"{what} must have {', '.join(sorted(names))}, and nothing else")


def _boolean(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        _wrong(f"{what} must be true or false")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or _SURROGATE.search(value):
        _wrong(f"{what} is no text")
    return value


def _id(value: Any, what: str) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        _wrong(f"{what} must have 1 to 64 letters, digits, “-” or “_”")
    return value


def _moment(value: Any, what: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        _wrong(f"{what} has a time that is none")


def _wrong(what: str) -> NoReturn:
    raise DocumentError(
        f"The file cannot be imported. {what}.",
        advice="Nothing was kept of it. Take the file as it was exported.",
        code="INVALID_EXPORT",
    )
