"""What a document's title names: "Metformin 500 mg film-coated tablets" is about metformin, not tablets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from core.text.quantities import normalised, quantities

_IN_BRACKETS = re.compile(r"\([^()]*\)")


@lru_cache(maxsize=4096)
def name_in(title: str) -> str:
    """The title up to the strength, with what stands in brackets behind it; the whole title where that
    leaves nothing.

    Products are named by name, strength and form, in this order (EMA, QRD guidance on the expression of
    the product name).
    """
    text = normalised(title)
    strength = next((one for one in quantities(title) if one.unit), None)
    if strength is None:
        return title
    behind = _IN_BRACKETS.findall(text[strength.end :])
    name = text[: strength.start].strip(" ,-–")
    return " ".join([name, *behind]) if name else title


def told_apart(sources: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What each title and file is headed with: the title, and the file where another file's has its name."""
    known = dict.fromkeys(sources)
    files: dict[str, set[str]] = {}
    for title, file in known:
        files.setdefault(name_in(title).casefold(), set()).add(file)
    return {
        (title, file): f"{title} · {file}" if len(files[name_in(title).casefold()]) > 1 else title
        for title, file in known
    }
