"""Fits which words of a question change what is asked, see core/questions/closest/vouching.py.

Examples are words of the phrasings of bench/plans that are for tuning: those between brackets in
narrowed.toml, put into other phrasings too, narrower names, and words that only questions which no graph
answers have; and against them rare words of all other phrasings. Part of ``make train-plans``.
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
_NARROWED = "narrowed"
_SPAN = re.compile(r"\[\[(.*?)\]\]")
_WORD = re.compile(r"\{\w+\}|[\w-]+")
_END = re.compile(r"[\s?.!,;:]*$")
_RARE = 12  # phrasings; a word in more of them is one that the lexicon knows
_EACH = 2  # spans put into a phrasing, at most
_C = 3.0


class Phrasing(NamedTuple):
    """A phrasing of a kind, with what narrows it between brackets; or of what no graph answers."""

    cell: str
    line: str
    foreign: bool = False


class Span(NamedTuple):
    """What narrows a question, and where it may stand: right before a word, in front, or at the end."""

    cell: str
    text: str
    before: str
    in_front: bool


class Text(NamedTuple):
    """A phrasing as the model reads it.

    Attributes:
        spans, names: places of what narrows, and of the words for names.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    names: tuple[tuple[int, int], ...]
    foreign: bool


def plain(text: str) -> str:
    """A phrasing without its brackets."""
    return text.replace("[[", "").replace("]]", "")


def phrasings(halves: Sequence[str]) -> list[Phrasing]:
    """Those of some files of bench/plans."""
    found = []
    for half in halves:
        for section, cells in tomllib.loads((PLANS / f"{half}.toml").read_text("utf-8")).items():
            for cell, lines in cells.items():
                for line in lines:
                    whole = _narrower(line) if section == "narrower" else line
                    found.append(Phrasing(cell, whole, section == "foreign"))
    return found


def _narrower(line: str) -> str:
    """A narrower name in a question, with all beside the name between brackets."""
    parts = (part.strip() for part in re.split(r"(\{\w+\})", line))
    marked = (part if SLOT.fullmatch(part) else f"[[{part}]]" for part in parts if part)
    return f"Which drugs treat {' '.join(marked)}?"


def spans(given: Sequence[Phrasing]) -> list[Span]:
    """What narrows in phrasings, as it can be put into others."""
    found = []
    for one in given:
        for match in _SPAN.finditer(one.line):
            behind = plain(one.line[match.end() :])
            follows = _WORD.match(behind.lstrip())
            in_front = not one.line[: match.start()].strip() and behind.startswith(",")
            if in_front or not _WORD.search(behind):
                found.append(Span(one.cell, match[1], "", in_front))
            elif follows and behind[0] == " ":
                found.append(Span(one.cell, match[1], _numberless(follows[0]), False))
    return found


def narrowed(line: str, span: Span) -> str | None:
    """A phrasing with what narrows another in it; None where it has no place for that."""
    if span.in_front:
        return f"[[{span.text}]], {line}"
    if not span.before:
        end = _END.search(line)
        place = end.start() if end else len(line)
        return f"{line[:place]} [[{span.text}]]{line[place:]}"
    for word in _WORD.finditer(line):
        if _numberless(word[0]) == span.before:
            text = span.text.lower() if word.start() else span.text
            return f"{line[: word.start()]}[[{text}]] {line[word.start() :]}"
    return None


def _numberless(word: str) -> str:
    return re.sub(r"\d", "", word.lower())


def put_into_others(given: Sequence[Phrasing], found: Sequence[Span]) -> Iterator[Phrasing]:
    """Each phrasing with some of the spans of its kind, taken in turn, or of all kinds where it has none."""
    for number, one in enumerate(given):
        own = [span for span in found if span.cell == one.cell] or list(found)
        begin = number * 7 % len(own)
        texts = (narrowed(one.line, span) for span in (*own[begin:], *own[:begin]))
        fits = [text for text in texts if text]
        yield from (Phrasing(one.cell, text) for text in fits[:_EACH])


def masked(one: Phrasing) -> Text:
    """A phrasing with a word for the type of each name, and without its brackets."""
    text, start = "", 0
    spans_at, names_at, said = [], [], list[str]()
    for part in re.split(r"(\[\[|\]\]|\{\w+\})", one.line):
        slot = SLOT.fullmatch(part)
        if part == "[[":
            start = len(text)
        elif part == "]]":
            spans_at.append((start, len(text)))
        elif slot:
            kind = slot[1].rstrip("0123456789")
            mask = masks()[kind][kind in said]
            said.append(kind)
            names_at.append((len(text), len(text) + len(mask)))
            text += mask
        else:
            text += part
    return Text(text, tuple(spans_at), tuple(names_at), one.foreign)


def words(texts: Sequence[Text]) -> list[list[tuple[str, int, int, bool]]]:
    """Of each text its words that say something and are no name: the word, where it stands, and whether it
    narrows."""
    known = lexicon("en", (), ())

    def touches(start: int, end: int, places: Sequence[tuple[int, int]]) -> bool:
        return any(start < last and end > first for first, last in places)

    return [
        [
            (word.text.casefold(), word.start, word.end, touches(word.start, word.end, one.spans))
            for word in words_of(one.text)
            if not (known.is_empty(word) or touches(word.start, word.end, one.names))
        ]
        for one in texts
    ]


def examples(
    texts: Sequence[Text], read: Sequence[TokenVectors]
) -> tuple[list[Vector], list[bool]]:
    """Vectors of words, and whether each changes what is asked."""
    said = words(texts)
    usual = [
        {word for word, *_ in one}
        for text, one in zip(texts, said, strict=True)
        if not (text.spans or text.foreign)
    ]
    counts = Counter(word for one in usual for word in one)
    vectors, labels = [], []
    for text, one, tokens in zip(texts, said, read, strict=True):
        for word, start, end, narrows in one:
            changes = narrows or (text.foreign and not counts[word])
            rare = not (text.spans or text.foreign) and counts[word] <= _RARE
            vector = word_vector(tokens, start, end) if changes or rare else None
            if vector is not None:
                vectors.append(vector)
                labels.append(changes)
    return vectors, labels


def fit(encoder: TokenEncoder, tuning: Sequence[str]) -> int:
    """Fit to phrasings and write; how many examples there were.

    Args:
        tuning: files of bench/plans, beside the one with what narrows.
    """
    given = phrasings([*tuning, _NARROWED])
    usual = [one for one in given if not (one.foreign or _SPAN.search(one.line))]
    of_others = put_into_others(usual, spans(phrasings([_NARROWED])))
    texts = [masked(one) for one in (*given, *of_others)]
    vectors, labels = examples(texts, encoder.encode_tokens([one.text for one in texts]))
    fitted = LogisticRegression(C=_C, max_iter=200, class_weight="balanced").fit(vectors, labels)
    weights = np.rint(fitted.coef_[0] * SCALE).astype(int)
    lines = [
        "# Made by make train-plans from bench/plans/tune.toml, tune-more.toml and narrowed.toml:",
        f"# {len(labels):,} words in their questions, by a logistic regression (C = {_C:.0f}) over the",
        "# vectors of the bundled model. English only. Figures and limits: docs/decisions/question_plans.md.",
        "",
        f"base = {float(fitted.intercept_[0]):.3f}",
        "# Of the word's dimensions, then of the question's, times 100.",
        f"weights = {weights.tolist()}",
    ]
    _MADE.write_text("\n".join(lines) + "\n", "utf-8")
    vouching.cache_clear()
    return len(labels)
