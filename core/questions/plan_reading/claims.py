"""What is to be confirmed of names: "Does metformin treat gout?"."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.plans import Condition, Gap
from core.questions.items import Item
from core.questions.plan_reading.draft import LastBound, PlanDraft
from core.questions.plan_reading.links import Options, SchemaLinks


@dataclass(frozen=True, slots=True)
class Claims:
    """Makes claims of the names that wait in a draft."""

    draft: PlanDraft
    links: SchemaLinks

    def claim(self, item: Item, options: Options) -> None:
        """What is held stands in a relationship to `item`: to be confirmed or not."""
        draft, links = self.draft, self.links
        for subject in draft.held:
            types = tuple(sorted(subject.types))
            found = links.fits(types, options, item.types)
            if not found:
                draft.leave(draft.verb.item.text if draft.verb else item.text, Gap.NO_SUCH)
                continue
            near = links.near(types, found, item.types)
            far = links.near(tuple(sorted(item.types)), found, near)
            condition = Condition(found, item.of_types(far).named, draft.negated)
            draft.claims.append((subject.of_types(near), condition))
        draft.settle(LastBound(None, options, draft.negated, tuple(draft.held)))
        draft.held = []

    def claim_implied(self, item: Item) -> bool:
        """Whether the relationship that is implied between what is held and `item` is claimed now."""
        types = sorted(self.draft.held[-1].types)
        options = self.links.implied_with(types, [item])
        if options:
            self.claim(item, options)
        return bool(options)
