"""The names of a question: what it is about, what else is taken, which illness there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from core.domain.graph import Entity
from core.domain.leaflets.conditions import Illness, Partner, Route
from core.domain.plans import Named
from core.questions.asked import asks
from core.questions.leaflets.question_text import EMPTY, WORD, QuestionText, begins_sentences
from core.questions.leaflets.states import degree_beside, partner_words
from core.text.glosses.in_english import GLOSSED, english_of
from core.text.language import language
from core.text.spelling.everyday import ends_everyday, english_frequency
from core.text.spelling.medicines import is_designated, is_medicine, places_of_words, substances
from core.text.spelling.name_stems import NAME_STEMS
from core.text.spelling.salts import SALTS
from core.text.spelling.standard_forms import places_of_forms, standard_forms
from core.text.word_lists import word_frequencies

FindNames = Callable[[str], Sequence[tuple[int, int, Entity]]]
"""Entities named in a text, with their places, in order."""

ILLNESSES = frozenset({"Disease", "ClinicalDisease", "Phenotype"})
"""The types of illnesses and findings."""
_DRUG = "Drug"
_POSSESSIVE = re.compile(r"['’]s$")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_ORDINARY = 500  # times in the word list from which on a word is no medicine's name
_SHORTEST = 5  # letters of a name that no graph knows
_LONGEST_LIST = 120  # characters of names before one that is not taken either
_MARK = re.compile(r"[,;:.?!]\s")
_WORD_BEFORE = re.compile(r"(?<![\w'’-])([^\W\d_]+(?:-[^\W\d_]+)*)\s+$")
_HYPHENED = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+)*-$")
_MOST_MODIFIERS, _LONGEST_MODIFIER = 3, 40  # letters, with the blank behind them
_OTHER_THAN = re.compile(r"non-(?=\w)", re.IGNORECASE)
_DENIED = re.compile(r"(?<!\w)non-\Z", re.IGNORECASE)  # "non-transplant indications"


@dataclass(frozen=True, slots=True)
class Medicine:
    """A medicine that a question names, and its place."""

    name: Named
    start: int
    end: int


def medicines(
    question: QuestionText, find: FindNames, titled: Container[str] = ()
) -> list[Medicine]:
    """The medicines of a question in order: the graph's, else words that are built or stand like names, and
    those of the list of all; of everyday words in that ("aspirin") where there is no other.

    Args:
        titled: words, case-folded, that documents are called by.
    """
    known, entities = _other_than(question), find(question.text)
    found = [
        Medicine(_named(question.text[start:end], entity), start, end)
        for start, end, entity in entities
        if entity.type == _DRUG
        and not _is_substance(question, start, end)
        and not _overlaps(start, end, known)
    ]
    known += _of_words(question, [*known, *found])
    known += [one for one in found if not _overlaps(one.start, one.end, known)]
    for match in WORD.finditer(question.text):
        start, end = match.span()
        if _overlaps(start, end, known) or _is_of_illness(question, match, entities):
            continue
        if question.is_free(start, end) and _looks_like_name(question, match, titled):
            # "Hydrocortison-Creme" is a name and a form.
            end = start + _name_part(match.group())
            if not is_surely_name(_unknown(question, start, end)):
                end = _end_of_salt(question, end)
            known.append(Medicine(_unknown(question, start, end), start, end))
    return sorted(known or _everyday_medicines(question), key=lambda one: one.start)


def _overlaps(start: int, end: int, found: Sequence[Medicine]) -> bool:
    return any(start < one.end and one.start < end for one in found)


def _is_of_illness(
    question: QuestionText, match: re.Match[str], entities: Sequence[tuple[int, int, Entity]]
) -> bool:
    """Whether a word is the name in an illness ("Crohn's disease"), and of no medicine of the list."""
    start, end = match.span()
    word = _POSSESSIVE.sub("", match.group())
    if is_medicine(word.casefold()):
        return False
    whose = word != match.group() and question.words.illness().match(question.text, end + 1)
    return bool(whose) or any(
        one.type in ILLNESSES and first <= start and end <= last for first, last, one in entities
    )


def _unknown(question: QuestionText, start: int, end: int) -> Named:
    text = question.text[start:end]
    return Named(text, (), text, "")


def _of_words(question: QuestionText, known: Sequence[Medicine]) -> list[Medicine]:
    """The names of several words that the list of all has, but for those that the graph has as much of:
    "trastuzumab deruxtecan" is another medicine than the graph's trastuzumab.

    Args:
        known: by the graph, and names that say which they are not.
    """
    found = []
    for start, end in places_of_words(question.text):
        if not question.is_free(start, end):
            continue
        own = substances(question.text[start:end].casefold())
        others = [one for one in known if start < one.end and one.start < end]
        if all(
            start <= one.start
            and one.end <= end
            and (one.start, one.end) != (start, end)
            and own.isdisjoint(substances(one.name.text.casefold()))
            for one in others
        ):
            found.append(Medicine(_unknown(question, start, end), start, end))
    return found


def _end_of_salt(question: QuestionText, end: int) -> int:
    """Where a name ends that nobody knows, with the salt right behind it: neither word is one alone."""
    behind = WORD.match(question.text, end + 1)
    is_beside = behind is not None and question.text[end].isspace()
    return behind.end() if behind and is_beside and _is_salt(behind.group()) else end


def _start_of_salt(question: QuestionText, start: int) -> int:
    """Where a name begins with the salt right before it: "sodium valproate"."""
    before = _WORD_BEFORE.search(question.text, max(0, start - _LONGEST_MODIFIER), start)
    return before.start(1) if before and _is_salt(before[1]) else start


def _is_salt(word: str) -> bool:
    return word.casefold() in SALTS


def without_salt(name: Named) -> Named:
    """A name that nobody knows without the salt that it ends with; any other as it is."""
    base, _, last = name.text.rpartition(" ")
    return Named(base, (), base, "") if base and not name.ids and _is_salt(last) else name


def _other_than(question: QuestionText) -> list[Medicine]:
    """Names of medicines that say which they are not ("Non-Aspirin"): never those."""
    return [
        Medicine(Named(match.group(), (), match.group(), ""), *match.span())
        for match in WORD.finditer(question.text)
        if _says_it_is_not(match.group())
    ]


def without_other_than(text: str) -> str:
    """A text with blanks for the names that say which medicine they are not ("Non-Aspirin")."""
    return WORD.sub(lambda one: " " * len(one[0]) if _says_it_is_not(one[0]) else one[0], text)


def _says_it_is_not(word: str) -> bool:
    not_it = _OTHER_THAN.match(word)
    return not_it is not None and is_medicine(_POSSESSIVE.sub("", word[not_it.end() :]).casefold())


def _everyday_medicines(question: QuestionText) -> list[Medicine]:
    """Words of the list that are in everyday use too: mostly medicines, and at times what the body has
    ("serotonin")."""
    return [
        Medicine(Named(match.group(), (), match.group(), ""), *match.span())
        for match in WORD.finditer(question.text)
        if is_medicine(match.group().casefold()) and question.is_free(*match.span())
    ]


def read_names(question: QuestionText, found: Sequence[Medicine], *, together: bool) -> list[Named]:
    """Take the medicines: partners as conditions; the subjects are given back.

    Args:
        together: what is asked is of several medicines at once; else "and" joins two subjects.
    """
    subjects: list[Medicine] = []
    partners: list[Medicine] = []
    without: list[Medicine] = []
    those = subjects
    for before, one in zip([None, *found], found, strict=False):
        if question.is_free(one.start, one.end):
            question.take(one.start, one.end)
            # "With diroximel fumarate" names one.
            if before is None or not _side_by_side(question, before, one):
                start = _start_of_salt(question, one.start)
                joined = together and subjects and question.before("partners", "and", start)
                is_partner = bool(joined) or _is_beside(question, start, bool(subjects))
                those = partners if is_partner else subjects
                those = without if _is_without(question, start) else those
            those.append(one)
    if not subjects:
        # "Why must X not be taken with Y?" is about X all the same.
        subjects, without = without, []
    if not subjects and partners and not _only_listed(partners[-1].name):
        # Something must be asked about: the last that is named.
        subjects.append(partners.pop())
        while partners and _side_by_side(question, partners[-1], subjects[0]):
            subjects.insert(0, partners.pop())
    about = {one.name.name.casefold() for one in subjects}
    for one in (*partners, *without):
        if one.name.name.casefold() in about:
            continue
        question.conditions.append((one.start, Partner(one.name, taken=one not in without)))
    partner_words(question)
    return list(dict.fromkeys(one.name for one in subjects))


def _side_by_side(question: QuestionText, one: Medicine, other: Medicine) -> bool:
    return one.end < other.start and question.text[one.end : other.start].isspace()


def is_taken_beside(text: str, start: int, *, behind: bool = True) -> bool:
    """Whether what is named from `start` on is taken beside another medicine: "together with X", and where a
    text names that one before it (`behind`) also "for a patient taking X"."""
    return _is_beside(QuestionText.of(text), start, behind)


def is_not_taken(text: str, start: int) -> bool:
    """Whether what is named from `start` on is said not to be taken: "without X", "may not have X, how much
    ...?"."""
    return _is_without(QuestionText.of(text), start)


