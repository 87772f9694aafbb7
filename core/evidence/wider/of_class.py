"""The reactions of one class of frequency ("which rare side effects ...?"): a label tells them in many places,
a line, a list or a cell for each organ, and one of them is half an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from core.domain.boards.records import FrequencyClass
from core.domain.leaflets.conditions import Age, PatientGroup
from core.domain.leaflets.plan import ADVERSE_REACTIONS, DocumentPlan, Wanted
from core.evidence.passages import PassageReader, Quote
from core.evidence.reading.frequencies import classes_in, label, labels_in, of_cell
from core.resources import any_of, read_table
from core.text.statements import Statement
from core.text.stems import stems
from core.text.tables.told import of_parts

_MOST = 6_000  # characters; more is told as it is found
_Key = tuple[str, int, int, int]


class OfClass:
    """What documents tell of the class of frequency that a clause asks for. Made for one, then dropped."""

    def __init__(self, plan: DocumentPlan | None, text: str, reader: PassageReader) -> None:
        self.level = class_asked(plan, text)
        left = plan.left_over if plan is not None and self.level else ()
        self._words = stems(" ".join(one for one in left if not classes_in(one)))
        self._reader = reader
        self._found: dict[tuple[str, str], dict[_Key, list[Quote]]] = {}

    def all_of(self, quote: Quote) -> list[Quote]:
        """All that the document of a statement tells of the class, in reading order, without what is of others;
        none where the statement tells none of it, or there is too much."""
        found = self._of_document(quote)
        told = [one for each in found.values() for one in each]
        if not _has(found, quote) or sum(len(one.text) for one in told) > _MOST:
            return []
        return told

    def beyond(self, quote: Quote) -> list[Quote]:
        """All that the document of a statement tells of the class."""
        return [one for each in self._of_document(quote).values() for one in each]

    def of_the_class(self, quotes: Sequence[Quote]) -> list[int]:
        """The places of the statements that tell of the class."""
        if self.level is None:
            return []
        return [n for n, one in enumerate(quotes) if _has(self._of_document(one), one)]

    def is_of_another(self, quote: Quote) -> bool:
        """Whether a class is asked for and a statement tells of others alone: "very rare" is not "uncommon"."""
        if self.level is None:
            return False
        said = _levels(quote, quote.under) - {None}
        return bool(said) and self.level not in said

    def _of_document(self, quote: Quote) -> dict[_Key, list[Quote]]:
        """What tells of the class, by the statement that it stands in."""
        if self.level is None:
            return {}
        key = quote.hit.document.subject
        if key not in self._found:
            level = self.level
            told = self._reader.telling(
                quote.hit,
                lambda chunk, one: (
                    chunk.section == ADVERSE_REACTIONS and level in _levels(one, _line_over(one))
                ),
            )
            narrowed = {one.key: self._narrowed(one, level) for one in told}
            named = {
                key: [one for one in each if self._words & stems(one.text)]
                for key, each in narrowed.items()
            }
            self._found[key] = {at: each for at, each in named.items() if each} or narrowed
        return self._found[key]

    def _narrowed(self, quote: Quote, level: FrequencyClass) -> list[Quote]:
        """A row without the cells of other classes; of a list that labels each item with a class the items of
        this one."""
        if not quote.row:
            lead = quote.lead.text if quote.lead is not None else ""
            labels = [label(item.text.removeprefix(lead).strip()) for item in quote.items]
            if not labels or not all(labels):
                return [quote]
            own = {
                item.text
                for item, said in zip(quote.items, labels, strict=True)
                if said is not None and said.frequency.level is level
            }
            return self._reader.single_items(quote, own.__contains__) or [quote]
        parts = tuple(one for one in quote.parts if _of_part(one) in (None, level))
        if len(parts) == len(quote.parts):
            return [quote]
        return [replace(quote, text=of_parts(quote.labels, parts), parts=parts)]


def _has(found: Mapping[_Key, Sequence[Quote]], quote: Quote) -> bool:
    """Whether a statement, or the item that it is, is among those that tell."""
    return quote.key in found or any(
        one.key == quote.key for each in found.values() for one in each
    )


def class_asked(plan: DocumentPlan | None, text: str) -> FrequencyClass | None:
    """The one class whose reactions a question asks for; None where it asks how often something comes."""
    if plan is None or plan.asks_incidence or plan.wanted is Wanted.YES_NO:
        return None
    if not plan.aspects or plan.aspects[0].section != ADVERSE_REACTIONS:
        return None
    if not all(isinstance(one, Age | PatientGroup) for one in plan.conditions):
        return None
    found = classes_in(_compared().sub(" ", text))
    return found[0] if len(found) == 1 else None


def _line_over(statement: Statement) -> str:
    return statement.under[-1].words if statement.under else ""


def _levels(statement: Statement | Quote, over: str) -> set[FrequencyClass | None]:
    """The classes that a statement says: before a colon, in what leads it in or in the line over it; of a row
    those of its heads and cells."""
    if statement.row:
        return {_of_part(part) for part in statement.parts}
    lead = statement.lead.text if statement.lead is not None else ""
    said = next(filter(None, map(label, (statement.text, lead, over))), None)
    return {*labels_in(statement.text), *([said.frequency.level] if said else ())}


def _of_part(part: str) -> FrequencyClass | None:
    head, _, cell = part.rpartition(": ")
    if not any(map(str.isalnum, cell)):
        return None  # "Rare: –"
    found = (head and of_cell(head)) or of_cell(cell)
    return found.level if found else None


@cache
def _compared() -> re.Pattern[str]:
    """ "The most common" is no class."""
    words = read_table(__file__, "of_class.toml")["compared"]
    return any_of([rf"(?<!\w)(?:{'|'.join(words)})\s+[^\W\d_]+"])
