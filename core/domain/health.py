"""The state of every part of the system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class PartHealth:
    """A store or a model: whether it works, what it is, and numbers about it."""

    name: str
    ok: bool
    detail: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Health:
    parts: tuple[PartHealth, ...]

    @property
    def ok(self) -> bool:
        return all(part.ok for part in self.parts)
