"""Yes or no: what the graph says of what is to be confirmed, with the relationships that prove it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.domain.plans import Condition, Named, Plan, Selection
from core.evidence.computing.member_reader import MemberReader, Told
from core.evidence.proofs import Proofs
from core.graph.phrases import relationship_phrase
from core.graph.sets import reached

_NOT_SAID = (
    "The graph does not say that {}: it has no such relationship, which proves nothing either way."
)
# "May X be taken with Y?" is read as it too, and what the graph has is no leave.
_NO_YES = frozenset({"INTERACTS_WITH"})


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Looks up what a plan asks to be confirmed."""

    plan: Plan
    reader: MemberReader

    def told(self) -> list[Told]:
        """A sentence for each claim. "Yes" only where all of a question without a "not" is proven, and of no
        interaction; never "no": what a graph lacks may still be so."""
        found = [
            one
            for subject, selection in zip(self.plan.subjects, self.plan.sets, strict=True)
            for one in self._of(subject, selection)
        ]
        no_yes = any(
            one.negated or not _NO_YES.isdisjoint(one.relationships)
            for selection in self.plan.sets
            for one in selection.all_conditions()
        )
        proven = bool(found) and all(one.facts for one in found) and not no_yes
        if not proven:
            return [replace(one, text=one.text[:1].upper() + one.text[1:]) for one in found]
        return [replace(found[0], text=f"Yes: {found[0].text}"), *found[1:]]

    def _of(self, subject: Named, selection: Selection) -> Iterator[Told]:
        """What is told of one name; of alternatives those that hold."""
        for alternatives in selection.conditions:
            asserted = [one for one in alternatives if not one.negated]
            proven = [one for one in asserted if self._places(subject, one)]
            for one in proven:
                yield self._proven(subject, selection, one)
            if asserted and not proven:
                said = " or ".join(self._said(selection, one) for one in asserted)
                yield Told(_NOT_SAID.format(f"{subject.name} {said}"))
            for one in alternatives:
                if one.negated:
                    yield self._denied(subject, selection, replace(one, negated=False))

    def _denied(self, subject: Named, selection: Selection, condition: Condition) -> Told:
        """What a question supposes not to be so, told as the graph has it."""
        if not self._places(subject, condition):
            return Told(_NOT_SAID.format(f"{subject.name} {self._said(selection, condition)}"))
        proven = self._proven(subject, selection, condition)
        return replace(proven, text=f"The graph says that {proven.text}")

    def _said(self, selection: Selection, condition: Condition) -> str:
        return self.reader.wording.condition(condition, selection.types)

    def _places(self, subject: Named, condition: Condition) -> list[int]:
        """The positions of the subject's entities for which a condition holds."""
        met = reached(condition, self.reader.projection)
        return [place for place in self.reader.places(subject) if met[place]]

    def _proven(self, subject: Named, selection: Selection, condition: Condition) -> Told:
        reader = self.reader
        place = self._places(subject, condition)[0]
        alone = Selection(selection.types, ((condition,),))
        facts = reader.proven(reader.keys(Proofs(alone, reader.projection).of(place)))
        text = f"{subject.name} {self._said(selection, condition)}"
        if isinstance(condition.of, Selection):
            near = reader.projection.ids[place]
            steps = []
            for fact in facts:
                forward = fact.source.id == near
                ends = (fact.source, fact.target) if forward else (fact.target, fact.source)
                steps.append(
                    f"{ends[0].name} {relationship_phrase(fact.type, forward)} {ends[1].name}"
                )
                near = ends[1].id
            text += f". The path that proves it: {'; '.join(steps)}"
        return Told(f"{text}.", facts)
