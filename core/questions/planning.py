"""Questions read as plans against the graph as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.graph import Entity, Mention
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.schema import GraphSchema
from core.questions.items import items_of
from core.questions.lexicon import languages, lexicon
from core.questions.planned import Listed, ReadPlan
from core.questions.planner import PlanReader
from core.questions.wording import Wording
from core.text.language import language

_FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Planner:
    """Reads plans; safe to share between threads."""

    graph: KnowledgeGraph
    names: EntityNames

    def read(self, question: str, before: Listed | None = None) -> ReadPlan | None:
        """The plan of a question; None where it asks nothing of the graph, or the graph is away."""
        try:
            projection = self.graph.projection()
            schema = GraphSchema.of(projection)
            code = language(question)
            known = lexicon(
                code if code in languages() else _FALLBACK,
                projection.relationship_types,
                projection.entity_types,
            )
            mentions = self.names.mentions_in(question)
            items = items_of(question, known, mentions, self._called)
            reader = PlanReader(schema, known, self.graph.entities_named, before)
            plan = reader.read(question, items)
        except StoreUnavailable:
            return None
        if plan is None:
            return None
        return ReadPlan(plan, Wording(schema).plan(plan), reader.of_before)

    def _called(self, mention: Mention) -> Sequence[Entity]:
        """All entities of a mention's name: pancreatitis is a disease, and a side effect."""
        found = self.graph.entities_named(mention.text)
        if not found and mention.text.endswith("s"):
            found = self.graph.entities_named(mention.text[:-1])
        if any(entity.id == mention.entity_id for entity in found):
            return found
        own = self.graph.entity(mention.entity_id)
        return [own, *found] if own is not None else found
