"""Where sentences end: the one splitter, for quoting, checking and cutting, with exact offsets.

A sentence ends at a full stop, a question mark or an exclamation mark before white space and what may
begin another: a capital, a digit. Closing marks and citation marks ("[1]") belong to the sentence
before them. A full stop may also be that of an abbreviation (abbreviations.toml), of an ordinal,
of an item's number or of a name's first letter. In doubt a sentence goes on: two told as one say too
much, one that is cut off behind "Do not take St." says the opposite.

Measured beside kept libraries in docs/decisions/sentences.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.resources import any_of, read_table
from core.text.function_words import FUNCTION_WORDS_OF
from core.text.language import language
from core.text.units import UNITS

_TABLE = read_table(__file__, "abbreviations.toml")
JOINING = frozenset(" ".join(_TABLE["joining"].values()).split())
NUMBERING, CLOSING, ROUTES_AND_TIMES, NAMES, _BEFORE_ORDINAL, _KINDS = (
    frozenset(_TABLE["other"][name].split())
    for name in ("numbering", "closing", "routes_and_times", "names", "before_ordinal", "kinds")
)
_AFTER_ORDINAL = any_of(_TABLE["other"]["after_ordinal"])

# A citation mark in its one form. White space is bounded: a run of it is no mark, and slow to try.
MARK = r"\[\d+(?:\s?[,-]\s?\d+)*\]"

_CLOSERS = r"[\"”“’‘'»)\]*_`]*+"
_OPENERS = r"[\"“„‚‘'«»(\[*_`]*"
_STOP = re.compile(
    rf"(?<![.!?…])(?P<stop>[.!?…]++){_CLOSERS}(?P<marks>(?:\s{{0,3}}{MARK})*)(?P<gap>\s++)(?={_OPENERS}\s?(?P<next>[^\W_]+))"
    rf"|[。！？]{_CLOSERS}(?P<no_gap>\s*)(?=\S)"
)
_TAIL = 40  # characters before a full stop that can tell what it is of
_LAST_WORD = re.compile(r"(?<![^\s(\[\"“„'‘/°…])(?:[^\W\d_]\.[\s-]?|[^\W\d_]{1,2}\.)*[^\W\d_]+$")
_ITEM = re.compile(r"(?:^|[:;•|–—]\s)\W*(?:\d{1,2}(?:\.\d{1,2})*|[^\W\d_]|[ivxIVX]{1,4})$")
_NUMBER = re.compile(r"(?:[A-Z]{1,5}-?)?\d")  # "No. 5", "No. FDA-2017"
_ORDINAL = re.compile(r"(?:\b(?P<before>[^\W\d_]+)\s+)?(?<![\d.,])\d{1,2}$")
_MONTH_AND_YEAR = re.compile(r"\d{1,2}\.\s?\d{4}")
_VOWELLESS = re.compile(r"[b-df-hj-np-tv-xzß]{2,5}")
_OPENING_WORDS = frozenset[str]().union(
    *(FUNCTION_WORDS_OF[code] for code in ("en", "de", "nl"))
) - {"de", "van"}  # names begin with them: "J. De Boer"


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Where each sentence of ``text[start:end]`` begins and ends, without white space around it."""
    end = len(text) if end is None else end
    spans = []
    for stop, following in sentence_breaks(text, start, end):
        spans.append((start, stop))
        start = following
    spans.append((start, end))
    return [span for span in (_stripped(text, *one) for one in spans) if span[0] < span[1]]


def sentence_breaks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Of ``text[start:end]``: the end of each sentence but the last, and where the next one begins."""
    whole = start, end
    for match in _STOP.finditer(text, start, end):
        if match["stop"] is None:
            yield match.span("no_gap")
        elif _is_end(match, start, whole):
            yield match.span("gap")
        else:
            continue
        start = match.end()


def ends_sentence(line: str, following: str) -> bool:
    """Whether the stop at the end of a line ends its sentence when `following` is the next line."""
    line, following = line.rstrip(), following.lstrip()
    text = f"{line} {following}"
    return any(stop == len(line) for stop, _ in sentence_breaks(text, 0, len(text)))


def _is_end(match: re.Match[str], start: int, whole: tuple[int, int]) -> bool:
    """Whether a stop before white space ends the sentence that begins at `start`.

    Args:
        whole: start and end of the text that tells the language.
    """
    text, following, has_marks = match.string, match["next"], bool(match["marks"])
    if following.islower() and not has_marks and following.isalpha():
        return False
    if match["stop"] != ".":
        return True
    after = text[match.end("next") : match.end("next") + 1]
    is_opening = following[0].isupper() and following.casefold() in _OPENING_WORDS
    opens = has_marks or (is_opening and not (len(following) == 1 and after == "."))
    stop = match.start()
    before = text[start:stop] if stop - start <= _TAIL else f"…{text[stop - _TAIL : stop]}"
    if _ITEM.search(before) and not has_marks:
        return False
    if before[-1:].isdigit():
        return opens or not _is_ordinal(before, text, match.start("next"))
    word = _LAST_WORD.search(before)
    if word is None or before[word.start() - 1 : word.start()] in ("/", "°"):
        return True
    in_capitals = following.isupper() and len(following) > 1
    kind = _kind(word[0], before[: word.start()].rstrip(), in_capitals)
    if kind is ROUTES_AND_TIMES:
        return opens or (following[0].isupper() and language(text[slice(*whole)]) != "de")
    if kind is NUMBERING:
        return not _NUMBER.match(text, match.start("next"))
    return kind in (None, CLOSING) or (kind is NAMES and opens)


def _kind(word: str, before: str, in_capitals: bool) -> frozenset[str] | None:
    """The table of abbreviations by which the last word of a sentence is read; None for a plain word.

    Args:
        word: with the parts that an abbreviation may have: "z. B", but also "K. Wait".
        before: what stands before it.
        in_capitals: whether the text is: "ST. JOHN'S WORT", but not "has MS. The".
    """
    parts = re.split(r"(?<=\.)\s", word)
    for first in range(len(parts)):
        name = "".join(parts[first:])
        is_shouted = name.isupper() and name.isalpha() and len(name) > 1
        forms = {name} if is_shouted and not in_capitals else {name, name.casefold()}
        forms |= {name.capitalize()} if is_shouted and in_capitals else set()
        for table in (JOINING, NUMBERING, CLOSING, ROUTES_AND_TIMES, NAMES):
            if forms & table:
                # "20 St." are pieces, no saint.
                return NAMES if name == "St" and before[-1:].isdigit() else table
    last = parts[-1]
    if len(last) == 1:
        label = before.split()[-1].casefold() if len(parts) == 1 and before.strip() else ""
        is_unit = last in UNITS and label[-1:].isdigit()
        return None if is_unit or label in _KINDS else NAMES
    if last.casefold() in UNITS:
        return None
    is_short = "." in last or _VOWELLESS.fullmatch(last[0].lower() + last[1:])
    return NAMES if is_short else None


def _is_ordinal(before: str, text: str, place: int) -> bool:
    """Whether a number's full stop makes it an ordinal or a part of a date: "am 2. Tag", "12. März".

    Args:
        place: of what follows, in `text`.
    """
    number = _ORDINAL.search(before)
    if number is None:
        return False
    following = re.compile(r"\w+").match(text, place)
    return (
        (number["before"] or "").casefold() in _BEFORE_ORDINAL
        or (following is not None and bool(_AFTER_ORDINAL.fullmatch(following[0])))
        or bool(_MONTH_AND_YEAR.match(text, place))
    )


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
