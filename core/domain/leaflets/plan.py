"""What a question asks of documents, as a plan: about what, which section, under which conditions.

What has no part in the plan is kept in `left_over`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.leaflets.conditions import DocumentCondition
from core.domain.plans import Named

_OVERDOSE = "overdose"


class Wanted(StrEnum):
    """What kind of thing is wanted: expected answer types, as far as leaflets tell them apart."""

    AMOUNT = "amount"  # a quantity: a dose, a strength, a temperature
    FREQUENCY = "frequency"  # times a day, how common
    DURATION = "duration"
    MAXIMUM = "maximum"
    YES_NO = "yes_no"
    LIST = "list"  # several items
    WHAT_TO_DO = "what_to_do"
    REASON = "reason"
    OTHER = "other"


ADVERSE_REACTIONS = "adverse_reactions"
CONTRAINDICATIONS = "contraindications"


@dataclass(frozen=True, slots=True)
class Aspect:
    """A section that the question asks for.

    Attributes:
        section: a standard code, see `core.documents.cutting.sections`.
        probability: that it is the one, in [0, 1].
    """

    section: str
    probability: float


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """How a question to documents was read.

    Attributes:
        subjects: the medicines it is about; one without `ids` is a name that the graph does not have.
        aspects: likeliest first; empty where it is not clear enough which section is asked for.
        conditions: in the order of the text.
        wanted: None where nothing tells.
        left_over: content words that have no part in the plan, as they are written.
        understood: the plan in words; empty without an aspect.
    """

    subjects: tuple[Named, ...] = ()
    aspects: tuple[Aspect, ...] = ()
    conditions: tuple[DocumentCondition, ...] = ()
    wanted: Wanted | None = None
    left_over: tuple[str, ...] = ()
    understood: str = ""

    def overdose(self, least: float) -> Aspect | None:
        """The section on overdoses, where it is asked what to do, and it is the likeliest by so much."""
        first = self.aspects[0] if self.aspects and self.wanted is Wanted.WHAT_TO_DO else None
        likely = first is not None and first.section == _OVERDOSE and first.probability >= least
        return first if likely else None

    @property
    def section_alone(self) -> Aspect | None:
        """The likeliest section, where the question asks for nothing else of its subject."""
        if self.left_over or self.conditions or not self.aspects:
            return None
        return self.aspects[0]

    @property
    def asks_incidence(self) -> bool:
        """Whether it asks how often a finding comes, and not how often something is taken."""
        comes = bool(self.aspects) and self.aspects[0].section == ADVERSE_REACTIONS
        return self.wanted is Wanted.FREQUENCY and comes
