"""How much documents are about the medicines that a question names.

The names are those of the plan (`core.domain.leaflets.plan.DocumentPlan.subjects`): the graph's, and words
that stand like a name. A dose beside "dimethyl fumarate" is not Vumerity's, and of a medicine that no
document speaks of nothing is told, whatever stands in the nearest section.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from core.domain.documents import Chunk, Document, Hit
from core.domain.leaflets.conditions import Partner
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence
from core.evidence.naming.makers import ProductMaker, maker_of, side_by_side
from core.evidence.naming.of_papers import is_own_study
from core.evidence.naming.spelt import spells
from core.evidence.relevance import Relevance, Subjects
from core.questions.clauses import Clause
from core.questions.leaflets.names import is_surely_name, is_trade_name, without_salt
from core.text.spelling.medicines import (
    in_english_spelling,
    is_generic,
    of_the_same,
    places_of_words,
    substances_in,
)
from core.text.titles import medicines_in, name_in

_ENOUGH_PASSAGES = 0.5  # of a document that name a medicine: from here on it is wholly about it
# A document is a medicine's own where it is so much as much about it as the one that is most.
_AS_MUCH = 0.5
# Strength from which on a document is a medicine's own: its passages may say "the drug" mostly.
ABOUT = 0.3
# Of a product among others of its file, where what is told of it names a medicine: an antidote, say.
_NAMED_BESIDE = ABOUT / 2
# From this share of a document's passages on a word that stands like a name is one ("siponimod").
_IS_NAME = 0.25
# A heading's first word, behind its number.
_HEADED = re.compile(r"(?:[A-Z]?\.?\d{0,2}(?:\.\d{1,2}){0,3}[.)]?\s+)?([^\W\d_][^\s,:;(]{3,})")
_INTERACTIONS = "interactions"
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class NamedMedicines:
    """The medicines that a clause is about.

    Args:
        names: of the clause, those of the clause before included where it has none.
        partners: what else is taken.
        text: of the clause, which may say whose product is meant.
        called: what documents call those that they do not call so: "acetaminophen" of "paracetamol".
    """

    names: Sequence[Named]
    subjects: Subjects
    relevance: Relevance
    partners: Sequence[Named] = ()
    text: str = ""
    called: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, part: ClauseEvidence, subjects: Subjects, relevance: Relevance) -> NamedMedicines:
        """Those of a clause; none where nobody read what it asks of documents."""
        return cls.of_hits(part.clause, part.hits, subjects, relevance)

    @classmethod
    def of_hits(
        cls, clause: Clause, hits: Sequence[Hit], subjects: Subjects, relevance: Relevance
    ) -> NamedMedicines:
        """Those of a clause for which these passages were found."""
        plan = clause.leaflet
        found = {hit.document.id: hit.document for hit in hits}

        def is_name(one: Named) -> bool:
            return is_surely_name(one, clause.text) or any(
                relevance.naming(document, one.text) >= _IS_NAME for document in found.values()
            )

        def is_in(name: str) -> bool:
            return any(
                spells(name, document.called) or relevance.naming(document, name) >= _IS_NAME
                for document in found.values()
            )

        names = _joined(plan.subjects if plan is not None else (), clause.text, is_in)
        names = [_as_documents_have(one, is_in) for one in names]
        conditions = plan.conditions if plan is not None else ()
        partners = [one.name for one in conditions if isinstance(one, Partner) and one.taken]
        names = [one for one in names if is_name(one)]
        called = {
            one.text: others
            for one in (*names, *partners)
            if (others := _other_names(one, found.values(), relevance))
        }
        return cls(names, subjects, relevance, partners, clause.text, called)

    @property
    def together(self) -> list[Named]:
        """All that is asked about, or taken, together, each once."""
        found: dict[str, Named] = {}
        for one in (*self.names, *self.partners):
            found.setdefault(one.text.casefold(), one)
        return list(found.values())

    def share_in(self, text: str) -> float:
        """Share of `together` that a text names, in [0, 1]; 1 of none."""
        all_named = [self._has(text, one) for one in self.together]
        return sum(all_named) / len(all_named) if all_named else 1.0

    def documents(self, hits: Sequence[Hit]) -> set[tuple[str, str]] | None:
        """The documents, by `Document.subject`, whose statements need not name a medicine again; None where
        there is nothing to tell, because no document speaks of one. An empty set where only others' documents
        name one: of "carbamazepine with fingolimod" fingolimod's may tell, where it names the other.

        All of them where the clause names none. What another medicine's document says of this one counts where
        it names it: alemtuzumab's premedication is not in ofatumumab's label, whatever that label says of it,
        and the dose in ibuprofen's leaflet is not aspirin's because that leaflet warns of aspirin.

        Raises:
            StoreError: the library cannot be read.
        """
        found = {hit.document.subject: hit.document for hit in hits}
        if not self.names:
            return set(found)
        own: set[tuple[str, str]] = set()
        elsewhere = False
        last: tuple[Named, set[tuple[str, str]]] | None = None
        for name in self.names:
            strengths = {
                key: 0.0 if self._is_of_partner(document) else self._strength(name, document)
                for key, document in found.items()
            }
            elsewhere = elsewhere or any(strengths.values())
            for key, strength in strengths.items():
                if strength < ABOUT or (
                    strength < 1 and _is_of_another(found[key], name, strength)
                ):
                    strengths[key] = 0.0
            least = _AS_MUCH * max(strengths.values(), default=0.0)
            these = {key for key, strength in strengths.items() if least and strength >= least}
            if last is not None and these & last[1] and side_by_side(self.text, last[0], name):
                # A trade name and what it contains are of one product.
                own = (own - last[1]) | (these & last[1])
            else:
                own |= these
            last = (name, these)
        if not own and (elsewhere or self.beside(hits)):
            return set()
        return set(self.maker({key: found[key] for key in own}).documents) or None

    def beside(self, hits: Iterable[Hit]) -> set[tuple[str, str]]:
        """The documents on what is taken beside, by `Document.subject`. Metformin's leaflet may warn of alcohol
        throughout, and is not on alcohol: what it says of that is not said of another medicine.

        Raises:
            StoreError: the library cannot be read.
        """
        found = {hit.document.subject: hit.document for hit in hits}
        return {
            key
            for key, document in found.items()
            if any(self._is_on(document, one) for one in self.partners)
            and not self.has_title(document)
        }

    def _is_on(self, document: Document, partner: Named) -> bool:
        if self._has(document.called, partner):
            return True
        titled = _medicines_titled(document)
        same = not titled.isdisjoint(substances_in(partner.text))
        return (same or not titled) and self._strength(partner, document) >= ABOUT

    def is_of_a_third(self, document: Document) -> bool:
        """Whether a document is on another medicine than two that are asked about together: what stands side by
        side in a list of its own interactions is not said of each other."""
        # "Biotin supplement" is one, not two that are taken together.
        both = [one for one in self.together if is_surely_name(one, self.text)]
        if len(both) < 2 or any(self._has(document.called, one) for one in both):
            return False
        titled = _medicines_titled(document)
        return bool(titled) and all(titled.isdisjoint(substances_in(one.text)) for one in both)

    def _is_of_partner(self, document: Document) -> bool:
        """Whether a document is on what else is taken: the dose beside it there is that one's."""
        beside = any(self._has(document.called, one) for one in self.partners)
        return beside and not self.has_title(document)

    def maker(self, documents: Mapping[tuple[str, str], Document]) -> ProductMaker:
        """Whose product the clause asks about, of some documents on its medicines.

        Raises:
            StoreError: the library cannot be read.
        """
        return maker_of(
            self.text,
            [*self.names, *self.partners],
            documents,
            lambda document, words: [
                chunk.text for chunk in self.relevance.passages_with(document, words)
            ],
        )

    def without_maker(self, hits: Sequence[Hit]) -> str:
        """The clause's text without the name of whose product it asks about.

        Raises:
            StoreError: the library cannot be read.
        """
        own = self.documents(hits)
        found = {hit.document.subject: hit.document for hit in hits}
        if not self.names or not own:
            return self.text
        text = self.maker({key: found[key] for key in own}).left_out(self.text)
        for one, other in pairwise(self.names):
            if is_trade_name(one) and side_by_side(text, one, other):
                text = text.replace(one.text, "", 1)
        if len(self.names) == len(own) == 1 and is_trade_name(self.names[0]):
            (title,) = (found[key].title for key in own)
            if found[next(iter(own))].products and not self._has(title, self.names[0]):
                # Its facts call it by what it contains.
                text = text.replace(self.names[0].text, name_in(title))
        return " ".join(text.split())

    def strength(self, document: Document) -> float:
        """How much a document is about the medicines, in [0, 1]: 1 for one in its title, else by the share of
        its passages that have the name; the mean over names, and 1 without any."""
        if not self.names:
            return 1.0
        return sum(self._strength(one, document) for one in self.names) / len(self.names)

    def has_title(self, document: Document) -> bool:
        """Whether a document's title has one of the names."""
        return any(self._has(document.called, one) for one in self.names)

    def named_in(self, text: str) -> bool:
        """Whether a text has one of the names."""
        return any(self._has(text, one) for one in self.names)

    def heads(self, chunk: Chunk) -> bool:
        """Whether a passage stands under a heading that begins with one of the names, and tells of it: "A.6
        Acetylcysteine, 21-hour regimen". Under one of interactions what is told is of the other medicine."""
        if chunk.section == _INTERACTIONS:
            return False
        found = _HEADED.match(chunk.heading)
        return found is not None and self.named_in(found[1])

    def _strength(self, name: Named, document: Document) -> float:
        if self._has(document.called, name):
            return 1.0
        if document.products:  # what the other products of the file say counts for none of it
            if not self.relevance.tells(document, name.text):
                return 0.0
            return 1.0 if is_trade_name(name) else _NAMED_BESIDE
        # "Keppra" is called levetiracetam by whoever names the substance.
        called = (name.text, *([name.name] if name.ids else []), *self.called.get(name.text, ()))
        share = max(self.relevance.naming(document, one) for one in called)
        naming = partial(self.relevance.passages_with, document, name.text)
        if share and is_own_study(name.text, naming):
            return 1.0
        return min(1.0, share / _ENOUGH_PASSAGES)

    def _has(self, text: str, name: Named) -> bool:
        """Whether a text has a name, or what documents call it; signs and spaces say nothing, a last letter
        little ("Methotrexat"), and one letter may be wrong."""
        if any(spells(one, text) for one in (name.text, *self.called.get(name.text, ()))):
            return True
        ids, has_any = name.ids, self.subjects.has_any
        return bool(ids) and (has_any(text, ids) or has_any(in_english_spelling(text), ids))


