"""Salts and esters: which form of a substance a name says, and not which substance."""

from __future__ import annotations

import re

from core.resources import read_table

SALTS = frozenset(read_table(__file__, "salts.toml")["word"])
"""Their names in lower case, in English; some are those of other forms."""

# "Metoprololsuccinat", "Metforminehydrochloride": German and Dutch write the salt in one word. "Mono", "thio"
# and "poly" before one are no substances.
_FORMS = {
    form
    for salt in SALTS
    for form in (salt, salt.removesuffix("e"), re.sub("ate$", "aat", salt))
    if salt.endswith(("ate", "ide"))
}
_COMPOUND = re.compile(
    rf"(?<!\w)([^\W\d_]{{6,}}?)({'|'.join(sorted(_FORMS))})(?!\w)", re.IGNORECASE
)


def parted_salts(text: str) -> str:
    """A text with each salt apart from the substance before it: "Metoprolol succinat"."""
    return _COMPOUND.sub(r"\1 \2", text)
