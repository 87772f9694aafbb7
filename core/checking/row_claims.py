"""Whether a sentence gives a row's number to the patients that the row is for.

The rows of a dosing table say the same with other numbers, each for other patients: "20 mg" stands in the
cited table, but for mild and not for severe renal impairment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.checking.amounts import EvidenceStatement, is_dose, parts_of, spoken_part


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A row of a table with its heads, and what it is told with: its caption, the label of its group."""

    text: str
    lead: tuple[str, ...]


# Whether the patients that a sentence speaks of are others than those of a row.
ForOthers = Callable[[str, EvidenceRow], bool]


def row_problems(
    said: str,
    rows: Sequence[EvidenceRow],
    others: Sequence[EvidenceStatement],
    for_others: ForOthers,
) -> list[str]:
    """The doses of a sentence that the cited rows give to other patients only, in words.

    Args:
        others: the cited statements that are no rows; a dose that one of them has is not looked at.
    """
    if not rows:
        return []
    elsewhere = parts_of(others)
    problems: list[str] = []
    for one in spoken_part(said, others).found:
        if not is_dose(one) or any(part.has(one) for part in elsewhere):
            continue
        holders = [
            row
            for row in rows
            if any(part.has(one) for part in parts_of([EvidenceStatement(row.text, "")]))
        ]
        if holders and all(for_others(said, row) for row in holders):
            problems.append(
                f"{one.written} is for other patients in the cited evidence: “{holders[0].text}”"
            )
    return list(dict.fromkeys(problems))
