"""How a question is read: misspelt names put right, "it" and "and in pregnancy?" resolved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from core.documents.store.library import SearchStore
from core.domain.conversations import Turn
from core.domain.documents import Document
from core.domain.encoder import TokenEncoder
from core.domain.plans import Gap, Plan
from core.domain.provenance.within import EVERYTHING, Within
from core.encoders.fine_tuned import question_model
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.names.spelling import Spelling
from core.questions.apart import ask_apart, both_halves, of_before
from core.questions.asked import asks, section_beside
from core.questions.clauses import Clause, one_clause, read_clauses
from core.questions.closest.kinds import ClosestKind
from core.questions.correcting.corrections import Corrections
from core.questions.following.going_on import GoingOn
from core.questions.leaflets.combining import (
    is_asked_of_each,
    of_one,
    of_what_not_with,
    places_of_medicines,
    used_for,
)
from core.questions.leaflets.reader import LeafletReader, sections_of
from core.questions.leaflets.same_patient import asks_documents, of_one_patient
from core.questions.library import one_by_one
from core.questions.library.several import on_several, several_asked
from core.questions.library_words import LibraryWords
from core.questions.mentioning.found import MentioningDocument, mentioned_in, naming
from core.questions.plan_reading.listing import needs_graph
from core.questions.planned import ReadPlan, listed_last
from core.questions.planning import Planner
from core.questions.spoken import ENGLISH
from core.text.glosses.parted_verbs import with_whole_verbs
from core.text.spelling.medicines import substances_in
from core.text.stems import content_words
from core.text.titles import TitleNames, name_in

# A word inside a sentence; one that begins with a capital is a name, the first word says nothing.
_INNER_WORD = re.compile(r"(?<=[\w,;:)] )\w+")
_SHORT_WORD = 3  # characters
# Of a clause, indexes and the part of them that it is asked of.
Closest = Callable[[Clause, tuple[str, ...], Within], Sequence[tuple[str, str]]]
_OF_NAMES = (Gap.NAME, Gap.NARROWER)
_NONE = one_by_one.Each({})


@dataclass(frozen=True, slots=True)
class QuestionReader:
    """Reads questions against a library and the names of the graph.

    Args:
        closest: documents, by `Document.subject`, that say most of what a clause asks of each, best first.
    """

    library: SearchStore
    names: EntityNames
    planner: Planner
    corrections: Corrections
    leaflets: LeafletReader
    closest: Closest = lambda _clause, _scope, _within: ()

    @classmethod
    def over(
        cls,
        library: SearchStore,
        graph: KnowledgeGraph,
        names: EntityNames,
        bundled: Callable[[], TokenEncoder],
    ) -> QuestionReader:
        """The reader of a workspace.

        Args:
            bundled: gives the bundled embedding model.
        """
        return cls(
            library,
            names,
            Planner(graph, names, ClosestKind(question_model().read)),
            Corrections(graph, names),
            LeafletReader(names.named_in, lambda texts: bundled().encode(texts)),
        )

    def ranking(self, closest: Closest) -> QuestionReader:
        """The same with what tells which documents say most of a question."""
        return replace(self, closest=closest)

    def calling(self, scope: tuple[str, ...]) -> QuestionReader:
        """The same for questions to some indexes: what their documents are called is a name in any language."""
        return replace(self, leaflets=self.leaflets.of_documents(TitleNames(self._titled(scope))))

    def warm_up(self) -> None:
        """Load what reads questions.

        Raises:
            ModelError: one of the models cannot be loaded.
        """
        self.leaflets.read("warm-up")
        question_model().read(["warm-up"])

    def clauses(self, question: str, scope: tuple[str, ...] = ()) -> list[Clause]:
        """The clauses of a question with what each asks for.

        Args:
            scope: indexes, whose titles tell names and which of them are of one product.
        """

        @cache
        def titles() -> list[list[str]]:
            # Of "ublituximab-xiiy" also the first part.
            named = [content_words(name_in(title)) for title in self._titles(scope)]
            return [[*words, *(one.split("-")[0] for one in words)] for words in named]

        def named(text: str) -> list[tuple[int, int]]:
            return places_of_medicines(text, self.names.named_in, titles)

        def is_named(word: str) -> bool:
            return self.library.chunks_with_word(word, scope) > 0

        def of_each(clause: Clause, apart: Sequence[Clause]) -> bool:
            texts = [one.text for one in apart]
            known = all(any(each.type == "Drug" for each in one.entities) for one in apart)
            asked = clause.text, texts, clause.sections, known
            return is_asked_of_each(*asked, self.leaflets.read, titles, is_named)

        def alone(clause: Clause) -> Clause:
            if not clause.one_of_several:
                return clause
            text = of_one(clause.text)
            plan = self.leaflets.read(text)
            if plan.subjects and not (plan.aspects or plan.conditions or plan.left_over):
                return replace(clause, text=used_for(text), unsaid=True)
            return replace(clause, text=text)

        return list(map(alone, read_clauses(question, self.names.entities_asked, named, of_each)))

    def of_documents(self, clause: Clause) -> Clause:
        """A clause with what it asks of documents. Its sections stay those of the keywords: one that was
        learned and is wrong would have the answer looked for in the wrong place. How much of a medicine is to
        be taken is asked of documents alone."""
        leaflet = self.leaflets.read(clause.search_text)
        asked = clause.text, leaflet, clause.sections, clause.wanted_types
        leaflet = of_what_not_with(*asked) or leaflet
        plan = None if asks_documents(leaflet, clause.plan) else clause.plan
        sections = sections_of(leaflet, clause.sections)
        return replace(clause, leaflet=leaflet, plan=plan, sections=sections)

    def planned(
        self,
        question: str,
        whole: ReadPlan | None,
        scope: tuple[str, ...] = (),
        within: Within = EVERYTHING,
    ) -> list[Clause]:
        """The clauses of a question with their plans; one alone where a plan holds the whole question, and one
        for each document that is searched where each is asked about.

        Args:
            whole: the plan of the question, if it has one.
            scope: see `clauses`.
            within: the documents that it is asked of.
        """
        question = with_whole_verbs(question)
        asked_in = question, self.library, scope, within
        have = mentioned_in(*asked_in, self.names.called, self.leaflets.read)
        if have is not None:
            return [replace(self._clause(question), mentioned=have)]
        by_graph = whole is not None and whole.plan.complete
        documents = () if whole is not None and whole.of_before else self._documents(scope)
        may_be = (whole is None or whole.plan.lacks_name) and one_by_one.is_asked_of_all(
            question, of_documents=True
        )
        of_documents = may_be and self._asks_documents_alone(question, scope)
        each = one_by_one.asked_of(question, documents, within, by_graph, of_documents)
        if of_each := self._of_each(question, each, scope, within):
            return of_each
        if of_several := self._of_several(question, scope, within):
            return of_several
        return self._of_whole(question, whole, scope, each)

    def _of_whole(
        self,
        question: str,
        whole: ReadPlan | None,
        scope: tuple[str, ...],
        each: one_by_one.Each = _NONE,
    ) -> list[Clause]:
        """The clauses of a question that is asked of all documents at once."""
        clauses: list[Clause] = []
        for one in map(self.of_documents, self._planned(question, whole, scope)):
            before = clauses[-1].leaflet if clauses else None
            own = one.leaflet
            if own is not None and not own.subjects and before is not None:
                # "..., and how often?" asks about the medicine before, also one that no graph knows.
                names = tuple(named.text for named in before.subjects)
                one = self.of_documents(replace(one, inherited=names))
            clauses.append(one)
        leaflets = of_one_patient([one.leaflet for one in clauses])
        among = each.among() if each.too_many and not self._name_medicine(clauses, scope) else None
        both = zip(clauses, leaflets, strict=True)
        return [replace(one, leaflet=own, among=among) for one, own in both]

    def _of_each(
        self, question: str, each: one_by_one.Each, scope: tuple[str, ...], within: Within
    ) -> list[Clause]:
        """A question as one on each of these documents; of too many on those that name what it names, and of
        these on those that say most of it. None where it names a medicine itself, or there are no two."""
        asked = self.of_documents(self._clause(one_by_one.asked_alone(question)))
        has = naming(asked.leaflet, self.library, scope, within, self.names.called) if each else {}
        if each.too_many:
            closest = (title for _, title in self.closest(asked, scope, within))
            ranked = [title for title in dict.fromkeys((*closest, *has)) if title in each.ids]
            ranked.sort(key=lambda title: -has[title].terms if title in has else 0)
            found = one_by_one.on_closest(question, each, ranked, self._clause, self.of_documents)
        else:
            found = one_by_one.on_all(question, each, self._clause, self.of_documents)
        return [replace(one, named_in=has.get(one.titled)) for one in found]

    def _of_several(self, question: str, scope: tuple[str, ...], within: Within) -> list[Clause]:
        """A question as one on each of the documents that it asks, as they are called; none where it asks no
        two that are known."""
        asked = several_asked(question)
        if asked is None or within.entities:
            return []

        def naming_it(clause: Clause) -> dict[str, MentioningDocument]:
            return naming(clause.leaflet, self.library, scope, within, self.names.called)

        def read(text: str) -> list[Clause]:
            return self._of_whole(text, None, scope)

        documents = (one for one in self._documents(scope) if within.has_document(one.id))
        return on_several(asked, documents, read, naming_it)

    def _asks_documents_alone(self, question: str, scope: tuple[str, ...]) -> bool:
        """Whether a question asks for a section of leaflets and names nothing that graph or titles have, nor
        what no passage has: of "which medicines not with grapefruit?" only leaflets know something."""
        clause = self.of_documents(self._clause(question))
        # The graph may be away, and nobody know its names.
        asks_graph = clause.entities or needs_graph(clause, named=True)
        if asks_graph or not clause.sections or self._name_medicine([clause], scope):
            return False
        names = clause.leaflet.subjects if clause.leaflet is not None else ()
        words = [word for name in names for word in content_words(name.text)]
        return all(self.library.chunks_with_word(word, scope) for word in words)

    def _name_medicine(self, clauses: Sequence[Clause], scope: tuple[str, ...]) -> bool:
        """Whether clauses name a medicine: one of the graph, of a document's title, or of the list of all.
        Another word that stands like a name may be what is asked about: "taken with grapefruit"."""
        plans = [one.leaflet for one in clauses if one.leaflet is not None]
        names = [name for plan in plans for name in plan.subjects]
        titled = {word.casefold() for word in self._titled(scope)} if names else set()
        return any(map(substances_in, (one.text for one in clauses))) or any(
            one.ids or not titled.isdisjoint(content_words(one.text)) for one in names
        )

    def _planned(
        self, question: str, whole: ReadPlan | None, scope: tuple[str, ...]
    ) -> list[Clause]:
        clauses = self.clauses(question, scope)
        plans = [self.planner.read(one.text) for one in clauses] if len(clauses) > 1 else [whole]
        joined = whole is not None and whole.plan.complete
        if whole is not None and whole.likened:
            # One clause may be the whole of what it was likened to, and another that asks be passed over.
            whole_alone = [one is not None and one.plan.complete for one in plans]
            asking = [asks(one.text) or own for one, own in zip(clauses, whole_alone, strict=True)]
            joined = not (any(whole_alone) and sum(asking) > 1)
        understood = all(one is not None and one.plan.complete for one in plans)
        halves = [] if joined or understood else both_halves(question, self.planner.read)
        if halves:
            return [replace(self._clause(text), plan=plan) for text, plan in halves]
        if joined and not ask_apart(clauses, plans, self.planner.read):
            compared = self._beside(clauses, whole, scope) if whole is not None else []
            return [replace(self._clause(question), plan=whole), *compared]
        apart: list[Clause] = []
        for clause, plan in zip(clauses, plans, strict=True):
            before = apart[-1].plan if apart else None
            apart.append(
                of_before(replace(clause, plan=plan), before, self.planner.read, self._clause)
            )
        return apart

    def _beside(
        self, clauses: Sequence[Clause], whole: ReadPlan, scope: tuple[str, ...]
    ) -> list[Clause]:
        """A clause for each medicine of a comparison by the graph that has a document, where documents say more
        of what is compared."""
        if not (section := section_beside(whole.plan)):
            return []
        names = map(name_in, self._titles(scope))
        titled = {one.id for name in names for one in self.names.entities_in(name)}
        return [
            replace(one, sections=(section,), beside=True)
            for one in clauses
            if one.one_of_several and any(entity.id in titled for entity in one.entities)
        ]

    def _clause(self, text: str) -> Clause:
        """A text as one clause, without a plan."""
        return one_clause(text, self.names.entities_asked)

    def corrected(
        self, clauses: Sequence[Clause], plan: Plan, number: int = 0
    ) -> tuple[list[Clause], ReadPlan | None]:
        """The clauses of a question with a corrected plan in place of one that was read, and that one; None
        where none was.

        Args:
            number: which of those that were read; the last where there are fewer.

        Raises:
            InputError: the plan cannot be carried out.
            StoreError: the graph cannot be read.
        """
        clauses = [one for one in clauses if not one.beside]  # of what was read
        read_of = [n for n, one in enumerate(clauses) if one.plan is not None]
        place = read_of[min(number, len(read_of) - 1)] if read_of else None
        before = clauses[place].plan if place is not None else None
        read = self.corrections.checked(plan, before.language if before is not None else ENGLISH)
        text = self.corrections.said(
            read.plan
        )  # sections and relationships are looked for in English
        clause = replace(self._clause(text), entities=self.corrections.named(read.plan), plan=read)
        if place is None:
            return [clause], None
        return [*clauses[:place], clause, *clauses[place + 1 :]], before

    def speaking_on(
        self, question: str, turns: Sequence[Turn], shown: tuple[str, ...] = ()
    ) -> ReadPlan | None:
        """The plan of a question that speaks of the list told before; None for any other. One that names
        what the graph has no such relationship to speaks of it all the same: "which of them treat
        infections?" never asks about the medicine in focus.

        Args:
            shown: ids of the entities that it is asked of, if of some alone: "these" are they, and no list
                that was told of others.
        """
        same = [one for one in turns if not shown or one.answer.within.entities == shown]
        before = listed_last(same)
        found = self.planner.read(question, before) if before is not None else None
        if found is None or not found.of_before:
            return None
        return found if all(one.gap in _OF_NAMES for one in found.plan.left_over) else None

    def spelling(self, question: str, scope: tuple[str, ...]) -> Spelling:
        """Words that are spelt wrong, as far as no document of the scope spells them so: names of the graph
        and those in the titles of documents, and everyday words that stand in a document. And medicines that
        these call by another name, and short forms that none has."""
        words = LibraryWords(self.library, scope, question, self._titled(scope))
        return words.spelt_out(
            self.names.spelling(question, words.has, words.near, words.passages, words.called)
        )

    def read(self, question: str, turns: Sequence[Turn], scope: tuple[str, ...]) -> str:
        """The question by itself, after references to earlier turns are resolved."""
        kept, lists = (self.library, self.names, self.leaflets), self.planner.lists
        return GoingOn(*kept, self.clauses, self._titled, lists).read(question, turns, scope)

    def _titled(self, scope: tuple[str, ...]) -> set[str]:
        """The words that titles of documents name them with, and the first part of those with hyphens."""
        words = {word for title in self._titles(scope) for word in content_words(name_in(title))}
        return words | {word.split("-")[0] for word in words}

    def _titles(self, scope: tuple[str, ...]) -> list[str]:
        return [title for document in self._documents(scope) for title in document.titles]

    def _documents(self, scope: tuple[str, ...]) -> Iterator[Document]:
        return (one for index in scope for one in self.library.documents(index))
