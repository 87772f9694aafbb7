"""Animals that a text speaks of: a leaflet for people tells no dose for a dog."""

from __future__ import annotations

import re
from functools import cache

from core.resources import any_of, read_table


@cache
def _names(code: str) -> re.Pattern[str]:
    names = read_table(__file__, "species.toml")[code]
    return any_of([rf"(?<!\w){re.escape(name)}(?:e?s|e?n|er)?(?!\w)" for name in names])


def species_in(text: str, code: str) -> frozenset[str]:
    """The animals that a text in a language (as `core.text.language` codes it) names, as it writes them, in
    lower case; those of English where the language is not known."""
    pattern = _names(code if code in ("de", "nl") else "en")
    return frozenset(match.group().casefold() for match in pattern.finditer(text))
