"""What kind of thing a question wants to be told, and whether a statement tells such a thing.

The expected answer type is an old tool of question answering (Prager, Brown, Coden and Radev 2000,
"Question-answering by predictive annotation", SIGIR): "when in the day" wants a time of day, "at
what temperature" degrees. Statements that hold one come first. Some types are demanded: without an
amount of money nothing answers what a pack costs, however much a text speaks of packs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.resources import any_of, read_table


@dataclass(frozen=True, slots=True)
class AnswerType:
    """Attributes:
    told: found in a statement that can answer.
    demanded: a statement without one is no answer.
    """

    asked: re.Pattern[str]
    told: re.Pattern[str]
    demanded: bool = False


def _types() -> tuple[AnswerType, ...]:
    table = read_table(__file__, "answer_types.toml")
    named = {f"{{{name}}}": table[name] for name in ("NUMBER", "SPAN")}

    def pattern(alternatives: list[str]) -> re.Pattern[str]:
        text = "|".join(alternatives)
        for name, meant in named.items():
            text = text.replace(name, meant)
        return any_of([text])

    return tuple(
        AnswerType(pattern(row["asked"]), pattern(row["told"]), row.get("demanded", False))
        for row in table["types"]
    )


_TYPES = _types()


@dataclass(frozen=True, slots=True)
class Expectation:
    """The types that a question asks for; without any, every statement will do."""

    types: tuple[AnswerType, ...]

    def met(self, statement: str) -> bool:
        """Whether a statement tells one of the types."""
        return any(one.told.search(statement) for one in self.types)

    def lacking(self, statement: str) -> bool:
        """Whether a statement lacks what is demanded."""
        return any(one.demanded and not one.told.search(statement) for one in self.types)


def expected(question: str) -> Expectation:
    """What a question wants to be told."""
    return Expectation(tuple(one for one in _TYPES if one.asked.search(question)))
