"""The documents of a library that say most of what a question asks of each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from core.domain.documents import Hit
from core.domain.provenance.within import Within
from core.errors import EmbeddingMismatch, ModelError, StoreError
from core.evidence.reading.foreign import in_words_of_documents
from core.logs import get_logger
from core.questions.clauses import Clause
from core.questions.library.one_by_one import most_of
from core.search.options import MAX_K, SearchOptions
from core.search.retriever import Retriever
from core.text.stems import content_words

# Searches, each of MAX_K passages of the documents that none before has brought: one long document has
# hundreds of passages on driving.
_MOST_SEARCHES = 4
# Times as many documents are ranked as are asked: some may not be asked, and the next ones are named.
_ENOUGH = 2
_log = get_logger("answers")
_Ranked = dict[tuple[str, str], tuple[float, float]]  # by `Document.subject`: score, similarity


@dataclass(frozen=True, slots=True)
class ClosestDocuments:
    """Ranks documents by their passages."""

    retriever: Retriever

    def __call__(
        self, clause: Clause, indexes: Sequence[str], within: Within
    ) -> list[tuple[str, str]]:
        """Documents, and products of documents, by `Document.subject`, those with the best passages first: the
        best for all that is asked and the best for its rarest word take turns. By all of it, what must not be
        taken comes before a list of interactions that has the one word that counts: grapefruit.

        An index that cannot be searched has none: the search for the answer says so.

        Args:
            clause: what is asked of each, without a name of any.

        Raises:
            StoreError: the library cannot be read.
        """
        by_all: _Ranked = {}
        by_rarest: _Ranked = {}
        enough = _ENOUGH * most_of(within)
        for index in indexes:
            left = [
                one.id
                for one in self.retriever.store.documents(index)
                if within.has_document(one.id)
            ]
            if not left:
                continue
            options = SearchOptions(
                (index,),
                MAX_K,
                MAX_K,
                sections=within.sections,
                documents=tuple(left) if within.documents else (),
                quotes=False,
                rerank=False,
            )
            try:
                text = self._worded(clause, options)
                _add(by_all, self._hits(text, options, left, enough))
                if rarest := self._rarest(text, index):
                    lexical = replace(options, mode="lexical")
                    _add(by_rarest, self._hits(rarest, lexical, left, enough))
            except (EmbeddingMismatch, ModelError, StoreError) as error:
                _log.warning("index_not_ranked", index=index, code=error.code)
        turns = zip_longest(_best_first(by_all), _best_first(by_rarest))
        return list(dict.fromkeys(key for keys in turns for key in keys if key is not None))

    def _worded(self, clause: Clause, options: SearchOptions) -> str:
        """What to search an index for: what is asked, in the words of the documents there."""
        hits = self.retriever.search(clause.search_text, options).hits
        reworded = in_words_of_documents(clause, hits, self.retriever.store.document_chunks)
        return (reworded or clause).search_text

    def _rarest(self, text: str, index: str) -> str:
        """The word of a text that fewest passages of an index have; "" without one, and where none has the
        rarest: of "kept in the fridge" the "kept" alone tells nothing, and documents say it in another word."""
        counts = {
            word: self.retriever.store.chunks_with_word(word, (index,))
            for word in content_words(text)
        }
        rarest = min(counts, key=counts.__getitem__, default="")
        return rarest if counts.get(rarest) else ""

    def _hits(
        self, text: str, options: SearchOptions, left: Sequence[str], enough: int
    ) -> Iterator[Hit]:
        """Passages of enough documents, of those that are `left`: all that `options` let be found."""
        brought: set[tuple[str, str]] = set()
        for _ in range(_MOST_SEARCHES):
            if not left or len(brought) >= enough:
                return
            hits = self.retriever.search(text, options).hits
            yield from hits
            brought |= {hit.document.subject for hit in hits}
            seen = {hit.document.id for hit in hits}
            left = [one for one in left if one not in seen] if seen else []
            options = replace(options, documents=tuple(left))


def _add(found: _Ranked, hits: Iterable[Hit]) -> None:
    """Note the best passage of each document. The scores of one search say nothing about another's, and many
    documents that come late have the same: of these the likest to the question comes first."""
    for hit in hits:
        key = hit.document.subject
        found[key] = max((hit.score, hit.similarity), found.get(key, (0.0, -1.0)))


def _best_first(found: _Ranked) -> list[tuple[str, str]]:
    return sorted(found, key=lambda key: (*(-one for one in found[key]), key[1].casefold(), key[0]))
