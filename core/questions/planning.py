"""Questions read as plans against the graph as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.domain.graph import Entity, Mention
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.projection import Projection
from core.graph.schema import GraphSchema
from core.questions.accounts import offer
from core.questions.items import items_of
from core.questions.lexicon import Lexicon, words_of
from core.questions.lexicon.reading import languages, lexicon
from core.questions.planned import Listed, ReadPlan
from core.questions.planner import PlanReader
from core.questions.spoken import plan_said
from core.text.language import language

_FALLBACK = "en"  # the language of graphs' names


@dataclass(frozen=True, slots=True)
class Planner:
    """Reads plans; safe to share between threads."""

    graph: KnowledgeGraph
    names: EntityNames

    def read(self, question: str, before: Listed | None = None) -> ReadPlan | None:
        """The plan of a question; None where it asks nothing of the graph, or the graph is away."""
        try:
            mentions = self.names.mentions_in(question)
            known = spoken(question, mentions, self.graph.projection())
        except StoreUnavailable:
            return None
        return self.read_by(known, question, before)

    def read_by(
        self, known: Lexicon, question: str, before: Listed | None = None
    ) -> ReadPlan | None:
        """The same, read by one lexicon."""
        try:
            schema = GraphSchema.of(self.graph.projection())
            mentions = self.names.mentions_in(question)
            items = items_of(question, known, mentions, partial(self._called, known))
            reader = PlanReader(schema, known, self.graph.entities_named, before)
            plan = reader.read(question, items)
        except StoreUnavailable:
            return None
        if plan is None:
            return None
        may_be_asked = offer(plan, items)
        return ReadPlan(
            plan,
            plan_said(plan, schema, known.code),
            reader.of_before,
            may_be_asked,
            plan_said(may_be_asked, schema, known.code) if may_be_asked is not None else "",
            known.code,
            reader.names_set,
        )

    def _called(self, known: Lexicon, mention: Mention) -> Sequence[Entity]:
        """All entities of a mention's name: pancreatitis is a disease, and a side effect."""
        found = self.graph.entities_named(mention.text)
        for ending in known.grammar.name:
            if not found and mention.text.endswith(ending):
                found = self.graph.entities_named(mention.text.removesuffix(ending))
        if any(entity.id == mention.entity_id for entity in found):
            return found
        own = self.graph.entity(mention.entity_id)
        return [own, *found] if own is not None else found


def spoken(question: str, mentions: Sequence[Mention], projection: Projection) -> Lexicon:
    """The lexicon that knows most words of a question beside its names. Of several that know as many,
    the one of the language that its commonest words tell, else the English one."""
    types = projection.relationship_types, projection.entity_types
    words = [
        word
        for word in words_of(question)
        if not any(one.start <= word.start < one.end for one in mentions)
    ]
    known = {code: lexicon(code, *types) for code in languages()}
    counts = {code: one.known(words) for code, one in known.items()}
    most = [code for code, count in counts.items() if count == max(counts.values())]
    told = language(question)
    return known[told if told in most else _FALLBACK if _FALLBACK in most else most[0]]
