"""JSON: all of it and back, and nothing that was not written so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.exporting import json_file as module
from core.conversations.exporting.json_file import from_json_file, json_file
from core.conversations.exporting.record import (
    Record,
    content_hash,
    session_values,
    turn_values,
)
from core.domain.answers import Answer
from core.domain.conversations import Fault, Feedback, Rating, Session, Turn
from core.errors import DocumentError, TooLarge
from tests.conversations.exporting.conversations import SESSION, WHEN, a_full_answer
from tests.domain.answers import an_answer

whole_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def _record(*answers: Answer, title: str = "Title") -> Record:
    session = Session(SESSION, title, WHEN, WHEN, len(answers), True, ("case 7", "signal"))
    rated = Feedback(Rating.DOWN, Fault.NUMBER, "It is 2,000 mg.", WHEN)
    turns = tuple(
        Turn(
            f"{place:032x}",
            SESSION,
            place,
            replace(answer, session=SESSION),
            WHEN,
            None if place % 2 else rated,
        )
        for place, answer in enumerate(answers)
    )
    digest = content_hash(session_values(session), turn_values(turns))
    return Record(session, turns, {}, datetime.now(UTC), "0.1.0", digest)


@given(st.lists(st.tuples(whole_text, whole_text, whole_text), min_size=1, max_size=3))
def test_what_is_written_is_read_again(texts: list[tuple[str, str, str]]) -> None:
    answers = [
        replace(a_full_answer(quote), question=f"Q{question}", notice=notice)
        for question, quote, notice in texts
    ]
    record = _record(*answers)
    found = from_json_file(json_file(record))
    assert found.turns == record.turns
    assert found.session == record.session


def test_an_answer_from_before_traces_is_read() -> None:
    values = json.loads(json_file(_record(an_answer("Q?"))))
    for name in ("trace", "instead", "understood"):
        del values["turns"][0]["answer"][name]
    assert from_json_file(_written(values)).turns == _record(an_answer("Q?")).turns


def _written(values: dict[str, Any], *, hashed: bool = True) -> bytes:
    if hashed:
        values["sha256"] = content_hash(values["session"], values["turns"])
    return json.dumps(values).encode()


Change = Callable[[dict[str, Any]], object]


def _set(*path: str | int, to: object) -> Change:
    def change(values: dict[str, Any]) -> None:
        place: Any = values
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return change


_ANSWER = ("turns", 0, "answer")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_set("turns", to=[]), "no questions"),
        (_set("turns", to={}), "no questions"),
        (_set("version", to="1"), "version"),
        (_set("version", to=True), "version"),
        (_set("session", to="s"), "The conversation must have"),
        (_set("session", "id", to="../../etc"), "id must have"),
        (_set("session", "id", to=7), "id must have"),
        (_set("session", "title", to=" "), "title"),
        (_set("session", "title", to="x" * 301), "title"),
        (_set("session", "created_at", to="yesterday"), "time"),
        (_set("session", "created_at", to="2026-05-03T14:05:09"), "time"),
        (_set("session", "owner", to="x"), "nothing else"),
        (_set("turns", 1, "id", to=f"{0:032x}"), "one id"),
        (_set("turns", 0, "id", to="a b"), "id of question 1"),
        (_set("turns", 0, "position", to=5), "nothing else"),
        (_set(*_ANSWER, "question", to=" "), "question is empty"),
        (_set(*_ANSWER, "confidence", to="0.9"), "confidence"),
        (_set(*_ANSWER, "confidence", to=7), "between 0 and 1"),
        (_set(*_ANSWER, "refused", to=0), "refused"),
        (_set(*_ANSWER, "sentences", 0, "citations", to=[9]), "cites evidence"),
        (_set(*_ANSWER, "sentences", 0, "support", to="magic"), "support"),
        (_set(*_ANSWER, "citations", 0, "n", to=0), "not numbered"),
        (_set(*_ANSWER, "citations", 1, "n", to=1), "not numbered"),
        (_set(*_ANSWER, "citations", 0, "page", to=-1), "stands nowhere"),
        (_set(*_ANSWER, "citations", 0, "start", to=10**9), "stands nowhere"),
        (_set(*_ANSWER, "citations", 0, "kind", to="graph"), "citations"),
        (_set(*_ANSWER, "citations", 0, "extra", to="x"), "not known, “citations.extra”"),
        (_set(*_ANSWER, "__class__", to="x"), "not known"),
        (_set(*_ANSWER, "trace", "passages", 0, "score", to="high"), "trace.passages.0.score"),
        (_set(*_ANSWER, "timings_ms", to={"retrieve": -1.0}), "less than nothing"),
        (_set(*_ANSWER, "notice", to="\ud800"), "broken character"),
        (_set(*_ANSWER, "subgraph", to={"entities": 7}), "no list of ids"),
        (_set(*_ANSWER, "subgraph", to={"entities": [["x"]]}), "no list of ids"),
        (_set("session", "pinned", to=1), "true or false"),
        (_set("session", "tags", to="signal"), "no list"),
        (_set("session", "tags", to=["b", "a"]), "in order"),
        (_set("session", "tags", to=["x" * 41]), "40 characters"),
        (_set("turns", 0, "feedback", to="up"), "nothing else"),
        (_set("turns", 0, "feedback", "rating", to="best"), "not known"),
        (_set("turns", 0, "feedback", "fault", to="tone"), "not known"),
        (_set("turns", 0, "feedback", "comment", to="x" * 2_001), "2,000"),
        (_set("turns", 0, "feedback", "rated_at", to="today"), "time"),
        (_set(*_ANSWER, to=None), "not as an answer must be"),
        (_set(*_ANSWER, to=[]), "not as an answer must be"),
    ],
)
def test_a_value_that_cannot_be_is_named(change: Change, says: str) -> None:
    values = json.loads(json_file(_record(a_full_answer(), a_full_answer())))
    change(values)
    with pytest.raises(DocumentError) as refused:
        from_json_file(_written(values))
    assert refused.value.code == "INVALID_EXPORT" and says in refused.value.message
    assert "Nothing was kept" in refused.value.advice
    assert len(refused.value.message) < 300


@pytest.mark.parametrize("name", ["session", "turns", "sha256", "whole", "program"])
def test_a_missing_part_is_named(name: str) -> None:
    values = json.loads(json_file(_record(a_full_answer())))
    del values[name]
    with pytest.raises(DocumentError, match=f"“{name}” is missing"):
        from_json_file(_written(values, hashed=False))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"format": "other"}', b"[" * 100_000,
        b'{"format": "materia-conversation", "version": NaN}',
    ],
)  # fmt: skip
def test_what_is_no_conversation_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError) as refused:
        from_json_file(data)
    assert refused.value.code == "NOT_A_CONVERSATION"


def test_a_changed_dose_is_seen() -> None:
    data = json_file(_record(a_full_answer())).replace(b"3,000 mg", b"9,000 mg")
    with pytest.raises(DocumentError) as refused:
        from_json_file(data)
    assert refused.value.code == "EXPORT_CHANGED"


def test_a_newer_format_is_told_apart() -> None:
    values = json.loads(json_file(_record(a_full_answer())))
    values["version"] = 2
    with pytest.raises(DocumentError) as refused:
        from_json_file(_written(values))
    assert refused.value.code == "NEWER_EXPORT" and "Update" in refused.value.advice


def test_too_much_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = json_file(_record(a_full_answer(), a_full_answer()))
    monkeypatch.setattr(module, "MOST_TURNS", 1)
    with pytest.raises(TooLarge):
        from_json_file(data)
    monkeypatch.setattr(module, "MOST_BYTES", len(data) - 1)
    with pytest.raises(TooLarge) as refused:
        from_json_file(b"x" * len(data))
    assert refused.value.status == 413
