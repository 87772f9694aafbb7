"""Entities, relationships and what an expansion of the graph returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the knowledge graph.

    Attributes:
        id: public identifier (``DB00331``, ``DOID:9352``, ``NCBI:5468``), unique in the graph.
        type: ``Drug``, ``Disease``, ``ClinicalDisease``, ``Protein``, ``Phenotype``, ``Pathway``, ...
        properties: text properties by name; only those that have a value.
        degree: number of relationships.
        importance: PageRank scaled to [0, 1], 1 for the most central node.
    """

    id: str
    type: str
    name: str
    synonyms: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    degree: int = 0
    importance: float = 0.0


@dataclass(frozen=True, slots=True)
class Relationship:
    """A directed, typed relationship; stored once, shown from both ends."""

    source: str
    type: str
    target: str
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.source, self.type, self.target)


@dataclass(frozen=True, slots=True)
class Fact:
    """A relationship with both its ends, ready to be shown or cited."""

    source: Entity
    type: str
    target: Entity
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.source.id, self.type, self.target.id)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity's name found in a text: ``text[start:end]`` names `entity_id`."""

    entity_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class RankedEntity:
    """An entity with its relevance to a question.

    Attributes:
        relevance: in [0, 1].
        hops: distance from the nearest seed: 0, 1 or 2.
        reason: why it is here, in words ("named in the question").
    """

    entity: Entity
    relevance: float
    hops: int
    reason: str


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What an expansion found: entities in descending relevance and the facts among them."""

    entities: tuple[RankedEntity, ...] = ()
    facts: tuple[Fact, ...] = ()

    @property
    def entity_ids(self) -> tuple[str, ...]:
        return tuple(ranked.entity.id for ranked in self.entities)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of a graph import; `problems` lists malformed rows as ``file:line reason``."""

    entities: int
    relationships: int
    skipped: int
    problems: tuple[str, ...]
    seconds: float
