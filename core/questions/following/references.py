"""References to what was spoken of before: "it", "they", "this drug" (KG-14)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain.answers import Answer
from core.domain.conversations import Turn
from core.domain.graph import NAMED_IN_QUESTION
from core.domain.leaflets.conditions import Partner
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.questions.asked import asked_sections
from core.questions.clauses import Clause
from core.questions.following.phrases import DRUG, OPENER
from core.questions.leaflets.names import ILLNESSES, is_surely_name
from core.resources import read_table
from core.text.stems import content_words

_TABLE = read_table(__file__, "references.toml")


def _words(name: str) -> str:
    return "|".join(_TABLE[name].split())


def _phrases(name: str) -> str:
    return "|".join(map(re.escape, _TABLE[name]))


_PLURAL_POSSESSIVE = re.compile(rf"\b(?:{_words('plural_possessive')})\b", re.IGNORECASE)
_NOT_LISTED = r"(?!\s+\w+\s+(?:and|und|en)\b)"  # "both gout and asthma"
_PLURAL = re.compile(
    rf"\b(?:{_words('plural')})\b(?: (?:of|von|van) (?:them|ihnen|hen))?{_NOT_LISTED}",
    re.IGNORECASE,
)
_NOT_BEHIND = "".join(rf"(?<!\b{word} )" for word in _TABLE["empty_before"])
_POSSESSIVE = re.compile(rf"\b(?:{_words('possessive')})\b", re.IGNORECASE)
_PRONOUN = re.compile(
    # "It's for a clot" may be said of anything.
    rf"\b(?:(?:{_phrases('this')}) (?:{_words('kinds')})|{_words('pronouns')})\b(?!['’]s\b)"
    # "that" only where it stands for a thing: "drugs that treat" is no reference.
    rf"|\b(?:{_words('alone')})\b(?=\s*(?:[?.!,]|$))"
    # "Sie" is whoever is asked.
    rf"|{_NOT_BEHIND}\b(?:{_words('it')})\b(?!\s+(?:{_words('empty_after')})\b)",
    re.IGNORECASE,
)
# ... or where a verb or an adjective shows that it is the subject: "Does that interact with ...".
_SUBJECT = re.compile(
    rf"^(\s*(?:(?:{_words('joining')})\s+)?(?:{_words('auxiliaries')}))\s+(?:{_words('alone')})\b"
    rf"(?=\s+(?:{_words('of_subject')})\b)",
    re.IGNORECASE,
)
_WITH_IT = re.compile(rf"\b(?:{_words('with_it')})\b", re.IGNORECASE)
_BESIDE = re.compile(rf"\b(?:{_words('beside')})\s+$", re.IGNORECASE)
_FIRST = re.compile(
    rf"^\s*(?:and\s+|ok(?:ay)?\W+)?(?:{'|'.join(_TABLE['first'])})\b", re.IGNORECASE
)
_RETURNING = re.compile(
    rf"^\s*(?:and\s+|ok(?:ay)?\W+)?(?:{'|'.join(_TABLE['returning'])})\s+(?P<name>[^,:;?]+?)\s*[,:;]\s*(?P<asked>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_OF_TWO = re.compile(rf"\b(?:{'|'.join(_TABLE['of_two'])})\b{_NOT_LISTED}", re.IGNORECASE)
# "Is it safe to take ...": this "it" stands for nothing.
_EMPTY_IT = re.compile(
    rf"\b(?:{_words('empty')})\s+(?:(?:{_words('being')})\s+)?(?:{_words('empty_it')})\b"
    rf"|\b(?:{_words('asking')}) (?:{_words('doing')}) (?:{_words('empty')}) (?:{_words('empty_behind_it')})\b",
    re.IGNORECASE,
)


def of_first(question: str) -> str | None:
    """What is asked of what was asked about first ("back to the first one, ..."); None where nothing is."""
    found = _FIRST.search(question)
    return question[found.end() :].strip(" ,;:.-") if found else None


def of_named(question: str) -> tuple[str, str] | None:
    """The name that a question comes back to, and what it asks of that ("back to ibuprofen: ..."); None where
    it does not."""
    found = _RETURNING.search(question)
    return (found["name"], found["asked"]) if found else None


@dataclass(frozen=True, slots=True)
class Focus:
    """What the newest question that is about anything was about.

    Attributes:
        names: its medicines, else its entities; in order.
        medicines: whether they are medicines.
    """

    names: tuple[str, ...] = ()
    medicines: bool = False

    @property
    def name(self) -> str:
        """The last of the names, "" without one."""
        return next(reversed(self.names), "")


def focus(turns: Sequence[Turn], is_name: Callable[[str], bool]) -> Focus:
    """What was spoken of last.

    A medicine that no graph knows counts as one that is known: "it" after a question about Fooxil is
    Fooxil, and not the medicine that was asked about before.

    Args:
        is_name: whether a word is what a document is called, or stands in none.
    """
    of_illness = Focus()
    for turn in reversed(turns):
        answer = turn.answer
        named = [one for one in answer.entities if one.reason == NAMED_IN_QUESTION]
        drugs = [one for one in named if one.type == DRUG]

        def is_unknown(one: Named) -> bool:
            return not one.ids and (is_surely_name(one) or is_name(one.name))

        subjects = [one for plan in answer.document_plans for one in plan.subjects]
        unknown = [one.name for one in subjects if is_unknown(one)]
        if not drugs and not unknown:
            unknown = [one.name for one in _taken(answer.document_plans) if is_unknown(one)]
        # Beside an unknown subject a known medicine is what it is taken with.
        alone = unknown if not any(one.ids for one in subjects) else []
        if medicines := alone or [*unknown, *(one.name for one in drugs)]:
            return Focus(tuple(_spoken_of(medicines, answer)), medicines=True)
        if named and of_illness == Focus():
            of_illness = Focus(tuple(one.name for one in named))
            # An illness that the graph was asked for is spoken of; one that a patient has is not.
            if answer.plan is not None or any(one.type not in ILLNESSES for one in named):
                return of_illness
    return of_illness


def _spoken_of(medicines: Sequence[str], answer: Answer) -> Sequence[str]:
    """Of the medicines of a question those that it goes on with; else those that have a document which
    answered."""
    asked, read = answer.question.casefold(), answer.read_as.casefold()
    kept = [one for one in medicines if one.casefold() in read and one.casefold() not in asked]
    cited = " ".join(block.subject for block in answer.blocks).casefold()
    return kept or [one for one in medicines if one.casefold() in cited] or medicines


def _taken(plans: Sequence[DocumentPlan]) -> list[Named]:
    """What questions that are about no medicine say is taken: "fever with X"."""
    conditions = (one for plan in plans for one in plan.conditions)
    return [one.name for one in conditions if isinstance(one, Partner) and one.taken]


def several(question: str, turns: Sequence[Turn], is_name: Callable[[str], bool]) -> str:
    """A question with "they", "their" and "both" replaced by the medicines that the newest question was about,
    or the two that were asked about in turn; unchanged where there is one alone.

    Args:
        is_name: whether a word is what a document is called, or stands in none.
    """
    if any(one.type == "Drug" for each in turns[-1].answer.lists for one in each.members[:1]):
        return question  # they are the drugs of the list
    names = list(dict.fromkeys(focus(turns, is_name).names))
    if len(names) == 1 and _OF_TWO.search(question):
        names = _last_two(turns, is_name)
    if len(names) < 2:
        return question
    joined = f"{', '.join(names[:-1])} and {names[-1]}"
    if len(names) == 2 and (read := _OF_TWO.sub(lambda _: joined, question)) != question:
        return read
    read = _PLURAL_POSSESSIVE.sub(lambda _: f"{joined}'s", question)
    return _PLURAL.sub(lambda _: joined, read)


def _last_two(turns: Sequence[Turn], is_name: Callable[[str], bool]) -> list[str]:
    """The last two medicines that questions on one alone were about, the earlier first."""
    spoken = [focus([one], is_name) for one in reversed(turns)]
    alone = [one.name for one in spoken if one.medicines and len(set(one.names)) == 1]
    return list(reversed(list(dict.fromkeys(alone))[:2]))


def resolve(
    question: str, in_focus: str, *, names_entity: bool, goes_on: bool, named_at: int | None = None
) -> str:
    """The question with references replaced by the name in focus; unchanged when there is none.

    Args:
        names_entity: the question itself names an entity.
        goes_on: it names nothing that it could be about otherwise.
        named_at: where it names a medicine itself; a pronoun behind that stands for it.
    """
    if not in_focus:
        return question
    name = in_focus
    if _EMPTY_IT.search(question) and names_entity:
        return question

    def stands_for_own(found: re.Match[str]) -> bool:
        before = found.string[: found.start()]
        return named_at is not None and named_at < len(before) and not _BESIDE.search(before)

    # Functions, not templates: a backslash in a name is no group reference.
    read = _POSSESSIVE.sub(lambda one: one[0] if stands_for_own(one) else f"{name}'s", question)
    read = _SUBJECT.sub(lambda one: f"{one[1]} {name}", read)
    read = _PRONOUN.sub(lambda one: one[0] if stands_for_own(one) else name, read)
    with_it = _WITH_IT.search(question) if read == question else None
    if with_it is None or stands_for_own(with_it):
        if read != question or names_entity:
            return read
        with_it = None
    if with_it or OPENER.match(question) or goes_on:
        body = question.rstrip(" ?.!")
        return f"{body} ({name})?"
    return question


def refers_to_own(first: Clause, in_focus: str) -> bool:
    """Whether "it" behind the first clause is the medicine which that names, and not the one in focus."""
    names_drug = any(entity.type == DRUG for entity in first.entities)
    return names_drug and first.text == resolve(
        first.text, in_focus, names_entity=True, goes_on=False
    )


def names_subject(clause: Clause, in_focus: Focus) -> bool:
    """Whether a clause says what it is about. "In pregnancy?" asks for a section of a leaflet,
    although the graph has an entity of that name; "which drugs" is about all of them. An illness is what a
    question on a medicine speaks of ("How common is dizziness?"), but where it is all that is asked about."""
    about = [entity for entity in clause.entities if not asked_sections(entity.name)]
    if in_focus.medicines and not clause.wanted_types:
        said = set() if OPENER.match(clause.text) else set(content_words(clause.text))
        about = [
            one
            for one in about
            if one.type not in ILLNESSES or (said and said <= set(content_words(one.name)))
        ]
    return bool(about) or DRUG in clause.wanted_types
