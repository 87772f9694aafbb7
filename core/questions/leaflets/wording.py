"""A plan for documents in words: "Dose of amoxicillin for a child of 25 kg"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.documents.cutting.sections import section_title
from core.domain.leaflets.conditions import (
    Age,
    Amount,
    BreastFeeding,
    Degree,
    DocumentCondition,
    Form,
    Illness,
    KidneyFunction,
    LiverFunction,
    Partner,
    PatientGroup,
    Pregnancy,
    Range,
    Route,
    Strength,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan
from core.questions.leaflets.ages import IN_YEARS

_RANKS = {1: "first", 2: "second", 3: "third"}


def said(plan: DocumentPlan) -> DocumentPlan:
    """The plan with `understood`; that stays empty where no aspect is known."""
    if not plan.aspects:
        return plan
    what = section_title(plan.aspects[0].section)
    names = _joined([one.name for one in plan.subjects])
    product = _product(plan)
    of = " ".join(filter(None, (names, product)))
    parts = [f"{what} of {of}" if of else what, *_who(plan), *_circumstances(plan)]
    return replace(plan, understood=" ".join(parts))


def who_said(conditions: Sequence[DocumentCondition]) -> str:
    """Patients in words: "for a child of 4 years with severe kidney impairment"."""
    plan = DocumentPlan(conditions=tuple(conditions))
    return " ".join((*_who(plan), *_circumstances(plan)))


def _product(plan: DocumentPlan) -> str:
    """Strength and form: "500 mg tablets" without the plural."""
    parts = [one.written for one in plan.conditions if isinstance(one, Strength)]
    parts += [one.form for one in plan.conditions if isinstance(one, Form)]
    parts += [one.route for one in plan.conditions if isinstance(one, Route)]
    return f"({', '.join(parts)})" if parts and plan.subjects else ", ".join(parts)


def _who(plan: DocumentPlan) -> Iterator[str]:
    groups = [one.group.value for one in plan.conditions if isinstance(one, PatientGroup)]
    who = _joined([_a(one) if one != "elderly" else "an elderly patient" for one in groups])
    measures = [_age_said(one) for one in plan.conditions if isinstance(one, Age)] + [
        range_said(one.value, "kg") for one in plan.conditions if isinstance(one, Weight)
    ]
    measures = list(dict.fromkeys(measures))
    if who or measures:
        of = f" of {' and '.join(measures)}" if measures else ""
        yield f"for {who or 'a patient'}{of}"


def _circumstances(plan: DocumentPlan) -> Iterator[str]:
    organs = (KidneyFunction, LiverFunction)
    yield from filter(None, (_said(one) for one in plan.conditions if not isinstance(one, organs)))
    kidneys = [one for one in plan.conditions if isinstance(one, KidneyFunction)]
    livers = [one for one in plan.conditions if isinstance(one, LiverFunction)]
    ranges = [one.clearance for one in kidneys if one.clearance]
    clearances = [range_said(one, "mL/min") for one in dict.fromkeys(ranges)]
    yield from _organ(
        "kidney",
        [one.degree for one in kidneys],
        [f"a clearance of {' or '.join(clearances)}"] * bool(clearances)
        + ["dialysis"] * any(one.dialysis for one in kidneys),
        bool(kidneys),
    )
    classes = sorted({one.child_pugh for one in livers if one.child_pugh})
    child_pugh = f" (Child-Pugh {' or '.join(classes)})" if classes else ""
    for words in _organ("liver", [one.degree for one in livers], (), bool(livers)):
        yield f"{words}{child_pugh}"


def _organ(
    organ: str, degrees: Sequence[Degree | None], measured: Sequence[str], named: bool
) -> Iterator[str]:
    """How well an organ works, all degrees and measures of it together."""
    different = [one.value for one in Degree if one in degrees]
    words = [f"{' or '.join(different)} {organ} impairment"] if different else []
    words += measured
    if words or named:
        yield f"with {_joined(words or [f'{organ} impairment'])}"


def _said(one: DocumentCondition) -> str:
    if isinstance(one, Pregnancy):
        if one.trimester:
            return f"in the {_RANKS.get(one.trimester, str(one.trimester))} trimester"
        time = f" (week {one.week})" if one.week else f" (month {one.month})" if one.month else ""
        return f"in pregnancy{time}"
    if isinstance(one, BreastFeeding):
        return "while breast-feeding"
    if isinstance(one, Illness):
        name = one.name.name
        told = one.degree is None or one.degree in name.casefold().split()
        return f"with {name}" if told else f"with {one.degree} {name}"
    if isinstance(one, Partner):
        return f"{'together with' if one.taken else 'without'} {one.name.name}"
    if isinstance(one, Amount):
        return f"({one.written})"
    return ""


def _age_said(one: Age) -> str:
    """An age; of one that begins within the first year and ends later both units ("6 months to 12 years")."""
    low, high = one.value.low, one.value.high
    if one.unit != "year" or low is None or high is None or not 0 < low < 1 < high:
        return range_said(one.value, f"{one.unit}s")
    months = round(low / IN_YEARS["month"], 1)
    begins = Range(months, months) if months >= 1 else None
    days = round(low / IN_YEARS["day"])
    first = range_said(begins, "months") if begins else range_said(Range(days, days), "days")
    return f"{first} to {range_said(Range(high, high), 'years')}"


def range_said(value: Range, unit: str) -> str:
    """A range with its unit: "2 to 5 years", "over 65 years", "1 year"."""
    low, high = value.low, value.high
    if low is not None and high is not None:
        if low != high:
            return f"{low:g} to {high:g} {unit}"
        return f"{low:g} {unit[:-1] if low == 1 and unit.endswith('s') else unit}"
    return f"at least {low:g} {unit}" if low is not None else f"at most {high:g} {unit}"


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _joined(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
