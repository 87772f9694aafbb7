"""Which sentence of a paragraph introduces the list below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from core.text.layout.blocks import ENDS
from core.text.layout.item_ends import asks

# Of those that end in no colon in 95 labels, leaflets, papers and others, four had more, and led in nothing.
_LONGEST = 24  # words
_NOTED_COLON = re.compile(r":\d[\d, ]*$")  # a colon with the marks of notes


class HasText(Protocol):
    """A sentence."""

    @property
    def text(self) -> str: ...


_Said = TypeVar("_Said", bound=HasText)


def lead_in(words: str, spoken: Sequence[_Said], *, bullet: bool) -> _Said | None:
    """The sentence of a paragraph that introduces a list: its last, where that ends in a colon, or, directly
    before a bullet, asks, or breaks off ("X darf nicht eingenommen werden,", "Liver damage may occur if you
    take"). Too many words that break off are none; what the paragraph last asks stands for them then.

    Args:
        words: of the paragraph, without white space at its end.
        spoken: its sentences.
        bullet: whether the next paragraph begins with a bullet.
    """
    if words.endswith(":"):
        return spoken[-1]
    if not bullet:
        return None
    breaks_off = not ENDS.search(words)
    if breaks_off and (_NOTED_COLON.search(words) or len(spoken[-1].text.split()) <= _LONGEST):
        return spoken[-1]
    asked = [one for one in spoken if asks(one.text)]
    return asked[-1] if asked and (breaks_off or asked[-1] is spoken[-1]) else None
