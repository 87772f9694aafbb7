"""A plan in words of the language that it was asked in, by the tables ``said`` of the lexicons.

English is `Wording`. A plan with a type or a relationship that a language has no words for is said in
English as a whole: half a sentence of each helps nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.graph.schema import GraphSchema
from core.questions.lexicon.reading import said
from core.questions.wording import Wording, denied_last

ENGLISH = "en"
_Forms = tuple[str, str]  # several, and the same as a dative


def plan_said(plan: Plan, schema: GraphSchema, language: str) -> str:
    """A plan as a phrase with a capital and without a full stop; empty where there is none.

    Args:
        language: code of a lexicon; in English where that cannot say it.
    """
    words = _words(language)
    if words is not None:
        try:
            text = _Speaker(words, schema).plan(plan)
        except _NoWordError:
            pass
        else:
            return text[:1].upper() + text[1:]
    return Wording(schema).plan(plan)


class _NoWordError(LookupError):
    """A language has no words for a part of a plan."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The table ``said`` of a lexicon.

    Attributes:
        phrases: by their names.
        nouns: by type.
        called: by relationship, the type that it has a noun for, and that noun.
        relationships: read from the source, and from the target.
    """

    phrases: Mapping[str, str]
    nouns: Mapping[str, Sequence[str]]
    called: Mapping[str, Sequence[str]]
    relationships: Mapping[str, Sequence[str]]


@cache
def _words(language: str) -> _Words | None:
    table: dict[str, Any] | None = said(language)
    if table is None:
        return None
    phrases = {name: text for name, text in table.items() if isinstance(text, str)}
    return _Words(phrases, table["nouns"], table["called"], table["relationships"])


@dataclass(frozen=True, slots=True)
class _Speaker:
    words: _Words
    schema: GraphSchema

    def plan(self, plan: Plan) -> str:
        subjects = self._joined([one.name for one in plan.subjects])
        if plan.want is Want.SIMILAR and plan.sets and plan.sets[0].conditions:
            return self._of_set("similar_of", plan.sets[0], subjects=subjects)
        if plan.want in (Want.SIMILAR, Want.PATH, Want.SHARE):
            return self._phrase(plan.want.value, subjects=subjects)
        if not plan.sets:
            return ""
        first = plan.sets[0]
        if plan.want is Want.COMPARE:
            others = self._joined([self._several(one)[1] for one in plan.sets[1:]])
            return self._of_set("compare", first, others=others)
        if plan.want is Want.YES_NO:
            claims = [
                f"{subject.name} {self._condition(condition, one.types, several=False)}"
                for subject, one in zip(plan.subjects, plan.sets, strict=True)
                for condition in one.all_conditions()
            ]
            return self._phrase("yes_no", said=self._joined(claims))
        if plan.rank is not None:
            called = self._called(plan.rank.relationships[0], plan.rank.types)
            ranked = (called or self._noun(plan.rank.types))[1]
            return self._of_set(plan.want.value, first, ranked=ranked)
        if plan.want is Want.COUNT:
            return self._of_set("count", first)
        return self._of_set("all" if plan.everything else "list", first)

    def _of_set(self, name: str, selection: Selection, **parts: str) -> str:
        several, dative = self._several(selection)
        return self._phrase(name, set=several, to=dative, **parts)

    def _several(self, selection: Selection) -> _Forms:
        """A set as a noun with what is said of its members."""
        conditions = list(selection.all_conditions())
        if len(conditions) == 1 and not conditions[0].negated:
            of_all, name = conditions[0].of, conditions[0].relationships[0]
            others = (of_all.type,) if isinstance(of_all, Named) else of_all.types
            forms = self._called(name, selection.types)
            if forms is not None and self.schema.has_all_types(name, selection.types, others):
                of, to = self._end(conditions[0])
                several, dative = (self._phrase("of", called=one, end=of, to=to) for one in forms)
                return several, dative
        several, dative = self._noun(selection.types)
        ordered = denied_last(selection)
        clause = f" {self._phrase('and')} ".join(
            f" {self._phrase('or')} ".join(
                self._member(one, selection.types) for one in alternatives
            )
            for alternatives in ordered
        )
        if not clause:
            return several, dative
        opening = f"{self._phrase('closing')} " if ordered[0][0].negated else self._phrase("that")
        return several + opening + clause, dative + opening + clause

    def _member(self, condition: Condition, types: Sequence[str]) -> str:
        """One condition, said of members of `types`; of one that is denied, that the graph does not say it."""
        said = self._condition(replace(condition, negated=False), types, several=True)
        return f"{self._phrase('not_said')} {said}" if condition.negated else said

    def _condition(self, condition: Condition, types: Sequence[str], *, several: bool) -> str:
        """One condition, said of a member of `types` or of several."""
        of = condition.of
        others = (of.type,) if isinstance(of, Named) else of.types
        name, forward = condition.relationships[0], condition.forward
        if forward is None:
            forward = self.schema.is_source(name, types, others)
        if name not in self.words.relationships:
            raise _NoWordError(name)
        pattern = self.words.relationships[name][0 if forward else 1]
        text = " ".join(_inflected(word, several=several) for word in pattern.split())
        end, dative = self._end(condition, closed=not text.endswith(("{of}", "{to}")))
        denied = f"{self._phrase('not')} " if condition.negated else ""
        return text.replace("{not} ", "{no}").format(no=denied, of=end, to=dative)

    def _end(self, condition: Condition, *, closed: bool = False) -> _Forms:
        """What a condition names.

        Args:
            closed: something follows in the clause.
        """
        of = condition.of
        if isinstance(of, Named):
            return of.name, of.name
        several, dative = self._several(of)
        if closed and any(self._phrase(one) in several for one in ("that", "not_said")):
            closing = self._phrase("closing")
            return several + closing, dative + closing
        return several, dative

    def _noun(self, types: Sequence[str]) -> _Forms:
        found = {self._forms(self.words.nouns, one, 0) for one in types}
        if len(found) != 1:
            raise _NoWordError(", ".join(types))
        return found.pop()

    def _called(self, relationship: str, types: Sequence[str]) -> _Forms | None:
        called = self.words.called.get(relationship)
        if called is None or called[0] not in types:
            return None
        return self._forms(self.words.called, relationship, 1)

    @staticmethod
    def _forms(table: Mapping[str, Sequence[str]], name: str, first: int) -> _Forms:
        if name not in table:
            raise _NoWordError(name)
        return table[name][first], table[name][first + 1]

    def _phrase(self, name: str, **parts: str) -> str:
        return self.words.phrases[name].format(**parts)

    def _joined(self, words: Sequence[str]) -> str:
        *rest, last = words or [""]
        return f" {self._phrase('and')} ".join(filter(None, (", ".join(rest), last)))


def _inflected(word: str, *, several: bool) -> str:
    one, _, more = word.partition("/")
    return more if several and more else one
