"""The parts of a statement that are read by themselves, as it may be on several ranges, degrees or groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.questions.leaflets.question_text import QuestionText, Span, ranges_in, spans
from core.text.limits import is_bound_behind, without_bound

_CLAUSE = re.compile(r"[^;]+")
_WITHOUT_UNIT = re.compile(r";[^;:]*\d\s*:")
_COLON = re.compile(r"\s*:")
_DIGITS = re.compile(r"[\d.,]+\s*")
_PARTS = re.compile(r"[;:()\[\]]|[,.](?=\s|$)|\b(?:and|or|und|oder|en|of)\b")


def parts_of(whole: QuestionText) -> Iterator[QuestionText]:
    """A statement in parts, those clauses among them that a bracket would part: "clearance (mL/min) 30 to 50:
    no change" is one. "At least 10 kg and less than 18 kg" stays in one, and so does "10 kg or more"."""
    text, begin = whole.text, 0
    clauses = _CLAUSE.finditer(text) if ";" in text else ()
    yield from (whole.part(*one.span()) for one in clauses if "(" in one.group())
    ranges = ranges_in(whole)
    for match in _PARTS.finditer(text):
        in_range = any(start < match.start() < end for start, end in ranges)
        if in_range or is_bound_behind(text, match.start()):
            continue
        yield whole.part(begin, match.start())
        begin = match.end()
    yield whole.part(begin, len(text))


def with_units_of_series(text: str) -> str:
    """A text with the unit of a range behind each of those that follow without one ("50 to 80 mL/min: 20 mg;
    30 to 49: 15 mg"): each begins a clause, and a colon stands behind it."""
    if not _WITHOUT_UNIT.search(text):
        return text
    marked = QuestionText.of(text)
    ranges = [one for one in spans(marked) if _COLON.match(marked.text, one.end)]
    found, unit = [], ""
    for clause in _CLAUSE.finditer(marked.text):
        own = next((one for one in ranges if clause.start() <= one.start < clause.end()), None)
        if own is None:
            unit = ""
        elif written := _unit_of(marked.text, own):
            unit = written
        elif unit and not without_bound(marked.text[clause.start() : own.start]).strip():
            found.append((own.end, unit))
        else:
            unit = ""
    return "".join(_with(marked.text, found)) if found else text


def _unit_of(text: str, one: Span) -> str:
    """The unit of a range as it is written; empty where it has none."""
    return _DIGITS.sub("", text[one.last.start : one.end], count=1).strip()


def _with(text: str, found: list[tuple[int, str]]) -> Iterator[str]:
    begin = 0
    for place, unit in found:
        yield f"{text[begin:place]} {unit}"
        begin = place
    yield text[begin:]
