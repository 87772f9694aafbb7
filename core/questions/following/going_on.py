"""A question of a conversation as the whole question that it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.documents.cutting.sections import SECTION_CODES
from core.documents.store.library import SearchStore
from core.domain.conversations import Turn
from core.domain.graph import Entity, Mention
from core.domain.leaflets.conditions import Illness
from core.graph.names.entity_names import EntityNames
from core.questions.asked import asked_sections, asked_spans
from core.questions.clauses import Clause
from core.questions.following.fragments import (
    asks_of_before,
    by_itself,
    filled,
    is_courtesy,
    is_elliptical,
    is_fragment,
    is_supposed,
    plain,
    with_fragment,
)
from core.questions.following.patients import of_same_patient, speaks_of_person
from core.questions.following.phrases import DRUG, OPENER, replaced, with_behind
from core.questions.following.references import (
    focus,
    names_subject,
    of_first,
    of_named,
    refers_to_own,
    resolve,
    several,
)
from core.questions.following.unknown import unknown_illnesses, unknown_medicines
from core.questions.leaflets.names import ILLNESSES, is_taken_beside
from core.questions.leaflets.phrasings import words_of
from core.questions.leaflets.reader import LeafletReader, unread
from core.questions.leaflets.same_patient import asks_dose
from core.questions.library import one_by_one
from core.text.language import language, languages, may_be_alike
from core.text.spelling.medicines import is_medicine
from core.text.stems import content_words, stem
from core.text.titles import TitleNames
from core.text.word_lists import word_frequencies

# A word inside a sentence; one that begins with a capital is a name, the first word says nothing.
_INNER_WORD = re.compile(r"(?<=[\w,;:)] )\w+")
_ADDED = re.compile(r" \([^,()]+\)\?$")  # a name alone behind a question
_SHORT_WORD = 3  # characters
_COMMON = 500  # times in the word list from which on a word is in common use
# Sections that tell of no patient, or of everybody alike.
_OF_ALL = frozenset({"storage", "composition", "overdose"})


@dataclass(frozen=True, slots=True)
class GoingOn:
    """Reads questions that go on with a conversation.

    Args:
        clauses: the clauses of a question.
        titled: the words that titles of an index's documents name them with.
        lists: whether a question asks for a list of the graph's that it says all of: "what treats gout?".
    """

    library: SearchStore
    names: EntityNames
    leaflets: LeafletReader
    clauses: Callable[[str], Sequence[Clause]]
    titled: Callable[[tuple[str, ...]], set[str]]
    lists: Callable[[str], bool]

    def read(self, question: str, turns: Sequence[Turn], scope: tuple[str, ...]) -> str:
        """The question by itself, after references to earlier turns are resolved."""
        if not turns or is_courtesy(question):
            return question
        asked = plain(question)
        first = of_first(asked)
        if first is not None:
            asked, turns = first or asked, turns[:1]
        titles = TitleNames(self.titled(scope))

        def is_name(word: str) -> bool:
            """Whether a word is what a document is called, or stands in none."""
            return word.casefold() in titles or not self.library.chunks_with_word(word, scope)

        def find(text: str) -> list[tuple[Mention, Entity]]:
            return self._named_in(text, titles)

        again = of_named(asked)
        if again is not None and (find(again[0]) or _has_come_up(again[0], turns)):
            name, asked = again
            at = next((one.start for one, entity in find(asked) if entity.type == DRUG), None)
            return resolve(asked, name, names_entity=at is not None, goes_on=True, named_at=at)

        newest, before = self._before(turns, titles)
        if newest != before and any(one.type == DRUG for _, one in find(asked)):
            before = newest

        def find_all(text: str) -> list[tuple[Mention, Entity]]:
            known = find(text)
            more = unknown_illnesses(text, known)
            return sorted([*known, *more], key=lambda one: one[0].start)

        if before and (whole := filled(asked, before, find_all)):
            return whole

        spoken_of = focus(turns, is_name)
        in_focus = spoken_of.name
        alone = self.clauses(asked)
        sections = {one for clause in alone for one in clause.sections}
        if not in_focus:
            last = _last_read(turns)
            goes_on = is_fragment(asked) and not sections and may_be_alike(asked, last)
            return with_fragment(asked, last) if goes_on and last else question
        if one_by_one.is_asked_of_all(question):
            return several(question, turns, is_name)
        elliptical, of_somebody = is_elliptical(asked), speaks_of_person(asked)
        drugs = [one for one, entity in find(asked) if entity.type == DRUG]
        taken = [one for one in drugs if is_taken_beside(asked, one.start)]
        beside = is_supposed(asked, drugs) or (
            of_somebody
            and len(taken) == len(drugs)
            and all(one.text.casefold() not in titles for one in drugs)
        )
        if drugs and beside:
            left = replaced(asked, [((one.start, one.end), "") for one in drugs])
            if not self._has_own_subject(left, scope, titles):
                return f"{in_focus}: {asked}"  # "my mother takes warfarin, ok for her?"
        if len(alone) > 1 and refers_to_own(alone[0], in_focus):
            return question
        named = (
            any(names_subject(one, spoken_of) for one in alone)
            or bool(drugs)
            or (spoken_of.medicines and any(one.entities for one in alone) and self.lists(asked))
            or (first is None and self._has_own_subject(asked, scope, titles))
        )
        if not named and (whole := several(asked, turns, is_name)) != asked:
            return whole
        alike = bool(before) and may_be_alike(asked, before)
        # "How often?" behind another section than that on doses is how often what was asked about is.
        asks_anew = sections and not (
            asks_of_before(asked) and sections.isdisjoint(asked_sections(newest))
        )
        if not named and not asks_anew and alike and is_fragment(asked):
            return self._with_fragment(asked, newest)
        at = next((one.start for one in drugs if one not in taken), None)
        whole = resolve(asked, in_focus, names_entity=named, goes_on=not named, named_at=at)
        if not before or (whole == asked and not of_somebody):
            return by_itself(question) if whole == asked else whole
        goes_on = elliptical or of_somebody or OPENER.match(asked) is not None
        asks_itself = bool(sections) or any(one.entities for one in alone)
        if goes_on and not asks_itself and whole.endswith(")?") and alike:
            whole = with_behind(whole, _asking(before))
        of_patient = elliptical and not sections & _OF_ALL
        same = of_patient or of_somebody or asks_dose(self.leaflets.read(whole))
        if same:
            with_all = elliptical and _asks_alone(asked)
            whole = of_same_patient(whole, before, find, with_all=with_all)
        return by_itself(question) if whole == asked and named else whole

    def _with_fragment(self, fragment: str, before: str) -> str:
        """The question before with a fragment behind it; one that is an illness takes the place of the one that
        is asked about there."""
        own, told = (
            [
                one.name.text
                for one in self.leaflets.read(text).conditions
                if isinstance(one, Illness)
            ]
            for text in (fragment, before)
        )
        if len(own) == len(told) == 1 and content_words(fragment) == content_words(own[0]):
            start = before.casefold().find(told[0].casefold())
            if start >= 0:
                return replaced(before, [((start, start + len(told[0])), own[0])])
        return with_fragment(fragment, before)

    def _before(self, turns: Sequence[Turn], titles: Container[str]) -> tuple[str, str]:
        """The last question that names anything, as it was read, and the one that a patient goes on with: over
        "list them all", which has a list and names nothing, to what the list is of, and over one that was asked
        of a medicine for naming none."""
        newest = ""
        for answer in (one.answer for one in reversed(turns)):
            if self._named_in(answer.read_as, titles):
                newest = newest or answer.read_as
                if not _ADDED.search(answer.read_as) or self._named_in(answer.question, titles):
                    return newest, answer.read_as
        return newest, newest

    def _named_in(self, text: str, titles: Container[str]) -> list[tuple[Mention, Entity]]:
        """The entities that a text names, with their places; medicines that no graph knows, but the words of
        the titles, have no id."""
        entities = {entity.id: entity for entity in self.names.entities_in(text)}
        known = [
            (one, entities[one.entity_id])
            for one in self.names.mentions_in(text)
            if one.entity_id in entities
        ]
        return sorted(
            [*known, *unknown_medicines(text, known, titles)], key=lambda one: one[0].start
        )

    def _is_known(self, word: str, usual: Container[str], scope: tuple[str, ...]) -> bool:
        """Whether a word, or each part of one with hyphens, is in everyday use or stands in a document."""
        return all(
            (part in usual and not is_medicine(part))
            or part.isdigit()
            or self.library.chunks_with_word(part, scope)
            for part in word.split("-")
            if part
        )

    def _has_own_subject(
        self, question: str, scope: tuple[str, ...], titles: Container[str]
    ) -> bool:
        """Whether a question speaks of something that the graph does not know: a document's subject,
        a name, or a word that stands nowhere and is in no everyday use. Such a question never inherits
        another medicine."""
        told = self.leaflets.read(question).conditions
        ill = [one.name.text for one in told if isinstance(one, Illness)]
        ill += [
            one.text for one, entity in self._named_in(question, ()) if entity.type in ILLNESSES
        ]
        of_illness = set(content_words(" ".join(ill)))
        usual = word_frequencies(language(question))
        may_be_in = languages(question)
        may_be_any = "en" not in may_be_in
        # German nouns all begin with a capital.
        by_capitals = "de" not in may_be_in or "en" in may_be_in
        names = {
            w.casefold() for w in _INNER_WORD.findall(question) if by_capitals and w[0].isupper()
        }
        return any(
            word in names
            or word in titles
            or not (
                self._is_known(word, usual, scope) or (may_be_any and _is_compound(word, usual))
            )
            for word in content_words(" ".join(unread(question)))
            if word not in of_illness
            and len(word) > _SHORT_WORD
            and not word.isdigit()
            and not asked_sections(word)
        )


def _is_compound(word: str, usual: Mapping[str, int]) -> bool:
    """Whether a word that no list has ends with one that is in common use: "Halbwertszeit"."""
    return not is_medicine(word) and any(
        usual.get(word[start:], 0) >= _COMMON for start in range(2, len(word) - _SHORT_WORD)
    )


def _has_come_up(name: str, turns: Sequence[Turn]) -> bool:
    return any(name.casefold() in one.answer.read_as.casefold() for one in turns)


def _last_read(turns: Sequence[Turn]) -> str:
    """The last question that is more than a courtesy, as it was read; "" without one."""
    read = (one.answer.read_as for one in reversed(turns))
    return next((one for one in read if not is_courtesy(one)), "")


def _asks_alone(question: str) -> bool:
    """Whether a question has no word but those that ask for something a document says ("max per day?")."""
    asking = _words_that_ask()
    left = (word.casefold() for word in unread(question))
    return all(word.isdigit() or stem(word) in asking or asked_sections(word) for word in left)


@cache
def _words_that_ask() -> frozenset[str]:
    return frozenset(stem(word) for code in SECTION_CODES for word in words_of(code))


def _asking(question: str) -> list[str]:
    """The words with which a question asks for a section: "dose"."""
    spans = asked_spans(question, asked_sections(question)[:1])
    return [question[slice(*min(spans))]] if spans else []
