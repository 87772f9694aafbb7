"""Lines that stand over paragraphs as headings do, within a section: "Hypertension", and under it "Starting
dose"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from core.resources import any_of, read_table
from core.text.layout.blocks import ENDS

LINE_WITHOUT_END = 12  # words; a shorter line without a full stop is a heading or a label
# "Ask a doctor before use if the user has liver disease" tells; "If you have liver disease" is a label.
CONDITION = re.compile(r"\w\s+(?:if|unless|wenn|falls|sofern|indien)\s", re.IGNORECASE)
# Of a row whose cells do not stand apart: "Nausea 19 10".
_FIGURES = re.compile(r"(?<!\S)\d[\d.,]*%?\s+\d[\d.,]*%?(?!\S)")
_LONGEST_HEADING = 16  # words of one without numbers and colons, as rows and forms have them

_MOST = 7  # lines that are remembered beside the last


def is_heading(words: str) -> bool:
    """Whether a paragraph's words are no sentence and may say what stands below them."""
    longest = LINE_WITHOUT_END if re.search(r"[\d:]", words) else _LONGEST_HEADING
    tells = ENDS.search(words) or _FIGURES.search(words) or CONDITION.search(words)
    short = len(words.split()) < longest and not tells
    return short and words[:1].isupper() and (words[-1:].isalnum() or words.endswith(")"))


@dataclass(frozen=True, slots=True)
class LineOver:
    """A line that stands over paragraphs; `below` says that it stands directly below the one before it."""

    words: str
    below: bool = False


def is_of_dosing(line: str) -> bool:
    """Whether a line says which part of dosing stands below it ("Starting dose")."""
    return _dosing().search(line) is not None


@cache
def _dosing() -> re.Pattern[str]:
    words = read_table(__file__, "lines_over.toml")["dosing"]
    return any_of([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"])


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
