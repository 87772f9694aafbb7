"""What stands around a statement in its section, where a question asks for that section and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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


def _is_listed(quote: Quote) -> bool:
    return bool(quote.list_number) or quote.row
