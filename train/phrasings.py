"""The phrasings of bench/plans as examples: what each asks for, and which of its words narrow it.

What narrows a question stands between square brackets, what is said beside it and changes nothing between
round ones. Either is put into other phrasings too. Questions to leaflets ask nothing of a graph.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.questions.closest.kinds import NONE, SLOT, TURNED, masks
from core.questions.leaflets.phrasings import phrasings as of_leaflets

ROOT = Path(__file__).parents[1]
PLANS = ROOT / "bench" / "plans"
LOOKED_AT = (
    *("tune", "tune-more", "narrowed", "narrowed-more", "other-kinds", "more-first", "more-second"),
    *("more-third", "more-fourth", "more-narrowed", "judge", "judge-first", "judge-varied"),
    *("judge-third", "judge-fourth", "judge-fifth", "tune_de", "more_de", "more-second_de"),
    *("judge_de", "tune_nl", "more_nl", "more-second_nl", "judge_nl"),
)
"""Files of bench/plans that may be looked at; the others judge."""
_OF_GRAPHS_TOO = ("", "indications", "adverse_reactions")  # sections that graphs answer as well
_UNORDERED = ("both", "either", "neither", "compare", "shared")
_MARKS = re.compile(r"(\[\[|\]\]|\(\(|\)\)|\{\w+\})")
_SPAN = re.compile(r"\[\[(.*?)\]\]")
_ASIDE = re.compile(r"\(\((.*?)\)\)")
_MARK = re.compile(r"\[\[|\]\]|\(\(|\)\)")
_WORD = re.compile(r"\{\w+\}|[\w-]+")
_END = re.compile(r"[\s?.!,;:]*$")
_EACH = 2  # spans put into a phrasing, at most
_NARROWER = {
    "": "Which drugs treat %s?",
    "de": "Welche Medikamente behandeln %s?",
    "nl": "Welke middelen behandelen %s?",
}


class Example(NamedTuple):
    """A question as the model reads it, its names masked.

    Attributes:
        kind: what it asks for but for what narrows it.
        slots: of its names, sorted.
        spans: places of what narrows it; None where that is not known.
    """

    text: str
    kind: str
    slots: tuple[str, ...]
    spans: tuple[tuple[int, int], ...] | None


class Phrasing(NamedTuple):
    """A phrasing of a kind with its marks.

    Attributes:
        language: "" for English.
        unmarked: what changes what it asks is not marked.
    """

    kind: str
    line: str
    language: str = ""
    unmarked: bool = False


class Span(NamedTuple):
    """What narrows a question or is said beside it, and where it may stand: right before a word, in front, or
    at the end."""

    kind: str
    text: str
    before: str
    in_front: bool
    aside: bool
    language: str

    @property
    def marked(self) -> str:
        return f"(({self.text}))" if self.aside else f"[[{self.text}]]"


def plain(text: str) -> str:
    """A phrasing without its marks."""
    return _MARK.sub("", text)


def read_phrasings(half: str) -> list[Phrasing]:
    """Those of one file of bench/plans."""
    language = half.partition("_")[2]
    found = []
    for section, kinds in tomllib.loads((PLANS / f"{half}.toml").read_text("utf-8")).items():
        for kind, lines in kinds.items():
            for line in lines:
                if section == "foreign":
                    found.append(Phrasing(NONE, plain(line), language, unmarked=True))
                elif section == "narrower":
                    found.append(Phrasing("drugs_treating", _narrower(line, language), language))
                else:
                    unmarked = section == "narrowed" and not _SPAN.search(line)
                    found.append(Phrasing(kind, line, language, unmarked))
    return found


def _narrower(line: str, language: str) -> str:
    """A narrower name in a question, with all beside the name marked."""
    parts = (part.strip() for part in re.split(r"(\{\w+\})", plain(line)))
    marked = (part if SLOT.fullmatch(part) else f"[[{part}]]" for part in parts if part)
    return _NARROWER[language] % " ".join(marked)


def example(one: Phrasing) -> Example:
    """A phrasing with a word for the type of each name, the first of two of a type as the first whatever its
    slot, and without its marks."""
    said = SLOT.findall(one.line)
    types = [slot.rstrip("0123456789") for slot in said]
    turned = any(
        slot != of and of not in said[:n]
        for n, (slot, of) in enumerate(zip(said, types, strict=True))
    )
    kind = one.kind
    if turned and not any(word in kind for word in (*_UNORDERED, NONE)):
        kind += TURNED
    text, start = "", 0
    spans: list[tuple[int, int]] = []
    seen: list[str] = []
    for part in _MARKS.split(one.line):
        slot = SLOT.fullmatch(part)
        if part == "[[":
            start = len(text)
        elif part == "]]":
            spans.append((start, len(text)))
        elif slot:
            of = slot[1].rstrip("0123456789")
            text += masks()[of][of in seen]
            seen.append(of)
        elif part not in ("((", "))"):
            text += part
    return Example(text, kind, tuple(sorted(said)), None if one.unmarked else tuple(spans))


def leaflet_examples() -> list[Example]:
    """Questions to leaflets that no graph answers."""
    drug, other = masks()["drug"]
    found = []
    for one in of_leaflets():
        if one.section not in _OF_GRAPHS_TOO:
            text = one.text.replace("the medicine", drug).replace("another medicine", other)
            slots = ("drug", "drug2") if other in text else ("drug",) if drug in text else ()
            found.append(Example(text, NONE, slots, None))
    return found


def spans(given: Sequence[Phrasing]) -> list[Span]:
    """What narrows phrasings or is said beside them, as it can be put into others."""
    found = []
    for one in given:
        for pattern in (_SPAN, _ASIDE):
            for match in pattern.finditer(one.line):
                behind = plain(one.line[match.end() :])
                follows = _WORD.match(behind.lstrip())
                first = not plain(one.line[: match.start()]).strip()
                in_front = first and behind[:1] in (",", ":", ";")
                aside = pattern is _ASIDE
                if in_front or not _WORD.search(behind):
                    found.append(Span(one.kind, match[1], "", in_front, aside, one.language))
                elif follows and behind[0] == " ":
                    before = _numberless(follows[0])
                    found.append(Span(one.kind, match[1], before, False, aside, one.language))
    return found


def with_spans(given: Sequence[Phrasing]) -> Iterator[Phrasing]:
    """The phrasings that nothing narrows, each with some of the spans of its kind and language, taken in turn:
    what narrows, and what is said beside a question."""
    known = spans(given)
    for narrows in (True, False):
        some = [one for one in known if one.aside is not narrows]
        usual = (one for one in given if not (one.unmarked or _SPAN.search(one.line)))
        for number, one in enumerate(usual):
            same = [span for span in some if span.language == one.language]
            own = [span for span in same if span.kind == one.kind or span.aside] or same
            if not own:
                continue
            begin = number * 7 % len(own)
            texts = (with_span(one.line, span) for span in (*own[begin:], *own[:begin]))
            fits = [text for text in texts if text]
            yield from (one._replace(line=text) for text in fits[:_EACH])


def with_span(line: str, span: Span) -> str | None:
    """A phrasing with a span of another in it; None where it has no place for that."""
    if span.in_front:
        return f"{span.marked}, {line}"
    if not span.before:
        end = _END.search(line)
        place = end.start() if end else len(line)
        return f"{line[:place]} {span.marked}{line[place:]}"
    for word in _WORD.finditer(line):
        if _numberless(word[0]) == span.before:
            marked = span.marked.lower() if word.start() else span.marked
            return f"{line[: word.start()]}{marked} {line[word.start() :]}"
    return None


def _numberless(word: str) -> str:
    return re.sub(r"\d", "", word.lower())


def label_questions() -> list[str]:
    """The questions of train/questions, which labels and leaflets answer."""
    return [
        json.loads(line)["question"]
        for path in sorted((ROOT / "train" / "questions").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]
