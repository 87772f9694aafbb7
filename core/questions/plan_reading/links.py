"""Which relationship is meant between entities of some types: the graph's schema, asked for a reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.graph.schema import GraphSchema
from core.questions.items import Item
from core.resources import read_table

Options = tuple[tuple[str, ...], ...]  # relationships of each sense of a word, likeliest first
_TABLE = read_table(__file__, "relations.toml")
_IMPLIED: dict[str, dict[str, str]] = _TABLE["implied"]
_BORNE: dict[str, list[str]] = _TABLE["borne"]
MEMBERS: frozenset[str] = frozenset(_TABLE["members"])
"""Relationships of a thing with what it consists of."""


@dataclass(frozen=True, slots=True)
class SchemaLinks:
    """What words for relationships mean in one graph.

    Attributes:
        bearing: words that say of what stands before them that it brings about what follows ("with").
        prepositions: with all others.
    """

    schema: GraphSchema
    bearing: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()

    def fits(
        self, types: Iterable[str], options: Options, others: Iterable[str]
    ) -> tuple[str, ...]:
        """The relationship meant by the first sense that links the types, as a tuple; () for none. What
        stands in for the first of a sense links no two things of one type: proteins are no targets of
        the proteins that they bind to."""
        near, far = tuple(types), tuple(others)
        alike = set(near) == set(far)
        for option in options:
            for name in option[:1] if alike else option:
                if self.schema.links(name, near, far):
                    return (name,)
        return ()

    def near(
        self, types: tuple[str, ...], names: Sequence[str], others: Iterable[str]
    ) -> tuple[str, ...]:
        """Those of `types` that the first relationship links to the others; all where it links none."""
        return self.schema.near_types(names[0], types, tuple(others)) or types

    def far(self, options: Options, others: Iterable[str]) -> tuple[str, ...]:
        """The types that the first relationship which is possible links to the others; () for none."""
        far = tuple(others)
        for option in options:
            for name in option:
                if types := self.schema.far_types(name, far):
                    return types
        return ()

    def implied(
        self, types: Iterable[str], others: Iterable[str], *, borne: bool = False
    ) -> Options:
        """The relationships that are meant between the types where none is said ("drugs for gout").

        Args:
            borne: it is said that the one brings about the other, or is without it.
        """
        far = tuple(others)
        return tuple(
            dict.fromkeys(
                (name,)
                for one in types
                for other in far
                if (name := _IMPLIED.get(one, {}).get(other))
                and (borne or other not in _BORNE.get(one, ()))
            )
        )

    def implied_with(
        self, types: Iterable[str], names: Sequence[Item], *, negated: bool = False
    ) -> Options:
        """The relationships that are meant between the types and names.

        Args:
            negated: behind a "not".
        """
        others = sorted({name for one in names for name in one.types})
        said = {word for one in names for word in one.gap}
        denied = negated and self.prepositions.isdisjoint(
            said
        )  # "without nausea", not "not for nausea"
        borne = denied or not self.bearing.isdisjoint(said)
        return self.implied(types, others, borne=borne)
