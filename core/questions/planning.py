"""Questions read as plans against the graph as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.domain.graph import Entity, Mention
from core.domain.plans import Gap, Named, Plan, Selection, Want
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.projection import Projection
from core.graph.schema import GraphSchema
from core.graph.sets import members
from core.questions.accounts import left_out, names_all, offer, says_all, without_part
from core.questions.closest.kinds import CERTAIN, LEAST, LEAST_UNNAMED, ClosestKind, wordings
from core.questions.closest.meaning import same_meaning
from core.questions.closest.vouching import MOST, MOST_DOUBTFUL
from core.questions.items import Item, items_of
from core.questions.lexicon import Lexicon, WordKind, words_of
from core.questions.lexicon.reading import languages, lexicon
from core.questions.planned import Listed, ReadPlan
from core.questions.planner import PlanReader
from core.questions.spoken import plan_said
from core.text.language import language

_DENYING = (WordKind.NOT, WordKind.NEITHER, WordKind.NOR, WordKind.UNCLEAR)
_LISTS = (Want.LIST, Want.COUNT)
_DRUG = "Drug"
_FALLBACK = _ENGLISH = "en"  # the language of graphs' names, and of the kinds of question


@dataclass(frozen=True, slots=True)
class _Likely:
    """The plan of the kind of question that one is most like.

    Attributes:
        vouched: no word of the question is likely to change what it asks.
        certain: and it may stand in the place of what was read of the words.
        over: words that have no part in it.
        names_set, of_before: as `ReadPlan` has them.
    """

    plan: Plan
    vouched: bool
    certain: bool
    over: tuple[str, ...]
    names_set: bool
    of_before: bool


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
            mentions = self.names.mentions_asked(question)
            known = spoken(question, mentions, self.graph.projection())
        except StoreUnavailable:
            return None
        return self.read_by(known, question, before)

    def lists(self, question: str) -> bool:
        """Whether a question asks for a list, or a number, of what the graph has, and says all of it: "what
        treats gout?"."""
        read = self.read(question)
        return read is not None and read.plan.complete and read.plan.want in _LISTS

    def read_by(
        self, known: Lexicon, question: str, before: Listed | None = None
    ) -> ReadPlan | None:
        """The same, read by one lexicon."""
        try:
            schema = GraphSchema.of(self.graph.projection())
            items = self._items(known, question)
            reader = PlanReader(schema, known, self.graph.entities_named, before)
            plan = reader.read(question, items)
            likely = self._most_like(known, question, items, plan, before)
            if likely is not None and self._leads_nowhere(likely.plan):
                likely = None
            if plan is not None and (plan.complete or _is_understood(plan, reader)):
                likely = self._instead(plan, likely, items, before)
            if likely is not None and likely.vouched:
                return _likened(likely, schema, known.code)
            if plan is None:
                return None
            plan = self._with_choices(plan, items, schema)
            may_be_asked = offer(plan, items)
            like = None
            narrower = any(one.gap is Gap.NARROWER for one in plan.left_over)
            if may_be_asked is None and likely is not None and not narrower:
                like = may_be_asked = likely.plan
                plan = replace(plan, left_over=left_out(plan, like, items, known))
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
        as_read: Plan | None,
        before: Listed | None,
    ) -> _Likely | None:
        """The plan of the kind of question that this one is most like, if one is likely and is read whole.
        Where a name is of several types ("gout" is a disease, and a side effect) and each makes one likely, it
        must be what was read of the words, or the only one whose relationships they say."""
        if self.closest is None or _names_alone(question, items):
            return None
        elsewhere = known.grammar.elsewhere - known.grammar.relative  # "somebody who has gout"
        likely: dict[Plan, _Likely] = {}
        likenesses = self.closest.likenesses(question, items, elsewhere, of_list=before is not None)
        for like in likenesses:
            reader, plan = self._read_whole(like.wording, before)
            if plan is None or not names_all(plan, items):
                continue
            clear = not like.contested or says_all(plan, items)
            english = known.code == _ENGLISH
            least, most = (LEAST, MOST) if english else (CERTAIN, MOST_DOUBTFUL)
            vouched = clear and like.share >= least and like.narrowing <= most
            vouched = vouched and like.asks_more <= MOST_DOUBTFUL
            if not any(one.entities for one in items):
                vouched = vouched and like.share >= LEAST_UNNAMED and not _says_more(plan, items)
            likely.setdefault(
                plan,
                _Likely(
                    plan,
                    vouched and not _has_figures(items),
                    vouched and like.share >= CERTAIN,
                    tuple(one.text for one in without_part(plan, items, known)),
                    reader.names_set,
                    reader.of_before,
                ),
            )
        if len(likely) > 1:
            for plan, one in likely.items():
                if as_read is not None and same_meaning(plan, as_read):
                    return one
            said = [one for plan, one in likely.items() if says_all(plan, items)]
            return said[0] if len(said) == 1 else None
        return next(iter(likely.values()), None)

    def _instead(
        self, plan: Plan, likely: _Likely | None, items: Sequence[Item], before: Listed | None
    ) -> _Likely | None:
        """The likeliest kind where it takes the place of what was read whole of the words: that is one of the
        kinds of question that are known, and another of them is certain to be asked. None where it does not."""
        if likely is None or not likely.certain or same_meaning(plan, likely.plan):
            return None
        for wording in wordings(items, of_list=before is not None):
            _, other = self._read_whole(wording, before)
            if other is not None and same_meaning(plan, other):
                return likely
        return None

    def _with_choices(self, plan: Plan, items: Sequence[Item], schema: GraphSchema) -> Plan:
        """A plan with the entities that a part of several names may stand for: of the types that what is asked
        for is linked to."""
        if not plan.lacks_name:
            return plan
        said = {name for item in items for one in item.senses for name in one.relationships}
        types = {end for name in said for end in schema.far_types(name, plan.sets[0].types)}
        left = (
            replace(one, choices=tuple(map(_choice, self.names.with_words(one.text, types))))
            if one.gap is Gap.UNKNOWN
            else one
            for one in plan.left_over
        )
        return replace(plan, left_over=tuple(left))

    def _leads_nowhere(self, plan: Plan) -> bool:
        """Whether a plan asks for what a name is linked to in one way, and the graph links it to nothing so: as
        a guess it tells nothing. That no two conditions hold together is an answer."""
        selection = plan.sets[0] if plan.want in _LISTS else Selection(())
        conditions = list(selection.all_conditions())
        alone = len(conditions) == 1 and not conditions[0].negated
        return alone and not members(selection, self.graph.projection()).any()

    def _read_whole(self, wording: str, before: Listed | None) -> tuple[PlanReader, Plan | None]:
        """The plan of the wording of a kind, and what read it; None where the graph cannot answer it."""
        projection = self.graph.projection()
        schema = GraphSchema.of(projection)
        english = lexicon(_ENGLISH, projection.relationship_types, projection.entity_types)
        reader = PlanReader(schema, english, self.graph.entities_named, before)
        plan = reader.read(wording, self._items(english, wording))
        return reader, plan if plan is not None and plan.complete else None

    def items(self, question: str) -> list[Item]:
        """The items of a question, in order.

        Raises:
            StoreUnavailable: the graph is away.
        """
        mentions = self.names.mentions_asked(question)
        return self._items(spoken(question, mentions, self.graph.projection()), question)

    def _items(self, known: Lexicon, text: str) -> list[Item]:
        return items_of(text, known, self.names.mentions_asked(text), partial(self._called, known))

    def _called(self, known: Lexicon, mention: Mention) -> Sequence[Entity]:
        """All entities of a mention's name: pancreatitis is a disease, and a side effect."""
        if mention.called:
            return list(self.graph.entities(mention.called).values())
        found = self.graph.entities_named(mention.text)
        for ending in known.grammar.name:
            if not found and mention.text.endswith(ending):
                found = self.graph.entities_named(mention.text.removesuffix(ending))
        if any(entity.id == mention.entity_id for entity in found):
            return found
        own = self.graph.entity(mention.entity_id)
        return [own, *found] if own is not None else found


