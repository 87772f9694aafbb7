"""With or without another medicine: a dose beside it is not the dose without it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.domain.leaflets.conditions import Partner
from core.questions.leaflets.lexicon import lexicon_of

_BEFORE = 200  # characters before a name in which it is said not to be taken
_SHORTEST = 4  # letters of a name whose last one may differ ("clarithromycine")


def with_others(partner: Partner, texts: Iterable[str]) -> bool:
    """Whether the nearest of some texts that speaks of a partner says that it is taken where the question says
    that it is not, or the other way round.

    Args:
        texts: a statement, then what it stands under, the nearest first.
    """
    for text in texts:
        said = _said(partner.name.text, text) | _said(partner.name.name, text)
        if said:
            return partner.taken not in said
    return False


def is_for_other_takers(part: str, partners: Iterable[Partner]) -> bool:
    """Whether a cell of a row stands under a head for those who take what is said not to be taken, or the other
    way round ("In patients not taking X, Y or Z: 50 mg")."""
    head = part.rpartition(": ")[0]
    return any(with_others(one, (head,)) for one in partners)


def _said(name: str, text: str) -> set[bool]:
    """Whether a text says of a medicine that it is taken; both where it says both."""
    known = name[:-1] if len(name) > _SHORTEST else name
    without = lexicon_of(text).not_taken()
    return {
        without.search(text, max(0, one.start() - _BEFORE), one.start()) is None
        for one in re.finditer(rf"(?<!\w){re.escape(known)}", text, re.IGNORECASE)
    }
