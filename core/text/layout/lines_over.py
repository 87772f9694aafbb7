"""Lines that stand over paragraphs as headings do, within a section: "Hypertension", and under it "Starting
dose"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, zip_longest

from core.resources import any_of, read_table
from core.text.layout.blocks import ENDS, TextBlock

LINE_WITHOUT_END = 12  # words; a shorter line without a full stop is a heading or a label
# "Ask a doctor before use if the user has liver disease" tells; "If you have liver disease" is a label.
CONDITION = re.compile(r"\w\s+(?:if|unless|wenn|falls|sofern|indien)\s", re.IGNORECASE)
FREQUENCY = re.compile(  # how often a side effect comes, as European leaflets say it
    r"(?:(?:Very )?(?:common|rare)|Uncommon|(?:Frequency )?not known|(?:Sehr )?(?:häufig|selten)|Gelegentlich|"
    r"Nicht bekannt|(?:Zeer )?(?:vaak|zelden)|Soms|Niet bekend)\b[^.:]{0,80}:",
    re.IGNORECASE,
)
# Of a row whose cells do not stand apart: "Nausea 19 10".
_FIGURES = re.compile(r"(?<!\S)\d[\d.,]*%?\s+\d[\d.,]*%?(?!\S)")
# What is listed behind a colon is told, and says nothing of what stands below: "Common: headache, dizziness".
_LISTS = re.compile(r"\w:\s(?:(?![:,])[\W\d])*[^\W\d][^:,]*,\s")
_LONGEST_HEADING = 16  # words of one without numbers and colons, as rows and forms have them

_FEWEST_ROWS = 4
_FEWEST_IN_ROW = 3  # words
_MOST = 7  # lines that are remembered beside the last


def is_heading(words: str) -> bool:
    """Whether a paragraph's words are no sentence and may say what stands below them."""
    longest = LINE_WITHOUT_END if re.search(r"[\d:]", words) else _LONGEST_HEADING
    tells = any(one.search(words) for one in (ENDS, _FIGURES, CONDITION, _LISTS))
    short = len(words.split()) < longest and not (tells or tells_how_often(words))
    return short and words[:1].isupper() and (words[-1:].isalnum() or words.endswith(")"))


def tells_how_often(words: str) -> bool:
    """Whether a line says what comes how often ("Rare: tremor"), and not only how often."""
    return bool((found := FREQUENCY.search(words)) and words[found.end() :].strip(" .:"))


@dataclass(frozen=True, slots=True)
class LineOver:
    """A line that stands over paragraphs; `below` says that it stands directly below the one before it."""

    words: str
    below: bool = False


def rows_in_lines(text: str, blocks: Sequence[TextBlock]) -> frozenset[int]:
    """Where lines begin that are rows of a table whose columns nothing parts, and no headings, as one heading
    stands over a text, or two: those of four and more lines directly below each other that might be headings,
    but for the first, and the last where it has no number."""
    found: list[int] = []
    run: list[TextBlock] = []
    for block, after in zip_longest(blocks, blocks[1:]):
        words = text[block.start : block.end].strip()
        plain = not (block.bullet or block.row or block.number or block.unclear)
        if plain and "\n" not in words and is_heading(words):
            run.append(block)
            if after is not None and text[block.end : after.start].count("\n") == 1:
                continue
        if len(run) >= _FEWEST_ROWS:
            told = [one for one in run[1:] if len(_said(text, one).split()) >= _FEWEST_IN_ROW]
            last = run[-1]
            ends = not re.search(r"\d", _said(text, last))
            found += [one.start for one in told if not (ends and one is last)]
        run = []
    return frozenset(found)


def _said(text: str, block: TextBlock) -> str:
    return text[block.start : block.end]


def is_of_dosing(line: str) -> bool:
    """Whether a line says which part of dosing stands below it ("Starting dose")."""
    return _dosing().search(line) is not None


@cache
def _dosing() -> re.Pattern[str]:
    words = read_table(__file__, "lines_over.toml")["dosing"]
    return any_of([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"])


def telling_over(
    lines: Sequence[LineOver], tells: Callable[[str], bool], says_ages: Callable[[str], bool]
) -> tuple[str, ...]:
    """Of the lines that stand over a paragraph the nearest that tells for whom it is; none where there is none.
    A line that tells nothing keeps the one that it stands directly below; one on dosing ("Starting dose") is of
    those for whom the last telling line says the doses are. Before one on an illness stands the line on ages of
    which it is a part: "Adults", directly below it "Meningitis", and behind that text "Candidiasis".

    Args:
        tells: whether a line says for whom something is.
        says_ages: whether it says of which age.
    """
    above = list(lines)
    while above:
        line = above.pop()
        if tells(line.words):
            return (*_for_ages(above, line, says_ages), line.words)
        if is_of_dosing(line.words):
            while above and is_of_dosing(above[-1].words):
                line = above.pop()
        elif not line.below:
            return _for_ages(above, line, says_ages)
    return ()


def _for_ages(
    above: Sequence[LineOver], line: LineOver, says_ages: Callable[[str], bool]
) -> tuple[str, ...]:
    """The line on ages of which one that says none is a part: the nearest before it that has a line directly
    below it, where that is on ages."""
    below = line
    for one in () if says_ages(line.words) else reversed(above):
        if below.below and not is_of_dosing(below.words):
            return (one.words,) if says_ages(one.words) else ()
        if says_ages(one.words):
            return ()
        below = one
    return ()


class LinesOver:
    """The lines over the paragraphs that come next, in order, the last being the nearest.

    Args:
        begins: where the blocks of the text begin, in order.
    """

    def __init__(self, begins: Sequence[int]) -> None:
        self._next = dict(pairwise(begins))
        self.lines: tuple[LineOver, ...] = ()
        self._behind = -1  # where what stands directly below the last line begins

    def take(self, line: str, begin: int) -> None:
        """A line that stands over what comes next.

        Args:
            begin: of its block.
        """
        self.lines = (*self.lines[-_MOST:], LineOver(line, begin == self._behind))
        self._behind = self._next.get(begin, -1)
