"""The conditions that a question to documents states.

A condition holds what the text says and nothing that follows from it: "4 years old" is no group, "a
child" no age, "eGFR 22" no degree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.domain.plans import Named


class AgeGroup(StrEnum):
    """Age groups of ICH E11(R1), section 6; the elderly of ICH E7."""

    NEWBORN = "newborn"
    INFANT = "infant"
    CHILD = "child"
    ADOLESCENT = "adolescent"
    ADULT = "adult"
    ELDERLY = "elderly"


class Degree(StrEnum):
    """How severe something is."""

    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high`, each None where it is open; one number is both."""

    low: float | None
    high: float | None

    def __contains__(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Age:
    """Of the patient.

    Attributes:
        unit: of both ends, as the question has it.
    """

    value: Range
    unit: Literal["year", "month", "week", "day"] = "year"
    kind: Literal["age"] = "age"


@dataclass(frozen=True, slots=True)
class PatientGroup:
    """A group that the question names."""

    group: AgeGroup
    kind: Literal["group"] = "group"


@dataclass(frozen=True, slots=True)
class Weight:
    """Of the patient, in kg, to the nearest 100 g (pounds and stones are changed into it)."""

    value: Range
    kind: Literal["weight"] = "weight"


@dataclass(frozen=True, slots=True)
class Pregnancy:
    """The patient is pregnant.

    Attributes:
        trimester: 1 to 3, where the question says it; never reckoned from `week` or `month`.
    """

    trimester: int | None = None
    week: int | None = None
    month: int | None = None
    kind: Literal["pregnancy"] = "pregnancy"


@dataclass(frozen=True, slots=True)
class BreastFeeding:
    """The patient feeds a child."""

    kind: Literal["breast_feeding"] = "breast_feeding"


@dataclass(frozen=True, slots=True)
class KidneyFunction:
    """How well the kidneys work.

    Attributes:
        clearance: eGFR or creatinine clearance, mL/min (or mL/min/1.73 m2).
        degree: of impairment. Without it, a number or dialysis, the question says only that the
            kidneys are impaired.
    """

    clearance: Range | None = None
    degree: Degree | None = None
    dialysis: bool = False
    kind: Literal["kidney"] = "kidney"


@dataclass(frozen=True, slots=True)
class LiverFunction:
    """How well the liver works; without degree and class, the question says only that it is impaired.

    Attributes:
        child_pugh: class A, B or C.
    """

    degree: Degree | None = None
    child_pugh: Literal["A", "B", "C"] | None = None
    kind: Literal["liver"] = "liver"


@dataclass(frozen=True, slots=True)
class Illness:
    """An illness or a finding that the question names.

    Attributes:
        name: with `ids` where the graph has it.
    """

    name: Named
    degree: Degree | None = None
    kind: Literal["illness"] = "illness"


@dataclass(frozen=True, slots=True)
class Form:
    """The pharmaceutical form, in one English word ("tablet")."""

    form: str
    kind: Literal["form"] = "form"


@dataclass(frozen=True, slots=True)
class Strength:
    """Of the product.

    Attributes:
        amount: in `unit`, a base unit of `core.text.units` ("mg", "mg/ml", "IU", "%").
        written: in the question.
    """

    amount: float
    unit: str
    written: str
    kind: Literal["strength"] = "strength"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that is, was or would be taken ("can I take 800 mg?"); `period` of a rate ("day")."""

    amount: float
    unit: str
    period: str
    written: str
    kind: Literal["amount"] = "amount"


@dataclass(frozen=True, slots=True)
class Route:
    """How the medicine is given, in one English word ("oral")."""

    route: str
    kind: Literal["route"] = "route"


@dataclass(frozen=True, slots=True)
class Partner:
    """What else is taken: another medicine, a food or a drink.

    Attributes:
        taken: False where it is said not to be ("without clarithromycin").
    """

    name: Named
    taken: bool = True
    kind: Literal["partner"] = "partner"


DocumentCondition = (
    Age
    | PatientGroup
    | Weight
    | Pregnancy
    | BreastFeeding
    | KidneyFunction
    | LiverFunction
    | Illness
    | Form
    | Strength
    | Amount
    | Route
    | Partner
)
