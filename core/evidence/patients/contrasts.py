"""What a statement is said of, in terms that exclude each other: one study's figure is not another's.

The terms are of a few kinds: words (``contrasts.toml``: starting and maintenance dose, treated before or not),
numbered studies, which time something occurs, genotypes, doses of groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache

from core.domain.leaflets.conditions import DocumentCondition, KidneyFunction, LiverFunction
from core.questions.clauses import Clause
from core.resources import any_of, read_table
from core.text.quantities import normalised, quantities

Contrasts = Mapping[str, frozenset[str]]
"""The terms that a text names, by their kind."""

SEVERITY = "severity"
PHASE = "phase"
MOMENT = "moment"
BASIS = "basis"
EXTENT = "extent"
GENOTYPE = "genotype"
GRADE = "grade"
RECOMMENDED, STUDIED, RESEARCH = "recommended", "studied", "research"
_OWN_ALONE = (EXTENT, BASIS)  # what is said of one sentence, and not of the next
_STUDY = re.compile(
    r"(?<!\w)(?:stud(?:y|ies|ie|ien|ium)|trials?)\s+(?:[A-Z]{1,4}-?)?"
    r"(?P<of>\d{1,2}(?:\s*(?:,|and|und|en|&|or|to)\s*\d{1,2})*)(?![\w.,-]*\d)",
    re.IGNORECASE,
)
_TIMES: dict[str, tuple[str, ...]] = {
    "1": ("first", "1st", "erste[nmrs]?", "eerste"),
    "2": ("second", "2nd", "zweite[nmrs]?", "tweede"),
    "3": ("third", "3rd", "dritte[nmrs]?", "derde"),
    "4": ("fourth", "4th", "vierte[nmrs]?", "vierde"),
}
_OCCURS = (
    "(?:occurrence|appearance|episode|recurrence|event|time|auftreten|episode|mal|keer|optreden)"
)
# Of toxicity, as the CTCAE number them: "grade 3 or 4", "grade 0-1".
_GRADE = re.compile(
    r"(?<!\w)(?:grades?|grad(?:e[ns]?)?|gra(?:ad|den))\s*(?P<of>[0-5](?:\s*(?:,|and|und|en|or|oder|of|to|bis|tot|[-–/])\s*[0-5])*)(?![\w.,-]*\d)",
    re.IGNORECASE,
)
_OCCURRENCE = {
    number: any_of([rf"(?<!\w)(?:{'|'.join(words)})\s+{_OCCURS}(?!\w)"])
    for number, words in _TIMES.items()
}
# "at the 100 mg dose", "in the 0.5 mg arm"
_AT = re.compile(
    r"\b(?:at|beim?|bij)\s(?:an?\s|the\s|einer\s|de\s|een\s)?(?:dose\sof\s|dosis\sv[ao]n\s)?$", re.I
)
_ARM = re.compile(
    r"[\s-]*(?:dose\s)?(?:arms?|groups?|dose\slevel|arme?s?|gruppen?|groep(?:en)?)\b", re.I
)
_WORD = re.compile(r"\w+")
_LONGEST_LABEL = 100  # characters
_CELL = re.compile(rf"[^:]{{1,{_LONGEST_LABEL}}}: ")  # of a row, with its head
_FEWEST_CELLS = 2  # with numbers
_ALLELES = re.compile(r"(?<!\*)\*\s?(\d+[A-Z]?)\s?/\s?\*\s?(\d+[A-Z]?)(?!\w)")


@cache
def _words() -> dict[str, dict[str, re.Pattern[str]]]:
    table = read_table(__file__, "contrasts.toml")
    return {
        kind: {
            value: any_of([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"])
            for value, words in values.items()
        }
        for kind, values in table.items()
    }


@lru_cache(maxsize=8_192)
def contrasts_of(text: str) -> Contrasts:
    """The terms that a text names, by kind; a kind of which it names none is not there."""
    found = {
        kind: frozenset(value for value, words in values.items() if words.search(text))
        for kind, values in _words().items()
    }
    numbers = (number for one in _STUDY.finditer(text) for number in re.findall(r"\d+", one["of"]))
    found["study"] = frozenset(numbers)
    grades = (number for one in _GRADE.finditer(text) for number in re.findall(r"\d", one["of"]))
    found[GRADE] = frozenset(grades)
    found["occurrence"] = frozenset(
        number for number, words in _OCCURRENCE.items() if words.search(text)
    )
    found[GENOTYPE] = frozenset(
        "/".join(sorted((one[1], one[2]))) for one in _ALLELES.finditer(text)
    )
    return {kind: values for kind, values in found.items() if values}


def is_understood(clause: Clause) -> bool:
    """Whether each word was read: as what is asked, of whom, or as a term here ("Starting dose")."""
    if (plan := clause.leaflet) is None or not plan.left_over:
        return plan is not None
    terms = (term for values in _words().values() for term in values.values())
    found = (one.group().casefold() for term in terms for one in term.finditer(clause.text))
    within = {word for one in found for word in _WORD.findall(one)}
    return all(word.casefold() in within for word in plan.left_over)


def contrasts_told(
    text: str, before: Sequence[str], heading: str, parts: Sequence[str] = ()
) -> Contrasts:
    """The terms that a statement is said of: of each kind its own, else those of the nearest that was said
    before it, else those of its heading. What is labelled ("Subsequent doses: ...") is not of what others
    beside it are labelled with ("Initial dose: ...").

    Args:
        before: what stands before it in its paragraph, in order.
        parts: of a row of a table its cells, each with its head.
    """
    told, of_cells = dict(_of_all_cells(text, parts)), contrasts_of(text)
    is_labelled = _behind_label(text) != text
    for other in (
        *(_behind_label(one) if is_labelled else one for one in reversed(before)),
        heading,
    ):
        for kind, values in contrasts_of(other).items():
            # A row that has "Maintenance dose" beside "Week 1" is of both, whatever its caption says.
            if kind not in _OWN_ALONE and kind not in of_cells:
                told.setdefault(kind, values)
    return told


def _of_all_cells(text: str, parts: Sequence[str]) -> Contrasts:
    """The terms that a statement names, without those of single cells of a table's row: what is headed
    "Maintenance dose" beside "Week 1" and "Week 2" is not the whole row's; what its first cell says is."""
    told = contrasts_of(text)
    labelled = list(parts or filter(_CELL.match, text.split("; ")))
    cells = [one for one in labelled if quantities(one)]
    if len(cells) < _FEWEST_CELLS:
        return told
    each = [contrasts_of(one) for one in cells]
    label = {} if labelled[0] in cells else contrasts_of(labelled[0])
    of_all = {kind: values for kind, values in told.items() if all(kind in one for one in each)}
    return {**of_all, **label}