def documents_about(
    clause: Clause,
    hits: Sequence[Hit],
    entity_ids_in: Callable[[str], set[str]],
    relevance: Callable[[], Relevance],
) -> dict[tuple[str, str], Document]:
    """The documents of hits that are on what a clause names, by `Document.subject`: by their titles, or where
    none has the name by how many of their passages have it.

    Args:
        relevance: is asked for where titles do not tell.

    Raises:
        StoreError: the library cannot be read.
    """
    found = {hit.document.subject: hit.document for hit in hits}
    subjects = Subjects(clause, {one.called for one in found.values()}, entity_ids_in)
    titled = {
        key: one
        for key, one in found.items()
        if subjects.is_about(one.called) and not _is_of_a_like(one, clause.search_text)
    }
    if titled or not found:
        return titled
    named = NamedMedicines.of_hits(clause, hits, subjects, relevance())
    own = (named.documents(hits) or set()) if named.names else set()
    return {key: found[key] for key in own if named.strength(found[key]) >= ABOUT}


def _medicines_titled(document: Document) -> frozenset[int]:
    """The medicines in a document's title that the list of all has, by `substances`: it is on these."""
    return medicines_in(document.called)


def _is_of_a_like(document: Document, text: str) -> bool:
    """Whether a text has a name of several words of which a document's title has some alone, as the name of
    another medicine: of "interferon beta-1b" that of interferon beta-1a."""
    if next(places_of_words(text), None) is None:
        return False
    titled = _medicines_titled(document)
    return bool(titled) and titled.isdisjoint(substances_in(text))


