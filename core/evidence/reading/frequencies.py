"""How often a reaction comes, read from the words of a label, of brackets or of a cell."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.domain.boards.records import Frequency, FrequencyClass
from core.resources import read_table

_TABLE = read_table(__file__, "frequencies.toml")
_CLASSES = "|".join(
    f"(?P<{name}>{'|'.join(patterns)})"
    # The longer words first: "very common" begins with what "common" is in other labels.
    for name, patterns in sorted(
        _TABLE["classes"].items(), key=lambda one: not one[0].startswith("very")
    )
)
_BEHIND = "|".join(_TABLE["label"]["behind"])
_LABEL = re.compile(
    rf"(?:(?:{'|'.join(_TABLE['label']['before'])})\s*[:,–-]?\s*)?(?:{_CLASSES})(?!\w)"
    rf"(?:\s*[:,–-]?\s*(?:{_BEHIND}))*\s*(?P<end>[:.]|$|\s[–-]\s)?\s*",
    re.IGNORECASE,
)
_CLASS = re.compile(rf"(?:{_CLASSES})(?!\w)", re.IGNORECASE)
_WHOLE = re.compile(rf"(?<!\w)(?:{_CLASSES})(?!\w)", re.IGNORECASE)
_BEFORE_COLON = re.compile(rf"(?<!\w)(?:{_CLASSES})(?!\w)(?:\s*\([^()]*\))?:", re.IGNORECASE)
_RATE = re.compile(_TABLE["rates"]["pattern"], re.IGNORECASE)
_NUMBER = re.compile(r"[<>≤≥]?\s?\d+(?:[.,]\d+)?")
_PERCENT_HEAD = re.compile(_TABLE["rates"]["percent_head"], re.IGNORECASE)
_OPENERS = re.compile(rf"(?:{'|'.join(_TABLE['as_said']['openers'])})(?!\w),?\s*", re.IGNORECASE)
_PREDICATES = [re.compile(one, re.IGNORECASE) for one in _TABLE["as_said"]["predicates"]]
_MEANING = re.compile(r"[\d(\[]")
_LONGEST_RATE = 60  # characters in brackets


@dataclass(frozen=True, slots=True)
class Label:
    """A frequency that a text begins with; ``text[end:]`` is what it is said of, "" for a label alone.

    `titles` says that it is worded as a title ("Common adverse reactions"), without a colon and without how
    many people that means: what stands under it may be told of other things too.
    """

    frequency: Frequency
    end: int
    titles: bool = False


def label(text: str) -> Label | None:
    """The frequency that a paragraph, item, heading or lead-in begins with, told as a label: followed by a
    colon or by nothing, or by how many people that means.

    "Common (may affect up to 1 in 10 people): headache" is one; "Common sense is needed" is none.
    """
    found = _LABEL.match(text)
    if found is None:
        return None
    closed = found["end"] is not None or found.end() == len(text)
    if not closed:
        return None
    said = " ".join(text[: found.end()].split()).rstrip(" :.–-")
    level = _level(found)
    titles = not found["end"] and said != found[level.value] and not _MEANING.search(said)
    return Label(Frequency(said, level), found.end(), titles)


def of_cell(text: str) -> Frequency | None:
    """The class that a cell or a head says and nothing else ("Common", "Very rare (< 1/10,000)")."""
    words = " ".join(text.split())
    found = label(words)
    return found.frequency if found and found.end == len(words) else None


def classes_in(text: str) -> list[FrequencyClass]:
    """The classes that a text names, in order, each once."""
    found = (_level(one) for one in _WHOLE.finditer(text))
    return list(dict.fromkeys(one for one in found if one))


def labels_in(text: str) -> list[FrequencyClass]:
    """The classes that a text names before a colon, as where the lines of a cell have run into each other."""
    found = (_level(one) for one in _BEFORE_COLON.finditer(text))
    return list(dict.fromkeys(one for one in found if one))


def in_brackets(text: str) -> Frequency | None:
    """A rate that brackets hold: "10%-63%", ">= 1/100", or a class ("common")."""
    words = " ".join(text.split())
    if len(words) > _LONGEST_RATE:
        return None
    if _RATE.search(words):
        return Frequency(words)
    found = _CLASS.fullmatch(words)
    return Frequency(words, _level(found)) if found else None


def of_number(text: str, head: str) -> Frequency | None:
    """A cell's number under a head that calls it a percentage: "12" under "Drug (N=400) %" is "12%"."""
    words = " ".join(text.split())
    if _RATE.fullmatch(words):
        return Frequency(words)
    if _NUMBER.fullmatch(words) and _PERCENT_HEAD.search(head):
        return Frequency(f"{words}%")
    return None


def opener(text: str) -> Label | None:
    """A frequency word outside the convention that a part of a sentence begins with ("rarely, ...")."""
    found = _OPENERS.match(text)
    if found is None or not found.group().strip():
        return None
    said = re.sub(r"^(?:and|und|en|et)\b[\s,]*", "", found.group().strip(" ,"), flags=re.IGNORECASE)
    return Label(Frequency(said.strip(" ,")), found.end())


def predicate(text: str) -> Frequency | None:
    """A frequency word in a sentence's predicate ("... have been reported rarely")."""
    found = next((one for rule in _PREDICATES if (one := rule.search(text))), None)
    return Frequency(found["word"]) if found else None


def says_how_often(text: str) -> bool:
    """Whether a row, a list or a line says how often what it names comes: by a class that it or one of its
    cells begins with, or that a cell is below its head, or by a rate."""
    parts = text.removesuffix(".").split("; ")
    return (
        bool(_RATE.search(text))
        or any(label(part) for part in (text, *parts))
        or any(_CLASS.fullmatch(part.rpartition(": ")[2]) for part in parts)
    )


def _level(found: re.Match[str]) -> FrequencyClass:
    return next(level for level in FrequencyClass if found[level.value])
