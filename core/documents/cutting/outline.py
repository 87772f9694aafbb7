"""How the numbered headings of a document count on, and what the numbers of summaries of product
characteristics and of US labels stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from core.resources import read_table

SectionNumber: TypeAlias = tuple[int, ...]

_LAST_OF_US = 17  # the last section of a US label: 21 CFR 201.57(c)
_MOST_LACKING = 2  # headings of one section that may be lacking one after the other
_DOSES = "posology"
_TABLE = read_table(__file__, "sections.toml")
SMPC_NUMBERS, US_NUMBERS = (
    {tuple(map(int, number.split("."))): code for number, code in _TABLE[name].items()}
    for name in ("numbers", "us_numbers")
)
"""What the sections of these documents tell, by their numbers."""
NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?P<mark>[.)]?)(?:\s+\|)?\s+(?P<words>\S.*)"
)
"""A numbered heading: its number, the sign behind that, and its words."""


@dataclass
class Outline:
    """What the headings so far say about the next one.

    Attributes:
        numbers: what numbered sections tell in documents of this kind.
        opens: whether the next line begins what is told of another product; it counts on from those before.
        title: the number of that line, where it has one.
    """

    numbers: Mapping[SectionNumber, str]
    opens: bool = False
    title: SectionNumber = ()
    last: SectionNumber = ()
    codes: dict[SectionNumber, str] = field(default_factory=dict)

    def accept(self, number: SectionNumber, code: str, otherwise: str = "") -> str:
        """Note a numbered heading; a subsection that says nothing itself has its parent's code.

        Args:
            otherwise: the code where neither says anything.
        """
        parents = (number[:length] for length in range(len(number) - 1, 0, -1))
        known = (self.codes.get(p) or self.numbers.get(p) for p in parents)
        code = code or next(filter(None, known), otherwise)
        self.last = number
        self.codes[number] = code
        return code

    def continues(self, number: SectionNumber) -> bool:
        """Whether `number` can follow the last heading; a step "2." of an instruction cannot."""
        if not self.last:
            if self.opens and len(number) == 1:
                self.title = number
                return True
            return number in ((1,), (1, 1))  # the first section too may have no heading of its own
        if self.last == self.title and number == (1,):
            return True  # a product's own numbers may begin below its title
        nexts = [(*self.last[:i], self.last[i] + 1) for i in range(len(self.last))]
        # A section that has nothing but subsections may stand without a heading of its own.
        nexts += [(*one, 1) for one in nexts]
        return number in nexts or number == (*self.last, 1) or self._skips_to(number)

    def begin_with(self, heading: str) -> None:
        """Count on from a heading that is one by the way it is set: an extract begins with "5.1"."""
        numbered = NUMBERED.fullmatch(" ".join(heading.split()))
        if numbered and not self.last and not self.numbers:
            self.last = tuple(int(part) for part in numbered["number"].split("."))

    @property
    def is_of_doses(self) -> bool:
        """Whether the last numbered heading is a summary of product characteristics' on doses: what these tell
        else has a number of its own."""
        return self.numbers is SMPC_NUMBERS and self.numbers.get(self.last) == _DOSES

    def _skips_to(self, number: SectionNumber) -> bool:
        """Whether `number` is a later one of those that a US label has: headings in between may be lacking. A
        number in the middle of a section ("7.6 Placebo") has to be near the last one."""
        if self.numbers is not US_NUMBERS or len(number) != 2 or number[0] > _LAST_OF_US:
            return False
        section, part = number
        if section == self.last[0]:
            before = self.last[1] if len(self.last) > 1 else 0
            return before < part <= before + _MOST_LACKING + 1
        return section > self.last[0] and part <= _MOST_LACKING + 1
