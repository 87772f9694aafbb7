"""For which illness a dose is: a leaflet on several illnesses says so where each dose begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.leaflets.conditions import Illness
from core.evidence.passages import Quote
from core.evidence.patients.contrasts import label_of
from core.text.quantities import numbers
from core.text.stems import stems

FindIllnesses = Callable[[str], Sequence[Illness]]


class Indications:
    """Holds the illnesses that doses are labelled with against those of a question.

    Args:
        asked: the illnesses of the question.
        find: the illnesses that a text names.
    """

    def __init__(self, asked: Sequence[Illness], find: FindIllnesses) -> None:
        self._asked = asked
        self._find = find
        self._told_apart: set[tuple[str, str]] = set()

    def look_at(self, quotes: Sequence[Quote], before: Callable[[Quote], Sequence[str]]) -> None:
        """Note which documents have a dose for an illness that is asked about: only these tell it apart
        from others.

        Args:
            before: what stands before a quote in its paragraph, in order.
        """
        if not self._asked:
            return
        for one in quotes:
            labelled = self._labelled(one, before(one))
            if numbers(one.text) and labelled and self._has_asked(labelled):
                self._told_apart.add(one.hit.document.subject)

    def is_for_another(self, quote: Quote, before: Sequence[str]) -> bool:
        """Whether a statement with a number is labelled with other illnesses, in a document that has those
        asked about, or stands under a line that names others."""
        if not self._asked or not numbers(quote.text):
            return False
        nearest = self._nearest(quote, before)
        if not nearest and quote.under and (under := self._find(quote.under)):
            return not self._has_asked(under)
        if quote.hit.document.subject not in self._told_apart:
            return False
        labelled = nearest or self._labelled(quote, before)
        return bool(labelled) and not self._has_asked(labelled)

    def _labelled(self, quote: Quote, before: Sequence[str]) -> Sequence[Illness]:
        """The illnesses of the nearest label that names any: one beside the statement, the line over it, the
        heading."""
        return (
            self._nearest(quote, before)
            or self._find(quote.under)
            or self._find(quote.hit.chunk.heading)
        )

    def _nearest(self, quote: Quote, before: Sequence[str]) -> Sequence[Illness]:
        """The illnesses of the nearest label beside a statement that names any: the row's or the sentence's
        own, or one that was said before it."""
        own = " ".join([*quote.labels, *quote.parts]) if quote.row else label_of(quote.text)
        labels = (own, *(label_of(one) for one in reversed(before)))
        return next(filter(None, (self._find(one) for one in labels if one)), ())

    def _has_asked(self, labelled: Sequence[Illness]) -> bool:
        return any(_same(one, other) for one in self._asked for other in labelled)


def _same(one: Illness, other: Illness) -> bool:
    if set(one.name.ids) & set(other.name.ids):
        return True
    mine, others = stems(one.name.text), stems(other.name.text)
    return mine <= others or others <= mine
