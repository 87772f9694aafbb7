"""What is told beside an answer: notices, each on a line of its own in the one text that an answer keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_OPEN, _CLOSED = "“([", "”)]"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that the reader must know.

    Attributes:
        said: its first sentence; what warns of a wrong dose or of other patients is in it.
        more: what explains that, or says what to do; "" where the first sentence is all.
    """

    said: str
    more: str = ""


def joined(notices: Iterable[str]) -> str:
    """Notices as one text, each once and on a line; each may itself be such a text, or empty."""
    lines = (" ".join(line.split()) for one in notices for line in one.splitlines())
    return "\n".join(dict.fromkeys(filter(None, lines)))


def notices_of(text: str) -> tuple[Notice, ...]:
    """The notices of a text that `joined` made."""
    return tuple(map(_parted, text.splitlines()))


def _parted(line: str) -> Notice:
    """A line in its first sentence and the rest. Names stand in quotation marks or brackets, and whatever they
    have is no sentence's end; a line in which one of these is not closed stays whole."""
    end = next(_ends(line), len(line))
    return Notice(line[:end], line[end:].strip())


def _ends(line: str) -> Iterator[int]:
    """Behind which characters sentences end, with others behind them."""
    depth = 0
    for place, sign in enumerate(line):
        depth += (sign in _OPEN) - (sign in _CLOSED)
        following = line[place + 1 : place + 3]
        if sign in ".?!" and not depth and following[:1] == " " and not following[1:].islower():
            yield place + 1
