"""Entities, relationships and what an expansion of the graph returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

NAMED_IN_QUESTION = "named in the question"  # a `RankedEntity.reason`


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
    """An entity's name found in a text: ``text[start:end]`` names `entity_id`.

    Attributes:
        called: ids of all entities that are called so, where it is a name in another language than the
            graph's; else none.
    """

    entity_id: str
    start: int
    end: int
    text: str
    called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedEntity:
    """An entity with its relevance to a question.

    Attributes:
        relevance: in [0, 1].
        hops: distance from the nearest seed: 0, 1 or 2.
        reason: why it is here, in words (`NAMED_IN_QUESTION`, "treats type 2 diabetes").
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
class Path:
    """A way from one entity to another, on which no entity comes twice.

    Attributes:
        entities: in order, both ends included.
        steps: between each entity and the next all the facts that link them, the most telling first.
        words: one sentence a step, read along the path.
        score: in (0, 1], 1 for a direct link; the smaller, the more connected the entities between.
    """

    entities: tuple[Entity, ...]
    steps: tuple[tuple[Fact, ...], ...]
    words: tuple[str, ...]
    score: float

    @property
    def hops(self) -> int:
        return len(self.steps)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all steps, in order."""
        return tuple(fact for step in self.steps for fact in step)


@dataclass(frozen=True, slots=True)
class FoundPaths(Sequence[Path]):
    """Paths between two entities, best first.

    Attributes:
        complete: whether no path was left out but for the limit; otherwise the search was given up.
    """

    paths: tuple[Path, ...] = ()
    complete: bool = True

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, place: int) -> Path: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Path, ...]: ...
    def __getitem__(self, place: int | slice) -> Path | tuple[Path, ...]:
        return self.paths[place]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        entities, relationships: distinct ones among the files' usable rows.
        skipped: malformed rows; `problems` lists the first thousand as ``file:line reason``.
        entities_added, entities_updated, entities_removed: against what was stored; updated are those
            whose type, name, synonyms or properties changed.
        relationships_added, relationships_removed: likewise.
    """

    entities: int
    relationships: int
    skipped: int
    problems: tuple[str, ...]
    seconds: float
    entities_added: int = 0
    entities_updated: int = 0
    entities_removed: int = 0
    relationships_added: int = 0
    relationships_removed: int = 0


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """Counts of an embedding run over entities; `total` is the sum of the next two and `failed`.

    Attributes:
        processed: embedded anew.
        unchanged: had a vector of the same text and model.
        removed: vectors of entities that are gone.
        failed: in batches that the model refused; the next run tries them again.
        tokens: read by the model, as its encoder counts them.
        cost_usd: tokens times the model's published price; 0 for models that run here.
    """

    total: int
    processed: int
    unchanged: int
    removed: int
    failed: int
    tokens: int
    cost_usd: float
    seconds: float
