"""A plan in words: what was understood, as it stands above an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.plans import Condition, Named, Plan, Rank, Selection, Want
from core.graph.phrases import relationship_said
from core.graph.schema import GraphSchema
from core.resources import read_table

_TABLE = read_table(__file__, "nouns.toml")
_NOUNS: dict[str, list[str]] = _TABLE["nouns"]
_TOGETHER: dict[str, list[str]] = _TABLE["together"]
_CALLED: dict[str, list[str]] = _TABLE["called"]


def noun(types: Sequence[str], count: int = 2) -> str:
    """What entities of these types are called together, one or several."""
    found = list(dict.fromkeys(_noun(one, count) for one in types))
    one, several = _TOGETHER.get(" ".join(sorted(types)), ("entity", "entities"))
    return found[0] if len(found) == 1 else one if count == 1 else several


def _noun(name: str, count: int) -> str:
    if name in _NOUNS:
        return _NOUNS[name][0 if count == 1 else 1]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()
    return words if count == 1 or words.endswith("s") else f"{words}s"


def denied_last(selection: Selection) -> list[tuple[Condition, ...]]:
    """The conditions of a set with those that deny something behind the others: "that the graph does not
    say to treat gout and cause nausea" would deny both."""
    denying = [sorted(one, key=lambda condition: condition.negated) for one in selection.conditions]
    return [tuple(one) for one in sorted(denying, key=lambda one: one[-1].negated)]


class Wording:
    """Says plans of one graph in words."""

    def __init__(self, schema: GraphSchema) -> None:
        self._schema = schema

    def plan(self, plan: Plan) -> str:
        """A plan as a phrase with a capital and without a full stop; empty where there is none."""
        text = self._plan(plan)
        return text[:1].upper() + text[1:]

    def _plan(self, plan: Plan) -> str:
        names = _joined([one.name for one in plan.subjects])
        if plan.want is Want.SIMILAR and plan.sets and plan.sets[0].conditions:
            return f"of the {self.several(plan.sets[0])}, those similar to {names}"
        if plan.want is Want.SIMILAR:
            return f"what is similar to {names}"
        if plan.want is Want.PATH:
            return f"how {names} are connected"
        if plan.want is Want.SHARE:
            return f"what {names} have in common"
        if not plan.sets:
            return ""
        first = plan.sets[0]
        if plan.want is Want.COMPARE:
            what = [self.several(one) for one in plan.sets]
            return f"{what[0]}, compared with {_joined(what[1:])}"
        if plan.want is Want.YES_NO:
            said = [
                f"{subject.name} {self.condition(condition, one.types)}"
                for subject, one in zip(plan.subjects, plan.sets, strict=True)
                for condition in one.all_conditions()
            ]
            return f"whether {_joined(said)}"
        if plan.want is Want.COUNT:
            return f"the number of {self.several(first)}"
        if plan.rank is not None:
            most = "most" if plan.want is Want.MOST else "fewest"
            return f"of the {self.several(first)}, the one with the {most} {self.ranked(plan.rank)}"
        return ("all " if plan.everything else "") + self.several(first)

    def several(self, selection: Selection) -> str:
        """A set as a noun with what is said of its members: "drugs that treat gout"."""
        called = self._called(selection)
        if called:
            return called
        said = self.conditions(selection, plural=True)
        return f"{noun(selection.types)} that {said}" if said else noun(selection.types)

    def ranked(self, rank: Rank) -> str:
        """What is counted of each member: "targets"."""
        called = _CALLED.get(rank.relationships[0])
        return called[2] if called and called[0] in rank.types else noun(rank.types)

    def conditions(self, selection: Selection, *, plural: bool) -> str:
        """What is said of members: "treat gout and are not said in the graph to target XDH"."""
        return " and ".join(
            " or ".join(self.condition(one, selection.types, plural=plural) for one in alternatives)
            for alternatives in denied_last(selection)
        )

    def condition(self, condition: Condition, types: Sequence[str], *, plural: bool = False) -> str:
        """One condition, said of a member of `types` or of several."""
        of = condition.of
        verb = self.verb(condition, types, plural=plural)
        return f"{verb} {of.name if isinstance(of, Named) else self.several(of)}"

    def verb(self, condition: Condition, types: Sequence[str], *, plural: bool = False) -> str:
        """What a condition says of a member of `types` or of several, without its other end."""
        of = condition.of
        others = (of.type,) if isinstance(of, Named) else of.types
        name = condition.relationships[0]
        forward = condition.forward
        if forward is None:
            forward = self._schema.is_source(name, types, others)
        return relationship_said(name, forward, plural=plural, negated=condition.negated)

    def _called(self, selection: Selection) -> str:
        """ "Side effects of warfarin", where the relationship has a noun for the set."""
        if len(selection.conditions) != 1 or len(selection.conditions[0]) != 1:
            return ""
        condition = selection.conditions[0][0]
        called = _CALLED.get(condition.relationships[0])
        if called is None or condition.negated or called[0] not in selection.types:
            return ""
        of = condition.of
        others = (of.type,) if isinstance(of, Named) else of.types
        if not self._schema.has_all_types(condition.relationships[0], selection.types, others):
            return ""
        return f"{called[2]} {called[3]} {of.name if isinstance(of, Named) else self.several(of)}"


def _joined(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
