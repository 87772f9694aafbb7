"""How well a statement meets the words of a question, whatever it is about: what tells the document that says
it from one that says something else of the section asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Self

from core.domain.leaflets.conditions import Illness, Partner
from core.domain.vectors import TokenVectors
from core.evidence.evidence import ClauseEvidence
from core.evidence.passages import PassageReader, Quote
from core.evidence.reading.asked_words import WORD, AskedWords, with_asked_forms
from core.evidence.reading.interaction import best_cosines
from core.evidence.reading.statement_tokens import StatementTokens
from core.evidence.relevance import Relevance
from core.questions.asked import asked_sections, asked_spans
from core.questions.leaflets.lexicon import lexicon_of
from core.text.stems import content_words, stem, stems

_OF_ASKING = 0.5  # of its weight, that a word has which only asks


@dataclass(frozen=True, slots=True)
class WordsMet:
    """Holds statements against the words of a clause that no title of its documents has."""

    part: ClauseEvidence
    asked: AskedWords
    question: TokenVectors
    tokens: StatementTokens
    entity_ids_in: Callable[[str], set[str]]

    @classmethod
    def of(
        cls,
        part: ClauseEvidence,
        relevance: Relevance,
        reader: PassageReader,
        tokens: StatementTokens,
        entity_ids_in: Callable[[str], set[str]],
    ) -> Self:
        """Of the clause of `part`, in the words of its documents.

        Args:
            entity_ids_in: ids of the entities named in a text.

        Raises:
            ModelError: the bundled model cannot be used.
        """
        clause = part.reworded or part.clause
        own = ClauseEvidence(clause, part.vector, part.hits)
        part = with_asked_forms(own, reader.short_forms, called={})
        asked = AskedWords.of(clause, part, relevance)
        return cls(part, asked, tokens.question(clause.search_text), tokens, entity_ids_in)

    def share(self, quotes: Iterable[Quote]) -> float | None:
        """Of the statement that meets them best: the mean of the best cosine of each word to a token of it, a
        rare one's weighed by the square of its rarity; 1 for a word of an illness or partner that it names
        otherwise, and for one whose short form or long form it has. None where there is no such word.

        Raises:
            ModelError, StoreError: the bundled model or the library cannot be used.
        """
        told, weights = list(quotes), self._weights()
        if not weights or not told:
            return None
        words = [one for one in self.asked.tokens(self.question) if one[0] in weights]
        best = best_cosines(self.question, self.tokens.statements(told))
        total = sum(weights[word] for word, _ in words)
        shares = []
        for quote, row in zip(told, best, strict=True):
            otherwise = self._otherwise(quote)
            met = (
                weights[word] * (1.0 if word in otherwise else float(row[places].mean()))
                for word, places in words
            )
            shares.append(sum(met) / total)
        return max(shares)

    def _weights(self) -> dict[str, float]:
        """What each word weighs that is in no title."""
        titles = {f"{hit.document.called} {hit.document.title}" for hit in self.part.hits}
        titled = stems(" ".join(titles))
        asking = asking_words(self.asked.text)
        return {
            word: self.asked.rarities[word] ** 2 * (_OF_ASKING if word in asking else 1.0)
            for word, _ in self.asked.tokens(self.question)
            if stem(word) not in titled
        }

    def _otherwise(self, quote: Quote) -> AbstractSet[str]:
        """The words of the question that a statement says by another name, or in another form."""
        found: set[str] = set()
        told = self.entity_ids_in(quote.text)
        for one in self.asked.conditions:
            if isinstance(one, Illness | Partner) and not told.isdisjoint(one.name.ids):
                found.update(content_words(one.name.text))
        put = stems(self.part.forms.put(quote.text)) - stems(quote.text)
        return found | {word for word in self.asked.words if stem(word) in put}


def asking_words(text: str) -> AbstractSet[str]:
    """The words of a question, case-folded, that only ask: for the section that it asks for before others, or
    what is done with a medicine ("must not be taken"). A document says that in many ways."""
    asked = asked_spans(text, asked_sections(text)[:1])
    doing = lexicon_of(text).pattern("denial", "taking")
    return {
        match.group().casefold()
        for match in WORD.finditer(text)
        if doing.fullmatch(match.group())
        or any(start < match.end() and match.start() < end for start, end in asked)
    }
