"""What stands around a statement in its section, where a question asks for that section and nothing else; and
what leads in the table of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.evidence.passages import PassageReader, Quote

_OPENING = 1_000  # characters before a statement that are told with it
_LISTS = 4_000  # characters of further lists


@dataclass(frozen=True, slots=True)
class WholeSection:
    """Tells more of a section than the statement that answers.

    Args:
        is_told: whether a statement is on the medicine, and not for others than those asked about.
        narrowed: a statement without what is for others.
    """

    reader: PassageReader
    is_told: Callable[[Quote], bool]
    narrowed: Callable[[Quote], Quote]

    def from_opening(
        self, told: tuple[Quote, ...], with_it: Callable[[Quote], Sequence[Quote]]
    ) -> tuple[tuple[Quote, ...], tuple[Quote, ...]]:
        """What is told, from the beginning of what it stands under; and that alone where it is far above.

        Args:
            with_it: a statement with what must be told with it.
        """
        before = [self.narrowed(one) for one in self.reader.before(told[0]) if self.is_told(one)]
        if sum(len(one.text) for one in before) <= _OPENING:
            return (*before, *told), ()
        return told, tuple(one for one in with_it(before[0]) if one not in told)

    def lists_behind(self, last: Quote) -> tuple[Quote, ...]:
        """The lists and rows that follow on a list or a row without a sentence between, as many as are not too
        long: "Common: ...", "Rare: ..." are one list to who reads them."""
        found: list[Quote] = []
        left = _LISTS
        for one in self.reader.behind(last) if _is_listed(last) else ():
            left -= len(one.text)
            if left < 0 or not (_is_listed(one) or one.is_label):
                break
            if self.is_told(one):
                found.append(self.narrowed(one))
        while found and found[-1].is_label:
            found.pop()
        return tuple(found)


def leading_in(row: Quote, reader: PassageReader) -> list[Quote]:
    """The paragraph that leads in a row's table; none where no sentence does.

    Raises:
        StoreError: the library cannot be read.
    """
    said = reader.said_before(row)
    led = [one for one in reader.before(row) if said and one.text == said[-1]]
    return reader.paragraph(led[-1]) if led else []


def labelled_once(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes, of which rows that follow each other in one table have its caption and label once."""
    told: list[Quote] = []
    for before, one in zip([None, *quotes], quotes, strict=False):
        if one.row and before is not None and before.row and one.labels == before.labels:
            one = replace(one, text=one.text.removeprefix("".join(one.labels)))
        told.append(one)
    return told


def _is_listed(quote: Quote) -> bool:
    return bool(quote.list_number) or quote.row