def _choice(entity: Entity) -> Named:
    return Named(entity.name, (entity.id,), entity.name, entity.type)


def _names_alone(question: str, items: Sequence[Item]) -> bool:
    """Whether a question has names, and beside them no word but such as join them: "gout and X" asks nothing of
    the graph. What X is said of in gout, or how the two are connected, is another question each."""
    joins = [one for one in items if one.entities or one.has(WordKind.AND)]
    names = any(one.entities for one in joins)
    return names and all(
        any(one.start <= word.start < one.end for one in joins) for word in words_of(question)
    )


def _is_understood(plan: Plan, reader: PlanReader) -> bool:
    """ "Which of them treat infections?" is understood, whatever the graph knows of infections."""
    return reader.of_before and all(one.gap is Gap.NAME for one in plan.left_over)


def _says_more(plan: Plan, items: Sequence[Item]) -> bool:
    """Whether a question that names nothing says "not", or which of a list, and its plan does not: "which of
    them don't?", "the second one"."""
    denies = any(one.has(kind) for one in items for kind in _DENYING)
    picks = any(one.has(WordKind.ORDINAL) for one in items)
    of_one = any(
        not isinstance(one.of, Selection) and one.of.type == _DRUG
        for each in plan.sets
        for one in each.all_conditions()
    )
    return (denies and not plan.denies) or (picks and not of_one)


def _has_figures(items: Sequence[Item]) -> bool:
    """Whether a figure stands in a question that nobody knows."""
    return any(not one.senses and any(map(str.isdigit, one.text)) for one in items)


def _likened(likely: _Likely, schema: GraphSchema, code: str) -> ReadPlan:
    """The plan of the kind of question that one is most like, as what was read."""
    return ReadPlan(
        likely.plan,
        plan_said(likely.plan, schema, code),
        of_before=likely.of_before,
        language=code,
        names_set=likely.names_set,
        likened=True,
        passed_over=tuple(dict.fromkeys(likely.over)),
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