def arms_of(text: str) -> frozenset[Fraction]:
    """The doses, in mg, that a text names as those of a group or an experiment ("at the 100 mg dose")."""
    plain = normalised(text)
    return frozenset(
        one.amount
        for one in quantities(text)
        if one.unit == "mg" and (_AT.search(plain, 0, one.start) or _ARM.match(plain, one.end))
    )


def opposed(asked: Contrasts, told: Contrasts) -> Iterator[str]:
    """The kinds in which a text is said of other terms than those asked about."""
    return (kind for kind in asked if kind in told and not asked[kind] & told[kind])


def _behind_label(text: str) -> str:
    """What a text says behind its first colon, where few words are before that; all of it else, or where it
    leads in what comes next."""
    head, _, rest = text.partition(": ")
    return rest if rest.strip() and len(head) <= _LONGEST_LABEL else text


def label_of(text: str) -> str:
    """What a text is said of by its first words: those before a colon ("Heart failure: ..."), or a phrase that
    limits it ("In adults with epilepsy, ..."); "" without either."""
    head, mark, _ = text.partition(":")
    if mark and len(head) <= _LONGEST_LABEL:
        return head
    phrase = _limits().match(text)
    return phrase.group() if phrase else ""


@cache
def _limits() -> re.Pattern[str]:
    words = "|".join(read_table(__file__, "labels.toml")["limits"])
    return re.compile(rf"(?:{words})\s[^,.;]{{3,{_LONGEST_LABEL}}}(?=,)", re.IGNORECASE)


def without_organs(
    said: Contrasts, conditions: Sequence[DocumentCondition]
) -> dict[str, frozenset[str]]:
    """Without the severity where it is that of impaired kidneys or a liver, which is a condition."""
    organs = any(isinstance(one, KidneyFunction | LiverFunction) for one in conditions)
    return {kind: values for kind, values in said.items() if not (organs and kind == SEVERITY)}