def _is_without(question: QuestionText, start: int) -> bool:
    listed = question.words.not_taken().search(question.text, max(0, start - _LONGEST_LIST), start)
    if listed and (
        not listed["listed"]
        # "For a patient not on X, Y" begins with Y what it asks.
        or not listed["listed"].rstrip().endswith(",")
        or question.words.goes_on().match(question.text, start)
    ):
        return True
    before, behind = question.text[:start], question.text[start:]
    said = _MARK.split(before)[-1]
    if asks(said.strip()) or not _MARK.search(behind):
        return False  # what must not be taken is asked
    denied = question.words.pattern("denial", "words").search(said)
    if denied is None:
        return False
    return any(
        question.words.pattern("denial", key).search(said, denied.end())
        for key in ("taking", "having")
    )


def _is_beside(question: QuestionText, start: int, behind: bool) -> bool:
    """Whether what is named from `start` on is a partner.

    Args:
        behind: what is asked about is named before it.
    """
    ways = ("with", "taking") if behind else ("with",)
    return any(question.before("partners", way, start) for way in ways)


def is_surely_name(name: Named, text: str = "") -> bool:
    """Whether it is no other word that the lists lack ("recognise", "premedication"): the graph has it, or
    it is built like a medicine's name, or it is written like a name, or the list of all has it.

    Args:
        text: that has it, if a capital letter with which its sentences begin is to tell nothing.
    """
    return (
        bool(name.ids)
        or bool(NAME_STEMS.fullmatch(name.text))
        or (name.text[:1].isupper() and not begins_sentences(name.text, text))
        or is_medicine(name.text.casefold())
        or is_designated(name.text)
        or without_salt(name) is not name
        or bool(_OTHER_THAN.match(name.text))
    )


