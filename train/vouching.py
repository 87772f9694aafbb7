"""Fits which words of a question change what is asked, see core/questions/closest/vouching.py.

Examples are words of the phrasings of bench/plans that may be looked at: those between square brackets in
narrowed.toml and narrowed-more.toml, put into other phrasings too, narrower names, and words that only
questions which no graph answers have; and against them rare words of all other phrasings, and what stands
between round brackets: it is said beside a question, and put into others likewise. Part of
``make train-plans``.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from core.domain.encoder import TokenEncoder
from core.domain.vectors import TokenVectors, Vector
from core.questions.closest.kinds import SLOT, masks
from core.questions.closest.vouching import SCALE, vouching, word_vector
from core.questions.lexicon import words_of
from core.questions.lexicon.reading import lexicon

_ROOT = Path(__file__).parents[1]
PLANS = _ROOT / "bench" / "plans"
_MADE = _ROOT / "core" / "questions" / "closest" / "vouching.toml"
NARROWED = ("narrowed", "narrowed-more")
_SPAN = re.compile(r"\[\[(.*?)\]\]")
_ASIDE = re.compile(r"\(\((.*?)\)\)")
_MARK = re.compile(r"\[\[|\]\]|\(\(|\)\)")
_WORD = re.compile(r"\{\w+\}|[\w-]+")
_END = re.compile(r"[\s?.!,;:]*$")
_RARE = 12  # phrasings; a word in more of them is one that the lexicon knows
_EACH = 2  # spans put into a phrasing, at most
_C = 3.0


class Phrasing(NamedTuple):
    """A phrasing of a kind, with what narrows it between square brackets, and what is said beside it between
    round ones; or of what no graph answers, or what narrows it is not marked."""

    cell: str
    line: str
    foreign: bool = False


class Span(NamedTuple):
    """What narrows a question or is said beside it, and where it may stand: right before a word, in front, or
    at the end."""

    cell: str
    text: str
    before: str
    in_front: bool
    aside: bool = False

    @property
    def marked(self) -> str:
        return f"(({self.text}))" if self.aside else f"[[{self.text}]]"


class Text(NamedTuple):
    """A phrasing as the model reads it.

    Attributes:
        spans, asides, names: places of what narrows, of what is said beside, and of the words for names.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    asides: tuple[tuple[int, int], ...]
    names: tuple[tuple[int, int], ...]
    foreign: bool


def plain(text: str) -> str:
    """A phrasing without its brackets."""
    return _MARK.sub("", text)


def phrasings(halves: Sequence[str]) -> list[Phrasing]:
    """Those of some files of bench/plans."""
    found = []
    for half in halves:
        for section, cells in tomllib.loads((PLANS / f"{half}.toml").read_text("utf-8")).items():
            for cell, lines in cells.items():
                for line in lines:
                    whole = _narrower(line) if section == "narrower" else line
                    unmarked = section == "narrowed" and not _MARK.search(line)
                    found.append(Phrasing(cell, whole, section == "foreign" or unmarked))
    return found


def _narrower(line: str) -> str:
    """A narrower name in a question, with all beside the name between brackets."""
    parts = (part.strip() for part in re.split(r"(\{\w+\})", line))
    marked = (part if SLOT.fullmatch(part) else f"[[{part}]]" for part in parts if part)
    return f"Which drugs treat {' '.join(marked)}?"


def spans(given: Sequence[Phrasing], *, asides: bool = False) -> list[Span]:
    """What narrows in phrasings, or is said beside them, as it can be put into others."""
    found = []
    for one in given:
        for match in (_ASIDE if asides else _SPAN).finditer(one.line):
            behind = plain(one.line[match.end() :])
            follows = _WORD.match(behind.lstrip())
            first = not plain(one.line[: match.start()]).strip()
            in_front = first and behind[:1] in (",", ":", ";")
            if in_front or not _WORD.search(behind):
                found.append(Span(one.cell, match[1], "", in_front, asides))
            elif follows and behind[0] == " ":
                found.append(Span(one.cell, match[1], _numberless(follows[0]), False, asides))
    return found


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


def put_into_others(given: Sequence[Phrasing], found: Sequence[Span]) -> Iterator[Phrasing]:
    """Each phrasing with some of the spans of its kind, taken in turn, or of all kinds where it has none; what
    is said beside a question, of all kinds."""
    for number, one in enumerate(given):
        own = [span for span in found if span.cell == one.cell or span.aside] or list(found)
        begin = number * 7 % len(own)
        texts = (with_span(one.line, span) for span in (*own[begin:], *own[:begin]))
        fits = [text for text in texts if text]
        yield from (Phrasing(one.cell, text) for text in fits[:_EACH])


