"""How much documents are about the medicines that a question names.

The names are those of the plan (`core.domain.leaflets.plan.DocumentPlan.subjects`): the graph's, and words
that stand like a name. A dose beside "dimethyl fumarate" is not Vumerity's, and of a medicine that no
document speaks of nothing is told, whatever stands in the nearest section.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from core.domain.documents import Document, Hit
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence
from core.evidence.relevance import Relevance, Subjects
from core.questions.leaflets.names import is_surely_name

# A document that is the subject's own; one that speaks of it. From half its passages on it is wholly about it.
_IS_ABOUT = 0.5
_SPEAKS_OF = 0.1
_ENOUGH_PASSAGES = 0.5
_FEWEST_LETTERS = 6  # of a name that may have one letter wrong
_NO_LETTER = re.compile(r"[^\w]+")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class NamedMedicines:
    """The medicines that a clause is about.

    Args:
        names: of the clause, those of the clause before included where it has none.
    """

    names: Sequence[Named]
    subjects: Subjects
    relevance: Relevance

    @classmethod
    def of(cls, part: ClauseEvidence, subjects: Subjects, relevance: Relevance) -> NamedMedicines:
        """Those of a clause; none where nobody read what it asks of documents."""
        plan = part.clause.leaflet
        names = plan.subjects if plan is not None else ()
        return cls([one for one in names if is_surely_name(one)], subjects, relevance)

    def documents(self, hits: Iterable[Hit]) -> set[tuple[str, str]] | None:
        """The documents, by `Document.subject`, whose statements need not name a medicine again; None where
        there is nothing to tell, because no document speaks of one.

        All of them where the clause names none, or where no document is one's own.

        Raises:
            StoreError: the library cannot be read.
        """
        found = {hit.document.subject: hit.document for hit in hits}
        strengths = {one: self.strength(document) for one, document in found.items()}
        best = max(strengths.values(), default=0.0)
        if not best:
            return None
        if best < _IS_ABOUT:
            return set(found)
        return {one for one, strength in strengths.items() if strength >= _SPEAKS_OF}

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
        if name.ids and self.subjects.has_any(text, name.ids):
            return True
        wanted = _NO_LETTER.sub("", name.text.casefold())
        if wanted[:-1] in _NO_LETTER.sub("", text.casefold()):
            return True
        return len(wanted) >= _FEWEST_LETTERS and any(
            Levenshtein.distance(wanted, word.casefold(), score_cutoff=1) <= 1
            for word in _WORD.findall(text)
            if word[:1].casefold() == wanted[:1]
        )
