"""What a document is about by one of its first lines, where nothing else says it: letters, cards and handouts
of a page or two are laid out freely."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from core.documents.cutting.composition import is_substance
from core.documents.cutting.subject import LONGEST_NAME, MOST_TEXT, SIGNS, can_be_title
from core.domain.documents import Page
from core.text.language import language
from core.text.layout.line_marks import WRAPPED, joined_lines
from core.text.model_talk import order_spans
from core.text.quantities import quantities
from core.text.spelling.medicines import substances_in

_SIGNED = re.compile(r"[^\W\d_][^.:;]*[®™][^.:;]*")
_LONGEST_SIGNED = 80  # characters of a line with a registered name
_FIRST_LINES = 8  # of a page, with the heading that its text begins with
_BEFORE_STRENGTH = re.compile(r"(?P<name>[^\W\d_][^\W\d_-]{4,})\)?\s*$")
_BRACKETS = re.compile(r"\((?P<of>[^()]{5,60})\)")
_OPENS_LINE = re.compile(r"(?P<name>[^\W\d_]{5,})")


def signed_line(pages: Sequence[Page]) -> str:
    """The first line of the first page, of those that are no sentence, that has a registered name ("Candevira®,
    Tabletten"); "" without one."""
    text = _first_text(pages)
    lines = [" ".join(line.split()) for line in text.split("\n") if not line.endswith(WRAPPED)]
    lines = [one for one in lines if len(one) <= _LONGEST_SIGNED and _SIGNED.fullmatch(one)]
    return SIGNS.sub("", lines[0]).strip() if lines and not order_spans(lines[0]) else ""


def named_line(pages: Sequence[Page], names_drug: Callable[[str], bool]) -> str:
    """The first of the first page's lines, up to one that ends as a sentence does, that names a medicine: a
    known one, what stands before a strength ("Neltavorin 25 mg tablets: risk of ..."), or in brackets. What has
    a name of its own and the substance in the line below is told with that: "Ostrevia – quick reference
    (alendronic acid 70 mg)". "" without one.

    Args:
        names_drug: whether a text names a medicine of the graph.
    """
    text = _first_text(pages)
    code = language(text)
    before = ""
    for line, block_ends in _lines(text):
        if line.endswith((".", ",", ";", "?")):
            break
        if len(line) > LONGEST_NAME or not can_be_title(line) or order_spans(line):
            before = ""
            continue
        if names_drug(line) or substances_in(line) or _has_unlisted(line, code):
            below = line.strip("()")
            own = before and below[:1].islower() and _OPENS_LINE.match(before)
            both = f"{before} ({below})"
            if own and is_substance(own["name"], code) and not order_spans(both):
                return both[:LONGEST_NAME]
            return line
        before = "" if block_ends else line
    return ""


def _first_text(pages: Sequence[Page]) -> str:
    """The beginning of the first page that has text."""
    return next((page.text[:MOST_TEXT] for page in pages if page.text.strip()), "")


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The first lines, each whole where the width of the paper parted it, and whether a gap follows."""
    found = joined_lines(text)
    told = [(line, n) for n, line in enumerate(found) if line]
    for line, n in told[:_FIRST_LINES]:
        yield line, n + 1 < len(found) and not found[n + 1]


def _has_unlisted(line: str, code: str) -> bool:
    """Whether a line has a substance's name that no list has, before a strength or in brackets."""
    strengths = [one for one in quantities(line) if one.unit]
    before = (_BEFORE_STRENGTH.search(line[: one.start]) for one in strengths)
    named = [one["name"] for one in before if one] + [one["of"] for one in _BRACKETS.finditer(line)]
    return any(is_substance(one, code) for one in named)