def with_spans(given: Sequence[Phrasing]) -> list[Phrasing]:
    """The phrasings that nothing narrows, each with some of the spans of all: what narrows, and what is said
    beside a question."""
    usual = [one for one in given if not (one.foreign or _SPAN.search(one.line))]
    narrowing, beside = spans(given), spans(given, asides=True)
    found = list(put_into_others(usual, narrowing))
    return found + list(put_into_others(usual, beside)) if beside else found


def masked(one: Phrasing) -> Text:
    """A phrasing with a word for the type of each name, and without its brackets."""
    text, start = "", 0
    spans_at, asides_at, names_at, said = [], [], [], list[str]()
    for part in re.split(r"(\[\[|\]\]|\(\(|\)\)|\{\w+\})", one.line):
        slot = SLOT.fullmatch(part)
        if part in ("[[", "(("):
            start = len(text)
        elif part == "]]":
            spans_at.append((start, len(text)))
        elif part == "))":
            asides_at.append((start, len(text)))
        elif slot:
            kind = slot[1].rstrip("0123456789")
            mask = masks()[kind][kind in said]
            said.append(kind)
            names_at.append((len(text), len(text) + len(mask)))
            text += mask
        else:
            text += part
    return Text(text, tuple(spans_at), tuple(asides_at), tuple(names_at), one.foreign)


class Said(NamedTuple):
    """A word of a text that says something and is no name, where it stands, and whether it narrows or is said
    beside the question."""

    word: str
    start: int
    end: int
    narrows: bool
    aside: bool


def words(texts: Sequence[Text]) -> list[list[Said]]:
    """Of each text its words that say something, or ask for something else than entities, and are no name."""
    known = lexicon("en", (), ())
    elsewhere = known.grammar.elsewhere

    def touches(start: int, end: int, places: Sequence[tuple[int, int]]) -> bool:
        return any(start < last and end > first for first, last in places)

    return [
        [
            Said(
                word.text.casefold(),
                word.start,
                word.end,
                touches(word.start, word.end, one.spans),
                touches(word.start, word.end, one.asides),
            )
            for word in words_of(one.text)
            if (word.plain in elsewhere or not known.is_empty(word))
            and not touches(word.start, word.end, one.names)
        ]
        for one in texts
    ]


def examples(
    texts: Sequence[Text], read: Sequence[TokenVectors]
) -> tuple[list[Vector], list[bool]]:
    """Vectors of words, and whether each changes what is asked."""
    said = words(texts)
    usual = [
        {each.word for each in one}
        for text, one in zip(texts, said, strict=True)
        if not (text.spans or text.foreign)
    ]
    counts = Counter(word for one in usual for word in one)
    vectors, labels = [], []
    for text, one, tokens in zip(texts, said, read, strict=True):
        for each in one:
            changes = each.narrows or (text.foreign and not counts[each.word])
            rare = not (text.spans or text.foreign) and counts[each.word] <= _RARE
            used = changes or rare or each.aside
            vector = word_vector(tokens, each.start, each.end) if used else None
            if vector is not None:
                vectors.append(vector)
                labels.append(changes)
    return vectors, labels


def fit(encoder: TokenEncoder, tuning: Sequence[str]) -> int:
    """Fit to phrasings and write; how many examples there were.

    Args:
        tuning: files of bench/plans, beside those with what narrows.
    """
    given = phrasings([*tuning, *NARROWED])
    texts = [masked(one) for one in (*given, *with_spans(given))]
    vectors, labels = examples(texts, encoder.encode_tokens([one.text for one in texts]))
    fitted = LogisticRegression(C=_C, max_iter=100, class_weight="balanced").fit(vectors, labels)
    weights = np.rint(fitted.coef_[0] * SCALE).astype(int)
    lines = [
        "# Made by make train-plans from the English files of bench/plans, without judge-sixth.toml:",
        f"# {len(labels):,} words in their questions, by a logistic regression (C = {_C:.0f}) over the vectors",
        "# of the bundled model. English only.",
        "# Figures and limits: docs/decisions/question_plans.md.",
        "",
        f"base = {float(fitted.intercept_[0]):.3f}",
        "# Of the word's dimensions, then of the question's, times 100.",
        f"weights = {weights.tolist()}",
    ]
    _MADE.write_text("\n".join(lines) + "\n", "utf-8")
    vouching.cache_clear()
    return len(labels)
