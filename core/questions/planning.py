"""Questions read as plans against the graph as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.domain.graph import Entity, Mention
from core.domain.plans import Gap, Plan
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.projection import Projection
from core.graph.schema import GraphSchema
from core.questions.accounts import left_out, offer, says_all
from core.questions.closest.kinds import ClosestKind
from core.questions.items import Item, items_of
from core.questions.lexicon import Lexicon, words_of
from core.questions.lexicon.reading import languages, lexicon
from core.questions.planned import Listed, ReadPlan
from core.questions.planner import PlanReader
from core.questions.spoken import plan_said
from core.text.language import language

_FALLBACK = _ENGLISH = "en"  # the language of graphs' names, and of the kinds of question


@dataclass(frozen=True, slots=True)
class Planner:
    """Reads plans; safe to share between threads.

    Attributes:
        closest: tells what a question that is not understood most likely asks for; None: nothing is told.
    """

    graph: KnowledgeGraph
    names: EntityNames
    closest: ClosestKind | None = None

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
            items = self._items(known, question)
            reader = PlanReader(schema, known, self.graph.entities_named, before)
            plan = reader.read(question, items)
            if plan is None:
                return None
            may_be_asked = offer(plan, items)
            like = None
            # "Which of them treat infections?" is understood, whatever the graph knows of infections.
            understood = reader.of_before and all(one.gap is Gap.NAME for one in plan.left_over)
            if not plan.complete and not understood:
                likely, vouched = self._most_like(known, question, items, plan, before)
                if likely is not None and vouched and says_all(likely, items, known.nothing):
                    return _likened(likely, schema, items, reader)
                if may_be_asked is None:
                    like = may_be_asked = likely
            if like is not None:
                plan = replace(plan, left_over=left_out(plan, like, items, known.nothing))
        except StoreUnavailable:
            return None
        return ReadPlan(
            plan,
            plan_said(plan, schema, known.code),
            reader.of_before,
            may_be_asked,
            plan_said(may_be_asked, schema, known.code) if may_be_asked is not None else "",
            like is not None,
            known.code,
            reader.names_set,
        )

    def _most_like(
        self,
        known: Lexicon,
        question: str,
        items: Sequence[Item],
        plan: Plan,
        before: Listed | None,
    ) -> tuple[Plan | None, bool]:
        """The plan of the kind of question that this one is most like, if one is likely, is read whole, and
        the names are all there: a narrower one has an offer of its own. And whether its unknown words are
        vouched for."""
        narrower = any(one.gap is Gap.NARROWER for one in plan.left_over)
        if self.closest is None or known.code != _ENGLISH or narrower:
            return None, False
        like = self.closest.likeness(question, items)
        if like is None:
            return None, False
        schema = GraphSchema.of(self.graph.projection())
        reader = PlanReader(schema, known, self.graph.entities_named, before)
        found = reader.read(like.wording, self._items(known, like.wording))
        whole = found is not None and found.complete
        return (found, like.vouched) if whole else (None, False)

    def _items(self, known: Lexicon, text: str) -> list[Item]:
        return items_of(text, known, self.names.mentions_in(text), partial(self._called, known))

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


def _likened(
    plan: Plan, schema: GraphSchema, items: Sequence[Item], reader: PlanReader
) -> ReadPlan:
    """The plan of the kind of question that this one is most like, as what was read."""
    return ReadPlan(
        plan,
        plan_said(plan, schema, _ENGLISH),
        names_set=reader.names_set,
        likened=True,
        passed_over=tuple(dict.fromkeys(one.text for one in items if not one.senses)),
    )


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
