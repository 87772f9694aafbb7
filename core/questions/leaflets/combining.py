"""Questions for what a medicine must not be taken with: "Which medicines must not be taken with X?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.leaflets.conditions import Partner
from core.domain.leaflets.plan import DocumentPlan, Wanted
from core.domain.plans import Named
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.names import is_taken_beside
from core.questions.leaflets.wording import said

_CONTRAINDICATIONS, _INTERACTIONS = "contraindications", "interactions"
_OWN = frozenset({_CONTRAINDICATIONS, _INTERACTIONS})
_DRUG = "Drug"


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
    return lexicon_of(text).pattern("denial", "words").search(text) is not None


def _is_beside(text: str, name: Named) -> bool:
    """Whether it is asked what is taken "with X", or "X ... with"."""
    if lexicon_of(text).pattern("partners", "with", frame=r"(?<!\w)(?:{})\W*$").search(text):
        return True
    start = text.casefold().find(name.text.casefold())
    return start >= 0 and is_taken_beside(text, start, behind=False)