def _is_of_another(document: Document, name: Named, strength: float) -> bool:
    """Whether a document whose title lacks a name is on another medicine, as its title says. Where the list of
    all has both, nothing that its passages say changes that: a trial may have compared them.

    Args:
        strength: how much the document is about the name, by its passages.
    """
    asked, titled = substances_in(name.text), _medicines_titled(document)
    return bool(titled) and (strength < ABOUT or (bool(asked) and asked.isdisjoint(titled)))


def _other_names(
    named: Named, documents: Iterable[Document], relevance: Relevance
) -> tuple[str, ...]:
    """Other names of the substance by which documents that do not call it so are titled, or that one of them
    has throughout. Never another trade name, whose strengths may be others: what a document writes in small
    letters is the substance.

    Raises:
        StoreError: the library cannot be read.
    """
    name, known = named.text, (named.name if named.ids else named.text).casefold()
    others = [one for one in of_the_same(known) if not relevance.absent(one)]
    if not others:
        return ()
    titled = [
        (one, set(_WORD.findall(one.called.casefold())))
        for one in documents
        if not spells(name, one.called) and relevance.naming(one, name) < ABOUT
    ]
    return tuple(
        other
        for other in others
        if any(
            (other in words or relevance.naming(document, other) >= ABOUT)
            and _writes_small(document, other, relevance)
            for document, words in titled
        )
    )


def _writes_small(document: Document, name: str, relevance: Relevance) -> bool:
    if is_generic(name):
        return True
    # "www.ampyra.com" is an address.
    small = re.compile(rf"(?<![\w.@/-]){re.escape(name)}(?!\.?\w)")
    return any(small.search(one.text) for one in relevance.passages_with(document, name))


def _as_documents_have(name: Named, is_in: Callable[[str], bool]) -> Named:
    """A name that nobody knows without its salt, where no document has it with that."""
    base = without_salt(name)
    return base if base is not name and not is_in(name.text) and is_in(base.text) else name


def _joined(names: Sequence[Named], text: str, is_in: Callable[[str], bool]) -> list[Named]:
    """Names of a text; unknown words side by side that a document has together are one name: "diroximel
    fumarate" is not dimethyl fumarate.

    Args:
        is_in: whether a document has a name.
    """
    joined: list[Named] = []
    for one in names:
        both = f"{joined[-1].text} {one.text}" if joined else ""
        if joined and not (one.ids or joined[-1].ids) and both in text and is_in(both):
            joined[-1] = Named(both, (), both, "")
        else:
            joined.append(one)
    return joined
