"""Which medicine is given in place of which: what is said of a change to it is not said of one from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from core.domain.documents import Hit
from core.evidence.passages import PassageReader, Quote
from core.resources import any_of, read_table
from core.text.spelling.medicines import substances_in

_SIDE = re.compile("OLD|NEW")
_STRETCH = r"[^.;:,]{1,60}"  # what is said of one of the two


@dataclass(frozen=True, slots=True)
class Switch:
    """A change of treatment, by the substances that are named on either side; one side may name none."""

    old: frozenset[int]
    new: frozenset[int]

    def is_opposed(self, other: Switch) -> bool:
        """Whether another change is one from what this one is to, or to what this one is from."""
        crossed = self.old & other.new or self.new & other.old
        return bool(crossed) and not (self.old & other.old or self.new & other.new)

    def is_same(self, other: Switch) -> bool:
        """Whether another change is from or to what this one is, and not to or from another."""
        sides = ((self.old, other.old), (self.new, other.new))
        shared = any(one & another for one, another in sides)
        return shared and all(not (one and another) or one & another for one, another in sides)


def is_opposed(question: str, text: str) -> bool:
    """Whether a question is on a change of treatment, and a text on the opposite one alone."""
    both = _both(question, text)
    return both is not None and both[0].is_opposed(both[1])


def is_same(question: str, text: str) -> bool:
    """Whether a question and a text are on one change of treatment."""
    both = _both(question, text)
    return both is not None and both[0].is_same(both[1])


def on_change(question: str, hits: Sequence[Hit], reader: PassageReader) -> Iterator[Quote]:
    """What the documents of some hits say of the change of treatment that a question is on, wherever it stands.

    Raises:
        StoreError: the library cannot be read.
    """
    if switch_in(question) is None:
        return
    for hit in {one.document.subject: one for one in reversed(hits)}.values():
        yield from reader.telling(hit, lambda _chunk, one: is_same(question, one.text))


def _both(question: str, text: str) -> tuple[Switch, Switch] | None:
    asked = switch_in(question)
    told = switch_in(text) if asked is not None else None
    return (asked, told) if asked is not None and told is not None else None


@lru_cache(maxsize=2_000)
def switch_in(text: str) -> Switch | None:
    """The first change of treatment of a text that names one of the two; None of none, and of both ways."""
    if _both_ways().search(text):
        return None
    for rule in _rules():
        for match in rule.finditer(text):
            found = Switch(substances_in(match["old"]), substances_in(match["new"]))
            if (found.old or found.new) and not found.old & found.new:
                return found
    return None


@cache
def _rules() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(_SIDE.sub(_stretch, one), re.IGNORECASE)
        for one in read_table(__file__, "switching.toml")["switches"]
    )


def _stretch(side: re.Match[str]) -> str:
    """What is said of one of the two: as little as possible, or all that follows."""
    lazy = "" if side.end() == len(side.string) else "?"
    return f"(?P<{side[0].casefold()}>{_STRETCH}{lazy})"


@cache
def _both_ways() -> re.Pattern[str]:
    return any_of(read_table(__file__, "switching.toml")["both_ways"])
