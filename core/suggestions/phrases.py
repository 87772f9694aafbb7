"""Questions that are offered, in words: phrases.toml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from core.domain.graph import Entity
from core.resources import read_table

_TABLE = read_table(__file__, "phrases.toml")
_USUAL = "en"  # where a language has no phrases
SECTIONS: Sequence[str] = _TABLE["order"]["sections"]
"""Codes of sections in the order that they are offered in."""
RELATIONSHIPS: Sequence[str] = _TABLE["order"]["relationships"]
"""Types of relationships in the order that they are offered in."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """The questions of one language.

    Attributes:
        table: of phrases.toml.
    """

    table: dict[str, Any]

    @classmethod
    def of(cls, language: str) -> Self:
        """Those of a language, by its code; English ones where it has none."""
        return cls(_TABLE[language if language in _TABLE and language != "order" else _USUAL])

    def of_section(self, section: str, name: str) -> str:
        """What is asked of a section of a document on a medicine; "" where nobody asks so."""
        return _filled(self.table["sections"].get(section, ""), name)

    def of_relationship(self, relationship: str, name: str, *, is_source: bool) -> str:
        """What is asked of an entity's relationships; "" where nobody asks so.

        Args:
            is_source: whether the entity is their source.
        """
        source, target = self.table["relationships"].get(relationship, ("", ""))
        return _filled(source if is_source else target, name)

    def both(self, graph: str, documents: str) -> str:
        """A question to the graph and one to documents as one question."""
        first, second = graph.rstrip("?"), documents.rstrip("?")
        joined: str = self.table["both"]
        return joined.format(graph=first, documents=second[:1].lower() + second[1:])

    def name(self, entity: Entity) -> str:
        """An entity's name inside a sentence: a substance is written small, where the language does."""
        plain = entity.name.isalpha() and entity.name.istitle()
        small = self.table["small"] and entity.type == "Drug" and plain
        return entity.name.lower() if small else entity.name


def _filled(phrase: str, name: str) -> str:
    # Not `format`: a name may have braces of its own.
    return phrase.replace("{name}", name)
