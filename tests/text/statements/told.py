"""What a text says, without furniture."""

from __future__ import annotations

from core.text.statements import Lead, Statement, statements


def no_furniture(_line: str) -> bool:
    return False


def told(text: str, lead: Lead | None = None) -> list[Statement]:
    return statements(text, no_furniture, lead)[0]


def texts(text: str) -> list[str]:
    return [statement.text for statement in told(text)]
