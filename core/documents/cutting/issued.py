"""Who issued a document about a medicine, when and for which country, as far as it says so itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.domain.documents import Page
from core.resources import read_table
from core.text.model_talk import order_spans

HOLDER, REVISED, COUNTRY = "holder", "revised", "country"

_TABLE = read_table(__file__, "issued.toml")
_PATTERNS = {
    name: [re.compile(line, re.IGNORECASE) for line in _TABLE[name]["line"]]
    for name in (HOLDER, REVISED)
}
_COUNTRIES = {
    name: [re.compile(line, re.IGNORECASE) for line in lines]
    for name, lines in _TABLE["countries"].items()
}


def read_issued(pages: Sequence[Page]) -> dict[str, str]:
    """``holder``, ``revised`` and ``country`` of a document, those that it tells.

    What stands last counts: leaflets and labels end with it.
    """
    lines = [" ".join(line.split()) for page in pages for line in page.text.splitlines()]
    lines = [line for line in lines if line]
    found: dict[str, str] = {}
    for number, line in enumerate(lines):
        for name, patterns in _PATTERNS.items():
            match = next((one for pattern in patterns if (one := pattern.fullmatch(line))), None)
            if match is not None:
                said = match["said"] or next(iter(lines[number + 1 : number + 2]), "")
                if said and not order_spans(said):
                    found[name] = said.strip(" .,:")
        if COUNTRY not in found:
            for country, patterns in _COUNTRIES.items():
                if any(pattern.fullmatch(line) for pattern in patterns):
                    found[COUNTRY] = country
    return found


def issued(metadata: Mapping[str, str]) -> str:
    """Holder, country and date in one line; "" where the document tells none of them."""
    return ", ".join(filter(None, (metadata.get(name, "") for name in (HOLDER, COUNTRY, REVISED))))
