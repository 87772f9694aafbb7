"""The tables of this folder as compiled patterns and sets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.resources import any_of, read_table

_TABLE = read_table(__file__, "boards.toml")


@dataclass(frozen=True, slots=True)
class GraphWords:
    """Types of relationships and entities."""

    adverse: tuple[str, ...]
    treats: tuple[str, ...]
    interacts: tuple[str, ...]
    class_of: tuple[str, ...]
    reactions: frozenset[str]


GRAPH = GraphWords(
    adverse=tuple(_TABLE["graph"]["adverse"]),
    treats=tuple(_TABLE["graph"]["treats"]),
    interacts=tuple(_TABLE["graph"]["interacts"]),
    class_of=tuple(_TABLE["graph"]["class_of"]),
    reactions=frozenset(_TABLE["graph"]["reactions"]),
)
REACTION_SECTIONS = frozenset(_TABLE["documents"]["reactions"])
INTERACTION_SECTIONS = tuple(_TABLE["documents"]["interactions"])
FEWEST_SECTIONS = int(_TABLE["documents"]["fewest_sections"])

BRACKETS = re.compile(r"[(\[][^()\[\]]*(?:\([^()]*\)[^()\[\]]*)*[)\]]")
ENDS = any_of(_TABLE["section"]["ends"])
TITLES = any_of(_TABLE["section"]["titles"])
OVERDOSE_SIGNS = any_of(_TABLE["section"]["overdose_signs"])
OVERDOSE_TREATMENT = any_of(_TABLE["section"]["overdose_treatment"])
CONDITIONS = [re.compile(one, re.IGNORECASE) for one in _TABLE["section"]["conditions"]]
FOLLOWED = any_of(_TABLE["section"]["followed"])
OTHER_RATES = any_of(_TABLE["section"]["other_rates"])
STATES = frozenset(_TABLE["section"]["states"])
OTHERS = any_of(_TABLE["section"]["others"])
STOPPED = any_of(_TABLE["section"]["stopped"])
LIKEWISE = any_of(_TABLE["section"]["likewise"])
COMPARATORS = any_of(_TABLE["section"]["comparators"])
GROUP_ENDS = any_of(_TABLE["section"]["group_ends"])
GROUP_TITLES = any_of(_TABLE["section"]["group_titles"])
GROUP_WORDS = any_of(_TABLE["section"]["group_words"])
COUNTS = any_of(_TABLE["section"]["counts"])

DENYING = frozenset(_TABLE["reading"]["denying"].split())
TURNING = frozenset(_TABLE["reading"]["turning"].split())
VERBS = frozenset(_TABLE["reading"]["verbs"].split())
HEADS = any_of(_TABLE["reading"]["heads"])
LISTS = any_of(_TABLE["reading"]["lists"])
NO_ITEM = frozenset(_TABLE["reading"]["no_item"].split())
QUALIFIERS = any_of(_TABLE["reading"]["qualifiers"])
REFERENCES = any_of(_TABLE["reading"]["references"])
POINTING = any_of(_TABLE["reading"]["pointing"])
MEASURES = any_of(_TABLE["reading"]["measures"])
NOTES = any_of(_TABLE["reading"]["notes"])
TAILS = any_of(_TABLE["reading"]["tails"])
JOINING = re.compile(
    rf"(?:{'|'.join(map(re.escape, _TABLE['reading']['joining']))})\s+", re.IGNORECASE
)
_ALTERNATIVES = "|".join(map(re.escape, _TABLE["reading"]["alternatives"]))
ALTERNATIVE = re.compile(rf"(?<=\w)\s+(?:{_ALTERNATIVES})\s+(?=\w)", re.IGNORECASE)
HARM = any_of(_TABLE["reading"]["harm"])
ACTIONS = any_of(_TABLE["interactions"]["actions"])


def in_condition(text: str, start: int, end: int) -> bool:
    """Whether a name at ``text[start:end]`` is of what patients have, not of what the medicine does."""
    if FOLLOWED.match(text, end):
        return True
    return any(
        found.start() <= start < found.end() for rule in CONDITIONS for found in rule.finditer(text)
    )
