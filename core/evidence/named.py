"""How much documents are about the medicines that a question names.

The names are those of the plan (`core.domain.leaflets.plan.DocumentPlan.subjects`): the graph's, and words
that stand like a name. A dose beside "dimethyl fumarate" is not Vumerity's, and of a medicine that no
document speaks of nothing is told, whatever stands in the nearest section.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from core.domain.documents import Document, Hit
from core.domain.leaflets.conditions import Partner
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence
from core.evidence.relevance import Relevance, Subjects
from core.questions.leaflets.names import is_surely_name

_ENOUGH_PASSAGES = 0.5  # of a document that name a medicine: from here on it is wholly about it
# A document is a medicine's own where it is so much as much about it as the one that is most.
_AS_MUCH = 0.5
# From this share of a document's passages on a word that stands like a name is one ("siponimod").
_IS_NAME = 0.25
_FEWEST_LETTERS = 6  # of a name that may have one letter wrong
# What ends with a digit, a letter behind a digit or a capital behind a small letter is one of several alike.
_DESIGNATED = re.compile(r"\d[^\W\d_]?$|[a-zäöüß][A-ZÄÖÜ]$")
_NO_LETTER = re.compile(r"[^\w]+")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class NamedMedicines:
    """The medicines that a clause is about.

    Args:
        names: of the clause, those of the clause before included where it has none.
        partners: what else is taken.
    """

    names: Sequence[Named]
    subjects: Subjects
    relevance: Relevance
    partners: Sequence[Named] = ()

    @classmethod
    def of(cls, part: ClauseEvidence, subjects: Subjects, relevance: Relevance) -> NamedMedicines:
        """Those of a clause; none where nobody read what it asks of documents."""
        plan = part.clause.leaflet
        found = {hit.document.id: hit.document for hit in part.hits}

        def is_name(one: Named) -> bool:
            return is_surely_name(one) or any(
                relevance.naming(document, one.text) >= _IS_NAME for document in found.values()
            )

        def is_in(name: str) -> bool:
            return any(
                spells(name, document.title) or relevance.naming(document, name) >= _IS_NAME
                for document in found.values()
            )

        names = _joined(plan.subjects if plan is not None else (), part.clause.text, is_in)
        conditions = plan.conditions if plan is not None else ()
        partners = [one.name for one in conditions if isinstance(one, Partner)]
        return cls([one for one in names if is_name(one)], subjects, relevance, partners)

    @property
    def together(self) -> list[Named]:
        """All that is asked about, or taken, together."""
        return list(dict.fromkeys([*self.names, *self.partners]))

    def share_in(self, text: str) -> float:
        """Share of `together` that a text names, in [0, 1]; 1 of none."""
        all_named = [self._has(text, one) for one in self.together]
        return sum(all_named) / len(all_named) if all_named else 1.0

    def documents(self, hits: Iterable[Hit]) -> set[tuple[str, str]] | None:
        """The documents, by `Document.subject`, whose statements need not name a medicine again; None where
        there is nothing to tell, because no document speaks of one.

        All of them where the clause names none. What another medicine's document says of this one counts where
        it names it: alemtuzumab's premedication is not in ofatumumab's label, whatever that label says of it.

        Raises:
            StoreError: the library cannot be read.
        """
        found = {hit.document.subject: hit.document for hit in hits}
        if not self.names:
            return set(found)
        own: set[tuple[str, str]] = set()
        for name in self.names:
            strengths = {key: self._strength(name, document) for key, document in found.items()}
            least = _AS_MUCH * max(strengths.values(), default=0.0)
            own |= {key for key, strength in strengths.items() if least and strength >= least}
        return own or None

    def strength(self, document: Document) -> float:
        """How much a document is about the medicines, in [0, 1]: 1 for one in its title, else by the share of
        its passages that have the name; the mean over names, and 1 without any."""
        if not self.names:
            return 1.0
        return sum(self._strength(one, document) for one in self.names) / len(self.names)

    def has_title(self, document: Document) -> bool:
        """Whether a document's title has one of the names."""
        return any(self._has(document.title, one) for one in self.names)

    def named_in(self, text: str) -> bool:
        """Whether a text has one of the names."""
        return any(self._has(text, one) for one in self.names)

    def _strength(self, name: Named, document: Document) -> float:
        if self._has(document.title, name):
            return 1.0
        if document.products:  # what the other products of the file say counts for none of it
            return 0.0
        return min(1.0, self.relevance.naming(document, name.text) / _ENOUGH_PASSAGES)

    def _has(self, text: str, name: Named) -> bool:
        """Whether a text has a name; signs and spaces say nothing, a last letter little ("Methotrexat"), and
        one letter may be wrong."""
        return bool(name.ids and self.subjects.has_any(text, name.ids)) or spells(name.text, text)


def spells(name: str, text: str) -> bool:
    """Whether a text has a name; signs and spaces say nothing, a last letter little, and one letter may be
    wrong. A short name, and one that ends with what tells it from its like ("DrugA", "beta-1a"), as it is."""
    wanted = _NO_LETTER.sub("", name.casefold())
    folded = text.casefold()
    if len(wanted) < _FEWEST_LETTERS or _DESIGNATED.search(name):
        signs = r"[\W_]*".join(map(re.escape, wanted))
        return bool(re.search(rf"(?<![^\W_]){signs}(?![^\W_])", folded))
    if wanted[:-1] in _NO_LETTER.sub("", folded):
        return True
    return any(
        Levenshtein.distance(wanted, word, score_cutoff=1) <= 1
        for word in _WORD.findall(folded)
        if word[:1] == wanted[:1]
    )


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
