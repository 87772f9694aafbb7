"""Which section of a medicine's document a piece of text stands in.

Headings are recognised line by line from the phrases of sections.toml. A sentence that merely contains
such a phrase is not a heading: the whole line must be one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from core.documents.cutting.outline import (
    NUMBERED,
    SMPC_NUMBERS,
    US_NUMBERS,
    Outline,
    SectionNumber,
)
from core.documents.cutting.parts import ADMINISTRATIVE, RESULTS, goes_on_under, part_of
from core.domain.documents import Page, Section
from core.resources import read_table
from core.text.layout.line_marks import HEADING, WRAPPED
from core.text.layout.open_ends import leaves_open
from core.text.tables.lines import is_row

_Patterns: TypeAlias = list[tuple[str, re.Pattern[str]]]

_LONGEST_HEADING = 100  # characters
_LONGEST_PARTED = 160  # of one on several lines
_MOSTLY = 0.9  # of a heading's letters
_FORBIDDING, _INTERACTIONS, _DOSES = "contraindications", "interactions", "posology"
_MOST_LINES = 4  # of a heading
_LARGER = 2  # level from which on a heading is clearly larger than the text
_FEWEST_LISTED = 3  # sections that make a row of headings a table of contents
_LONGEST_UNKNOWN = 60  # characters of a numbered heading whose words no table knows

_TABLE = read_table(__file__, "sections.toml")
SECTIONS_TOLD_IN: Mapping[str, Sequence[str]] = _TABLE["tells"]
"""By section, what it tells where a document has no section for that."""
CAUTION_SECTIONS = frozenset[str](_TABLE["cautions"]["sections"])
"""Those in which a document says for whom its medicine is not, or not as for others."""
_TITLES: dict[str, str] = _TABLE["titles"]
SECTION_CODES = tuple(code for code in _TITLES if code)

# Whole lines with the medicine's name in them. A name has no words of a sentence in it, which tells
# "Do not take Ibuprofen" from "Do not take Ibuprofen with alcohol".
_NAME_WORD = (
    r"(?!(?:if|with|for|more|after|before|until|unless|when|while|without|than|on|in|at|to|or|do|not"
    r"|longer|again|any|double|the|your|twice|once)\b)[^\s.:;,?!]+"
)
_NAME = rf"{_NAME_WORD}(?: {_NAME_WORD}){{0,4}}"
_VERB = r"(?:take|use|give|receive|inject|apply|are given|are taking|were given)"
_US_SIGN = re.compile(
    r"these highlights do not include all the information"
    r"|^[ \t]*(1[ \t]+indications and usage|5[ \t]+warnings and precautions)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SMPC_SIGN = re.compile(
    r"^[ \t]*4\.(1\s+(therapeutic indications|anwendungsgebiete|therapeutische indicaties)"
    r"|2\s+(posology|dosierung|dosering)|3\s+(contraindications|gegenanzeigen|contra-indicaties)"
    r"|8\s+(undesirable effects|nebenwirkungen|bijwerkingen))",
    re.IGNORECASE | re.MULTILINE,
)

_PHRASE_PATTERNS: _Patterns = [
    (code, re.compile("|".join(found))) for code, found in _TABLE["phrases"].items()
]
_STANDING_FOR = {
    "{NAME}": _NAME,
    "{VERB}": _VERB,
    "{EXCIPIENT}": f"(?:{'|'.join(_TABLE['excipients']['word'])})",
}


def _named(found: Sequence[str]) -> re.Pattern[str]:
    """One pattern of those in which something stands for others."""
    pattern = "|".join(found)
    for sign, words in _STANDING_FOR.items():
        pattern = pattern.replace(sign, words)
    return re.compile(pattern)


_NAMED_PATTERNS: _Patterns = [(code, _named(found)) for code, found in _TABLE["named"].items()]
_SET_PATTERNS: _Patterns = [(code, _named(found)) for code, found in _TABLE["set"].items()]
_WARNING_ALONE = re.compile(r"WARNINGS?:?")
_WARNING_OF = re.compile(r"WARNINGS?\s?[:–] ?[\w(]")
# "α2-Adrenergic", "5-HT": what chemistry puts before a name does not say that the line is no heading.
_BEFORE_NAME = re.compile(r"^(?:[α-ω]|\d{1,2}(?:,\d{1,2})*(?=-))[\d\s,-]*(?=[^\W\d_])")
_OF_DOSE = re.compile(r"dos(?:es?|ages?|ing|is|ierung|ering)", re.IGNORECASE)
_LISTED = re.compile(r"[,;:/]| [-–—] |\s(?:and|und|en|et|&)\s", re.IGNORECASE)
_ROMAN = re.compile(r"[IVX]{1,5}\.\s+(?P<words>\S.*)")


class _Heading(NamedTuple):
    code: str
    text: str
    is_set: bool = False  # by the way it is set, whatever it says
    level: int = 0  # by its size; 0 where that is not told

    @property
    def asks(self) -> bool:
        return self.text.endswith("?")


def section_title(code: str) -> str:
    """The name that is shown for a section code; "Other" for an unknown one."""
    return _TITLES.get(code, _TITLES[""])


def sections(
    pages: Sequence[Page], beginnings: Iterable[tuple[int, int]] = ()
) -> dict[int, tuple[Section, ...]]:
    """Sections of every page, by page number.

    A page's sections cover its text without gaps, from 0 to ``len(text)``; an empty page has none.
    A heading's line begins its section. What runs at the end of a page runs on at the next one's
    beginning, under the same heading.

    Args:
        beginnings: page and character from where on another product is told of: nothing runs on there.
    """
    starts = set(beginnings)
    numbers: Mapping[SectionNumber, str] = {}
    for sign, known in ((_SMPC_SIGN, SMPC_NUMBERS), (_US_SIGN, US_NUMBERS)):
        if not numbers and any(sign.search(page.text) for page in pages):
            numbers = known
    outline = Outline(numbers)
    running, part = _Heading("", ""), ""
    found: dict[int, tuple[Section, ...]] = {}
    for page in pages:
        parts: list[Section] = []
        cuts = sorted(start for number, start in starts if number == page.number and start)
        for begin, end in pairwise([0, *cuts, len(page.text)]):
            if (page.number, begin) in starts:
                outline, running, part = Outline(numbers, opens=True), _Heading("", ""), ""
            start = begin
            for offset, heading in _headings(page.text[begin:end], outline):
                if heading.is_set and running.code and not _ends(running, heading, outline):
                    continue  # a medicine's section goes on below
                if begin + offset > start:
                    parts.append(Section(running.code, running.text, start, begin + offset, part))
                running, start = heading, begin + offset
                part = goes_on_under(part, heading.text)
            if start < end:
                parts.append(Section(running.code, running.text, start, end, part))
        found[page.number] = tuple(parts)
    return _of_paper(found) if _is_paper(found) else _without_parts(found)


def _ends(running: _Heading, heading: _Heading, outline: Outline) -> bool:
    """Whether a heading that says nothing of its section ends one that does: both are set in letters as much
    larger than the text's. Where no heading has a number, and of two that ask something, being set alike is
    enough: in a document with numbers what has none may stand below the one before it."""
    alike = not outline.last or (running.asks and heading.asks)
    return running.level >= (1 if alike else _LARGER) and heading.level >= running.level


def _is_paper(found: Mapping[int, Sequence[Section]]) -> bool:
    """Whether a document tells results under a heading for them."""
    return any(part_of(one.part) == RESULTS for own in found.values() for one in own if one.part)


def _of_paper(found: Mapping[int, Sequence[Section]]) -> dict[int, tuple[Section, ...]]:
    """Sections without those of a medicine's document behind a paper's text ("Other information")."""
    return {
        page: tuple(
            replace(one, code="") if part_of(one.part) == ADMINISTRATIVE else one for one in own
        )
        for page, own in found.items()
    }


def _without_parts(found: Mapping[int, Sequence[Section]]) -> dict[int, tuple[Section, ...]]:
    return {
        page: tuple(replace(one, part="") if one.part else one for one in own)
        for page, own in found.items()
    }


def _headings(text: str, outline: Outline) -> Iterator[tuple[int, _Heading]]:
    lines = text.split("\n")
    listed = _contents(lines)
    offset = 0
    taken = 0  # lines that are told of already
    for i, line in enumerate(lines):
        goes_on_above = i > taken and lines[i - 1].endswith(WRAPPED)
        goes_on_above = goes_on_above and not (_begins_anew(line) and lines[i - 1].isupper())
        if i >= taken and i not in listed and not goes_on_above:
            # A heading that the width of the paper parted is one, or else its first line by itself may be.
            for end in dict.fromkeys((_end_of_wrapped(lines, i), i + 1)):
                following = next(
                    (each.strip() for each in lines[end : end + 2] if each.strip()), ""
                )
                words = " ".join(lines[i:end])
                goes_on = lines[end - 1].endswith(WRAPPED)
                goes_on = goes_on and not any(map(_says_itself, lines[end : end + 1]))
                code = _heading_code(words, following, goes_on, outline)
                is_set = code is None and (lines[end - 1].endswith(HEADING) or bool(part_of(words)))
                if is_set:
                    outline.begin_with(words)
                    code = None if outline.last else _set_code(words)
                    is_set = code is None
                if code is not None or is_set:
                    level = len(lines[end - 1]) - len(lines[end - 1].rstrip(HEADING))
                    yield offset, _Heading(code or "", " ".join(words.split()), is_set, level)
                    taken = end
                    break
            outline.opens = outline.opens and not line.strip()
        offset += len(line) + 1


def _end_of_wrapped(lines: Sequence[str], start: int) -> int:
    """Behind which line what begins with a line ends, as far as the page says so."""
    end = start + 1
    while end < len(lines) and end - start < _MOST_LINES and lines[end - 1].endswith(WRAPPED):
        if _begins_anew(lines[end]):
            return end
        end += 1
    if end == start + 1 or lines[end - 1].endswith(WRAPPED):
        return start + 1
    return start + 1 if all(map(_says_itself, lines[start : start + 2])) else end


def _says_itself(line: str) -> bool:
    """Whether a line is a heading by its words alone."""
    bare = " ".join(line.split())
    numbered = NUMBERED.fullmatch(bare)
    words = numbered["words"] if numbered else bare
    return words[:1].isupper() and _known_code(words, runs_on=False) is not None


def _begins_anew(line: str) -> bool:
    """Whether a line is a numbered heading by its words alone: "FULL PRESCRIBING INFORMATION" in the line
    before does not go on in "1 INDICATIONS AND USAGE"."""
    return _says_itself(line) and bool(NUMBERED.fullmatch(" ".join(line.split())))


def _contents(lines: Sequence[str]) -> frozenset[int]:
    """The lines of a table of contents without page numbers: numbered from 1 on, with no text between."""
    found: set[int] = set()
    run: list[int] = []  # lines
    last: SectionNumber = (0,)
    sections_listed = i = 0
    while i < len(lines):
        if not lines[i].strip():
            i += 1
            continue
        end = _end_of_wrapped(lines, i)
        numbered = NUMBERED.fullmatch(" ".join(" ".join(lines[i:end]).split()))
        number = tuple(map(int, numbered["number"].split("."))) if numbered else ()
        if not run or number <= last or not numbered:
            if sections_listed >= _FEWEST_LISTED:
                found.update(run)
            run, sections_listed = [], 0
        if number and (run or number == (1,)):
            run += range(i, end)
            sections_listed += len(number) == 1
            last = number
        i = end
    return frozenset(found.union(run) if sections_listed >= _FEWEST_LISTED else found)


def _heading_code(line: str, following: str, goes_on: bool, outline: Outline) -> str | None:
    """The section code of a line that is a heading ("" when unknown); None for any other line."""
    bare = " ".join(unicodedata.normalize("NFKC", line).split())
    if is_row(line) and not NUMBERED.match(bare):  # a number is set apart from its heading, too
        return None
    longest = _LONGEST_PARTED if WRAPPED in line.rstrip() else _LONGEST_HEADING
    if not 3 <= len(bare) <= longest or bare[-1] in ".,;" or "..." in bare:
        return None
    # "eGFR below 10" begins a sentence.
    runs_on = "".join(following.split()[:1]).islower() and not following.startswith("if ")
    numbered = NUMBERED.fullmatch(bare)
    words = numbered["words"] if numbered else bare
    if not _BEFORE_NAME.sub("", words, count=1)[:1].isupper():
        return None
    code = _known_code(words, runs_on or goes_on)
    if numbered is None:
        roman = _ROMAN.fullmatch(bare)
        if code == _INTERACTIONS and outline.is_of_doses and " " not in bare:
            return _DOSES  # "Interactions" below "4.2 Posology" tells of these
        return "" if code is None and roman and roman["words"].isupper() else code
    number = tuple(int(part) for part in numbered["number"].split("."))
    if code is None and outline.numbers is SMPC_NUMBERS and len(bare) <= _LONGEST_UNKNOWN:
        code = outline.numbers.get(number) if outline.continues(number) else None
    # "4 tablets" is a line of a table: a lone number needs its mark. 4.1 says enough without, and so does the
    # line that begins another product.
    marked = bool(numbered["mark"]) or len(number) > 1 or outline.opens
    longest = longest if len(number) > 1 else _LONGEST_UNKNOWN
    if code is None and not (
        outline.continues(number)
        and (goes_on or not leaves_open(words))  # "or": an item
        and _looks_like_title(words, marked, runs_on, longest)
    ):
        return None
    return outline.accept(number, code or "", _listed_code(words))


def is_boxed_warning(heading: str, opens: bool = False) -> bool:
    """Whether a heading is that of a label's boxed warning: so called, or "WARNING:" and what it is of, in
    capitals (21 CFR 201.57(c)(1)).

    Args:
        opens: no section of another kind stands before it. Then "WARNING" says it alone, as in labels of the
            older form (21 CFR 201.80(e)), whose section on warnings comes after the indications.
    """
    words = " ".join(heading.split())
    if opens and _WARNING_ALONE.fullmatch(words):
        return True
    if words.casefold().rstrip(" :") == "boxed warning":
        return True
    letters = [one for one in words if one.isalpha()]
    capitals = sum(one.isupper() for one in letters)  # an "and" in it may have none
    return bool(_WARNING_OF.match(words)) and capitals >= _MOSTLY * len(letters)


def _known_code(words: str, runs_on: bool) -> str | None:
    if is_boxed_warning(words):
        return "warnings"
    lower = words.lower().replace(" :", ":")  # as French sets it
    plain = lower.removesuffix(":").rstrip()
    for code, pattern in _PHRASE_PATTERNS:
        if pattern.fullmatch(plain):
            return code
    if runs_on:
        return None
    for code, pattern in _NAMED_PATTERNS:
        if pattern.fullmatch(lower):
            return code
    return None


def _set_code(words: str) -> str | None:
    """The section of what is set as a heading where none above it has a number; None for others."""
    plain = " ".join(words.split()).lower().removesuffix(":").rstrip()
    return next((code for code, pattern in _SET_PATTERNS if pattern.fullmatch(plain)), None)


def _listed_code(words: str) -> str:
    """The section of the first of several things that a heading names which has one ("Adverse effects and
    cautions", "Dose - intravenous"); "" where it names none, and of contraindications, as not everything below
    such a heading is one."""
    parts = [one.strip() for one in _LISTED.split(words)]
    found = (_DOSES if _OF_DOSE.fullmatch(one) else _known_code(one, runs_on=True) for one in parts)
    first = next(filter(None, found), "")
    return "" if first == _FORBIDDING else first


def _looks_like_title(words: str, marked: bool, runs_on: bool, longest: int) -> bool:
    if len(words) > longest or words[-1] in ":?!" or runs_on:
        return False
    return words.isupper() or (marked and sum(c.isdigit() for c in words) <= len(words) // 4)
