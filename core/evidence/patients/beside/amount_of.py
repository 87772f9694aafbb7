"""Amounts of another substance than the document's: an antidote, what is given before an infusion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from core.domain.leaflets.conditions import Partner
from core.domain.leaflets.plan import Wanted
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence
from core.evidence.naming.spelt import spells
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.footnotes import is_dose
from core.resources import any_of, read_table
from core.text.quantities import quantities
from core.text.spelling.medicines import substances_in

_NO_AMOUNTS = (Wanted.DURATION, Wanted.WHAT_TO_DO, Wanted.YES_NO)
_NEAR = 40  # characters before a name
_SEVERAL = 2  # medicines that a row names


def other_asked(part: ClauseEvidence) -> Named | None:
    """The substance whose amount a clause asks for, where no document that was found is called by it, and one
    by another that the clause names: "how many mg of vitamin K does apixaban's label advise"."""
    named = _named(part)
    asked = _asked_of(part, named)
    if asked is None or _is_titled(asked, part):
        return None
    return asked if any(_is_titled(one, part) for one in named if one is not asked) else None


def telling_amount(
    part: ClauseEvidence, quotes: Sequence[Quote], reader: PassageReader
) -> list[int]:
    """The places of the statements that may tell an amount: where that of another substance than their
    document's is asked for, those alone that name it beside a dose; of a table those rows that name all, and
    none that is called by another."""
    named = _named(part)
    every = _naming_all(named, quotes)
    asked = _asked_of(part, named)
    if asked is None:
        return every
    other, own = other_asked(part), substances_in(asked.text)

    def is_of_another(one: Quote) -> bool:
        # A trade name may be one of the substance; a guideline calls its parts by substances.
        titled = substances_in(one.hit.document.called) if one.hit.document.products else None
        return other is not None or bool(own and titled and own.isdisjoint(titled))

    def tells(one: Quote) -> bool:
        said = " ".join((*reader.said_before(one), one.text))
        return spells(asked.text, said) and any(map(is_dose, quantities(one.text)))

    told = [place for place in every if not is_of_another(one := quotes[place]) or tells(one)]
    return [place for place in told if not is_called_by_another(quotes[place], named)]


def is_called_by_another(row: Quote, named: Sequence[Named]) -> bool:
    """Whether a row of a guideline's table is called by a substance, and neither that nor what stands above the
    table is one of those that a clause names: "Probenecid, added to allopurinol: 500 mg" is no dose of
    allopurinol, and "Nitrofurantoin: do not use" forbids nothing else."""
    asked = frozenset().union(*(substances_in(one.text) for one in named))
    if not (row.row and row.parts and asked) or row.hit.document.products:
        return False
    above = " ".join((row.hit.document.called, row.hit.chunk.heading, *row.labels))
    called = substances_in(row.parts[0])
    return bool(called) and asked.isdisjoint(called | substances_in(above))


def _naming_all(named: Sequence[Named], quotes: Sequence[Quote]) -> list[int]:
    """The places of the statements without the rows of a table of conversions (two of its columns name
    medicines in each row) that name fewer of those asked about than another row, which names two at least."""
    # Two names of one substance are one; a name of several substances is no more than one.
    asked = {own for one in named if (own := substances_in(one.text))}
    tables: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, one in enumerate(quotes):
        if one.row:
            tables.setdefault((one.hit.document.id, _heads(one)), []).append(place)
    left_out: set[int] = set()
    for rows in tables.values() if len(asked) >= _SEVERAL else ():
        cells = [[substances_in(part) for part in quotes[place].parts] for place in rows]
        if sum(map(all, zip(*cells, strict=True))) < _SEVERAL:
            continue
        told = [frozenset().union(*row) for row in cells]
        counts = [sum(not own.isdisjoint(one) for own in asked) for one in told]
        if max(counts) >= _SEVERAL:
            left_out |= {place for place, n in zip(rows, counts, strict=True) if n < max(counts)}
    return [place for place in range(len(quotes)) if place not in left_out]


def _heads(row: Quote) -> tuple[str, ...]:
    """What the columns of a row are called."""
    return tuple(part.partition(": ")[0] for part in row.parts)


def _named(part: ClauseEvidence) -> list[Named]:
    """The medicines that a clause names, those that are taken beside last."""
    plan = part.clause.leaflet
    if plan is None:
        return []
    partners = [one.name for one in plan.conditions if isinstance(one, Partner)]
    return [one for one in (*plan.subjects, *partners) if one.text]


def _asked_of(part: ClauseEvidence, named: Sequence[Named]) -> Named | None:
    """The one whose amount is asked for; none where something else is: "how long after the last dose of X", or
    "what to do with the dose of X"."""
    plan = part.clause.leaflet
    if plan is None or plan.wanted in _NO_AMOUNTS:
        return None
    return next((one for one in named if _asks_amount(part.clause.text, one.text)), None)


def _is_titled(one: Named, part: ClauseEvidence) -> bool:
    """Whether a document that was found is called by a name."""
    names = (one.text, *([one.name] if one.ids else []))
    return any(spells(name, hit.document.called) for name in names for hit in part.hits)


def _asks_amount(text: str, name: str) -> bool:
    """Whether a text asks for the amount of what it has a name of."""
    before, behind, beside = _patterns()
    return any(
        before.search(text, max(0, found.start() - _NEAR), found.start())
        # "X with Y dose" asks for that of X.
        or (behind.match(text, found.end()) and not beside.search(text, 0, found.start()))
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    )


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = read_table(__file__, "amount_of.toml")
    asking, unit, linked, behind = (
        "|".join(table[key]) for key in ("before", "unit", "linked", "behind")
    )
    before = rf"(?<!\w)(?:{asking})(?:\s+(?:{unit}))?(?:\s+(?:{linked}))*\s+$"
    beside = rf"(?<=[^\W_])\s*(?:\+|\s(?:{'|'.join(table['beside'])})\s)\s*\Z"
    return any_of([before]), any_of([rf"[\s-](?:{behind})(?!\w)"]), any_of([beside])
