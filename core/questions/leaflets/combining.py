"""Questions on several medicines: on each of them ("the half-life of X and Y"), or on what one must not be
taken with ("Which medicines must not be taken with X?")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.leaflets.conditions import Partner
from core.domain.leaflets.plan import DocumentPlan, Wanted
from core.domain.plans import Named
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.names import (
    FindNames,
    Medicine,
    is_surely_name,
    is_taken_beside,
    medicines,
)
from core.questions.leaflets.question_text import QuestionText
from core.questions.leaflets.wording import said
from core.text.spelling.medicines import is_medicine
from core.text.spelling.name_stems import NAME_STEMS
from core.text.stems import content_words
from core.text.titles import TitleNames

_CONTRAINDICATIONS, _INTERACTIONS = "contraindications", "interactions"
_OWN = frozenset({_CONTRAINDICATIONS, _INTERACTIONS})
_DRUG = "Drug"
_LIKELY = 0.5  # from which probability on a section is asked for


Titles = Callable[[], Sequence[Sequence[str]]]
"""The content words of the titles of documents."""


def places_of_medicines(text: str, find: FindNames, titles: Titles) -> list[tuple[int, int]]:
    """Where a text names medicines that the graph knows, the list of all, or a title of a document; none where
    it names only one."""
    question = QuestionText.of(text)
    if question.text != text:
        return []
    runs: list[list[Medicine]] = []
    called = TitleNames({word for title in titles() for word in title})
    for one in medicines(question, find, called):
        if runs and text[runs[-1][-1].end : one.start].isspace():
            runs[-1].append(one)
        else:
            runs.append([one])
    known = [run for run in runs if any(_is_known(one.name, titles) for one in run)]
    return [(run[0].start, run[-1].end) for run in known] if len(runs) > 1 else []


def _is_known(name: Named, titles: Titles) -> bool:
    word = name.text.casefold()
    listed = bool(name.ids) or is_medicine(word) or bool(NAME_STEMS.fullmatch(name.text))
    return listed or any(word in title for title in titles())


def is_asked_of_each(
    text: str,
    apart: Sequence[str],
    sections: Sequence[str],
    known: bool,
    read: Callable[[str], DocumentPlan],
    titles: Titles,
    is_named: Callable[[str], bool],
) -> bool:
    """Whether a question on several medicines asks something of each alone: a section that it names, what
    differs between them, of a row of them ("X, Y, Z"), or a section that is learned to be asked for, where
    nobody takes them. Of what one product contains, and of a medicine that others' documents alone name, as
    that of the other arm of a study, nothing is asked alone.

    Args:
        apart: the question of each.
        sections: that its keywords ask for.
        known: whether the graph has each of the medicines.
        is_named: whether a document has a word.
    """
    words = [set(content_words(one)) for one in apart]
    own = [mine.difference(*(each for each in words if each is not mine)) for mine in words]
    titled = [[bool(mine.intersection(title)) for mine in own] for title in titles()]
    if any(map(all, titled)):
        return False
    if sections and known:
        return True
    has_document = [any(has) for has in zip(*titled, strict=True)]
    without = [mine for mine, has in zip(own, has_document, strict=False) if not has]
    if not any(has_document) or any(map(is_named, set().union(*without))):
        return False
    if sections:
        return True
    plans = [read(one) for one in apart]
    if any(_names_partner(plan) for plan in plans):
        return False
    words_of = lexicon_of(text)
    joined = words_of.pattern("partners", "and").search(text)
    if not joined or words_of.pattern("held_against", "differing").search(text):
        return True
    if read(text).wanted is Wanted.YES_NO or words_of.pattern("partners", "taking").search(text):
        return False
    return all(_asks_section(plan) for plan in plans)


def of_one(text: str) -> str:
    """What is asked of each of several medicines, without the words that hold them against each other."""
    left = lexicon_of(text).pattern("held_against", "comparing").sub(" ", text)
    return " ".join(left.split()).strip(" ,:;") or text


def used_for(name: str) -> str:
    """What is asked of a medicine where nothing but its name is said."""
    return f"What is {name} used for?"


def _names_partner(plan: DocumentPlan) -> bool:
    partners = (one.name for one in plan.conditions if isinstance(one, Partner) and one.taken)
    return any(map(is_surely_name, partners))


def _asks_section(plan: DocumentPlan) -> bool:
    first = next(iter(plan.aspects), None)
    return first is not None and first.probability >= _LIKELY and first.section != _INTERACTIONS


def of_what_not_with(
    text: str, plan: DocumentPlan, sections: Sequence[str], types: Sequence[str]
) -> DocumentPlan | None:
    """The plan of such a question, about the one medicine that it names; None for any other question.

    Args:
        text: of the clause.
        sections, types: as its keywords have them.
    """
    named = [one.name for one in plan.conditions if isinstance(one, Partner) and one.taken]
    if (_DRUG not in types and _names_people(text)) or len(plan.conditions) > len(named):
        return None
    about = _one_name([*plan.subjects, *named], text)
    if about is None:
        return None
    aspects = [one.section for one in plan.aspects]
    if plan.wanted is not Wanted.LIST or not _OWN & {*aspects[:1], *sections}:
        return None
    forbids = _CONTRAINDICATIONS in (*aspects, *sections) or _denies(text)
    beside = bool(named) or _is_beside(text, about)
    open_place = _DRUG in types or beside or _INTERACTIONS in (*aspects[:1], *sections)
    if not (forbids and open_place):
        return None
    if not named and tuple(plan.subjects) == (about,):
        return plan
    return said(replace(plan, subjects=(about,), conditions=()))


def _one_name(names: Sequence[Named], text: str) -> Named | None:
    """The only name, or the one that words side by side are ("diroximel fumarate")."""
    if len(names) < 2:
        return next(iter(names), None)
    whole = " ".join(sorted((one.text for one in names), key=text.find))
    unknown = not any(one.ids for one in names)
    return Named(whole, (), whole, "") if unknown and whole in text else None


def _names_people(text: str) -> bool:
    """Whether it may be asked who must not take it."""
    words = lexicon_of(text)
    return any(words.pattern("people", key).search(text) for key in ("asked", "words"))


def _denies(text: str) -> bool:
    words = lexicon_of(text)
    left = words.pattern("denial", "passed_over").sub(" ", text)
    return words.pattern("denial", "words").search(left) is not None


def _is_beside(text: str, name: Named) -> bool:
    """Whether it is asked what is taken "with X", or "X ... with"."""
    if lexicon_of(text).pattern("partners", "with", frame=r"(?<!\w)(?:{})\W*$").search(text):
        return True
    start = text.casefold().find(name.text.casefold())
    return start >= 0 and is_taken_beside(text, start, behind=False)
