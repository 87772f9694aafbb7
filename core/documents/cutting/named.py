"""Which medicines a text names: those of the graph, and those of the list of all
(`core.text.spelling.medicines`), which is there without a graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet

from core.text.spelling.medicines import is_medicine
from core.text.stems import content_words

DrugsIn = Callable[[str], AbstractSet[str]]
"""What tells apart the medicines that a text names: ids of the graph, and names that it does not have."""

_WORD = re.compile(r"[^\W\d_]+")


def drugs_of(
    count_mentions: Callable[[str], Mapping[str, int]],
    medicines: Callable[[Iterable[str]], Mapping[str, str]],
) -> DrugsIn:
    """The medicines in texts.

    Args:
        count_mentions, medicines: see `Subject.of`.
    """

    def of_graph(text: str) -> AbstractSet[str]:
        return medicines(count_mentions(text)).keys()

    def drugs_in(text: str) -> AbstractSet[str]:
        known = set(of_graph(text))
        words = {word for word in _WORD.findall(text.casefold()) if is_medicine(word)}
        return known | {word for word in words if not known or not of_graph(word)}

    return drugs_in


def contents_of(
    names: Iterable[str], drugs_in: DrugsIn, left_out: AbstractSet[str]
) -> frozenset[str]:
    """What ingredients are, each by the medicine that it names, or else by its first word.

    Args:
        left_out: words that do not say which substance it is.
    """
    found: set[str] = set()
    for name in names:
        told = content_words(name)
        words = [word for word in told if word not in left_out] or told
        drugs = drugs_in(" ".join(words))
        found |= drugs or set(words[:1])
    return frozenset(found)
