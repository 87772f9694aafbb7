"""What a document's title names: "Metformin 500 mg film-coated tablets" is about metformin, not tablets."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import lru_cache

from core.text.quantities import normalised, quantities
from core.text.spelling.everyday import is_everyday
from core.text.spelling.medicines import is_medicine, substances_in

# Behind what a title is on: "..., including Heparin Bridging".
_INCLUDED = re.compile(
    r",\s+(?:(?:and |und |en )?(?:including|incl\.?|einschließlich|inklusive|inclusief))\s.*",
    re.IGNORECASE,
)
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


def medicines_in(title: str) -> frozenset[int]:
    """The medicines that a document is on by its title, of those that the list has: not what it includes."""
    return substances_in(_INCLUDED.sub("", name_in(title)))


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


class TitleNames(Container[str]):
    """The words of titles, case-folded, that name what a document is about, and not those in everyday use."""

    def __init__(self, words: Container[str]) -> None:
        self._words = words

    def __contains__(self, word: object) -> bool:
        return (
            isinstance(word, str)
            and word in self._words
            and (is_medicine(word) or not _is_ordinary(word))
        )


def _is_ordinary(word: str) -> bool:
    """Whether a word, or what it is the plural of, is in everyday use: "patients" in a paper's title."""
    return is_everyday(word, "en") or is_everyday(word.removesuffix("s"), "en")
