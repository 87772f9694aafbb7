"""Whether a word that the lexicon has as a verb and as a noun ("target") is the one or the other."""

from __future__ import annotations

from dataclasses import dataclass

from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.lexicon.grammar import Grammar

_BEFORE_NOUN = (WordKind.MOST, WordKind.LEAST, WordKind.COUNT, WordKind.SHARE)


@dataclass(frozen=True, slots=True)
class WordForms:
    """Tells verbs from nouns by what stands around them.

    The items `before` and `after` a word are None at the ends of a question.
    """

    grammar: Grammar

    def is_participle(self, item: Item) -> bool:
        """Whether a word ends as participles do."""
        capital = self.grammar.capital_nouns and item.text[0].isupper()
        noun = capital and bool(item.start or not item.has(WordKind.VERB))
        return not noun and item.text.casefold().endswith(self.grammar.participles)

    def is_noun(self, item: Item, before: Item | None) -> bool:
        """Whether a word that is a verb or a type's noun is the noun."""
        return before is None or bool(item.gap and item.gap[-1] in self.grammar.determiners)

    def is_verb(self, item: Item, before: Item | None, after: Item | None, *, of_set: bool) -> bool:
        """Whether a word that is a verb or a noun is the verb.

        Args:
            of_set: whether a set was named before.
        """
        grammar, text = self.grammar, item.text.casefold()
        if " " not in text and self.is_participle(item):
            return True
        if text.endswith(self.grammar.nominal):
            return False
        follows = after.gap[:1] if after is not None else ()
        if self.grammar.of.issuperset(follows) and follows and " " not in text:
            return False
        if item.gap and item.gap[-1] in grammar.determiners - grammar.relative - grammar.adverbs:
            return False
        if before is None:
            relative = bool(item.gap) and item.gap[-1] in grammar.relative
            return relative and after is not None and bool(after.entities)
        spoken = self.grammar.auxiliaries.intersection(item.gap)
        if any(map(before.has, _BEFORE_NOUN)) and not spoken:
            return False
        if before.entities:
            # "What does metformin target?", "metformin targets which proteins?"; but "metformin targets"
            asked = any(word in self.grammar.auxiliaries for word in before.gap)
            return not before.possessive and (asked or after is not None or of_set)
        return True