def is_trade_name(name: Named) -> bool:
    """Whether it is no substance that the graph or the list of all has."""
    return not name.ids and not is_medicine(name.text.casefold())


def _only_listed(name: Named) -> bool:
    """Whether the list of all is all that has it: beside "with" the subject may be a name that it lacks."""
    listed = is_medicine(name.text.casefold())
    return listed and not name.ids and not NAME_STEMS.fullmatch(name.text)


def read_illnesses(question: QuestionText, find: FindNames) -> None:
    """Take illnesses and findings: the graph's names, and words of medicine."""
    for start, end, entity in find(question.text):
        if entity.type in ILLNESSES and question.is_free(start, end):
            _add_illness(question, start, end, entity)
    for start, end, form in places_of_forms(question.text):
        if question.is_free(start, end) and question.words.illness().search(form.words):
            named = Named(form.words, (), form.words, "")
            question.add(start, end, Illness(named, degree_beside(question, start, end)))
    for match in question.words.illness().finditer(question.text):
        denied = _DENIED.search(question.text, 0, match.start()) and " " not in match.group()
        if question.is_free(*match.span()) and not denied:
            start = _start_of_illness(question, match.start())
            _add_illness(question, _start_of_word(question, start), match.end(), None)


def _start_of_illness(question: QuestionText, start: int) -> int:
    """Where the name of an illness begins whose noun, with what the lexicon has before it, begins at `start`:
    "multiple sclerosis" is another than sclerosis."""
    modifiers = question.words.before_illness()
    for _ in range(_MOST_MODIFIERS):
        before = _WORD_BEFORE.search(question.text, max(0, start - _LONGEST_MODIFIER), start)
        if before is None or not (
            before[1].casefold() in modifiers or _is_way_in(question, before[1])
        ):
            break
        if not question.is_free(*before.span(1)):
            break
        start = before.start(1)
    return start


