"""Whether a word that the lexicon has as a verb and as a noun ("target") is the one or the other."""

from __future__ import annotations

from dataclasses import dataclass

from core.questions.items import Item
from core.questions.lexicon import Lexicon, WordKind

HAVE = frozenset({"has", "have", "having", "had"})  # auxiliaries, and verbs that say little
_VERB_FORM = ("ed", "ing")
_NOUN_FORM = ("ion", "ions", "ment", "ments", "ity", "ities")
_RELATIVE = frozenset({"that", "which", "what"})
_BEFORE_NOUN = (WordKind.MOST, WordKind.LEAST, WordKind.COUNT, WordKind.SHARE)


def has_verb_form(item: Item) -> bool:
    """Whether a word ends as participles do."""
    return item.text.casefold().endswith(_VERB_FORM)


@dataclass(frozen=True, slots=True)
class WordForms:
    """Tells verbs from nouns by what stands around them.

    The items `before` and `after` a word are None at the ends of a question.
    """

    lexicon: Lexicon

    def is_noun(self, item: Item, before: Item | None) -> bool:
        """Whether a word that is a verb or a type's noun is the noun."""
        return before is None or bool(item.gap and item.gap[-1] in self.lexicon.determiners)

    def is_verb(self, item: Item, before: Item | None, after: Item | None, *, of_set: bool) -> bool:
        """Whether a word that is a verb or a noun is the verb.

        Args:
            of_set: whether a set was named before.
        """
        text = item.text.casefold()
        if " " not in text and has_verb_form(item):
            return True
        if text.endswith(_NOUN_FORM):
            return False
        follows = after.gap[:1] if after is not None else ()
        if follows in (("of",), ("for",)) and " " not in text:
            return False
        if item.gap and item.gap[-1] in self.lexicon.determiners - _RELATIVE - {"more"}:
            return False
        if before is None:
            relative = bool(item.gap) and item.gap[-1] in _RELATIVE | {"who"}
            return relative and after is not None and bool(after.entities)
        spoken = self.lexicon.auxiliaries.intersection(item.gap)
        if any(map(before.has, _BEFORE_NOUN)) and not spoken:
            return False
        if before.entities:
            # "What does metformin target?", "metformin targets which proteins?"; but "metformin targets"
            asked = any(word in self.lexicon.auxiliaries for word in before.gap)
            return not before.possessive and (asked or after is not None or of_set)
        return True