def _is_way_in(question: QuestionText, word: str) -> bool:
    """Whether a word says where something is given, or an illness is ("vaginal")."""
    words = question.words
    return any(words.pattern("routes", key).fullmatch(word) for key in words.keys("routes"))


def _start_of_word(question: QuestionText, start: int) -> int:
    """Where the word with hyphens begins that has an illness from `start` on: "pylori-infectie"."""
    before = _HYPHENED.search(question.text, max(0, start - _LONGEST_MODIFIER), start)
    return before.start() if before and question.is_free(before.start(), start) else start


def _add_illness(question: QuestionText, start: int, end: int, entity: Entity | None) -> None:
    if question.negated(start):
        return
    way = _WORD_BEFORE.search(question.text, max(0, start - _LONGEST_MODIFIER), start)
    if way and _is_way_in(question, way[1]):  # "oral thrush": where it is
        start = way.start(1)
        question.conditions[:] = [
            (place, one)
            for place, one in question.conditions
            if not (place == start and isinstance(one, Route))
        ]
    degree = degree_beside(question, start, end)
    text = question.text[start:end]
    name = _named(text, entity) if entity else Named(text, (), text, "")
    question.add(start, end, Illness(name, degree))


def _named(text: str, entity: Entity) -> Named:
    return Named(text, (entity.id,), entity.name, entity.type)


def _is_substance(question: QuestionText, start: int, end: int) -> bool:
    """Whether a drug of the graph is a food or a drink here ("alcohol")."""
    found = question.words.pattern("partners", "food").fullmatch(question.text, start, end)
    return found is not None


def _name_part(word: str) -> int:
    word = _POSSESSIVE.sub("", word)
    head = word.split("-")[0]
    if len(head) < _SHORTEST:
        return len(word)
    is_name = NAME_STEMS.fullmatch(head) or is_medicine(head.casefold())
    return len(head) if is_name else len(word)


def _looks_like_name(question: QuestionText, match: re.Match[str], titled: Container[str]) -> bool:
    word = _POSSESSIVE.sub("", match.group())
    head = word.split("-")[0]
    if head != word and NAME_STEMS.fullmatch(word):
        return True
    if len(head) < _SHORTEST or not head.isalpha() or head.casefold() in EMPTY:
        return False
    common = english_frequency(head)
    spoken = language(question.text)
    english = english_of(head, spoken) if spoken in GLOSSED else None  # "methotrexaat"
    listed = is_medicine(head.casefold()) or (english is not None and is_medicine(english))
    if (listed or NAME_STEMS.fullmatch(head)) and common < _ORDINARY:
        own = word_frequencies(spoken).get(head.casefold(), 0) if spoken in GLOSSED else 0
        return own < _ORDINARY
    if question.words.pattern("illness", "words").fullmatch(word):
        return False
    if head.casefold() in standard_forms():
        return False  # "STEMI"
    # Only of English is the list long enough for "not in it" to mean a name; "DrugA" is one in any language,
    # and so is what a document is called.
    is_called = head.casefold() in titled and not ends_everyday(head, spoken)
    is_written_so = question.is_english or bool(_INNER_CAPITAL.search(word)) or is_called
    return common == 0 and word == head and is_written_so
