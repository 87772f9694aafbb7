"""The state of every part of the system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class PartHealth:
    """A store, a model or a tool: whether it works, what it is, and numbers about it.

    Attributes:
        detail: what it is, or what is wrong with it, in words.
        version: of the program behind it; empty where it is not known.
        latency_ms: how long it took to answer a light question, the last time; None where it was asked none.
        median_ms: of the times it was asked since the start.
        advice: what to do where it does not work.
        waiting_seconds: how long its answer has been waited for; None where it is there.
    """

    name: str
    ok: bool
    detail: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    latency_ms: float | None = None
    median_ms: float | None = None
    advice: str = ""
    waiting_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Health:
    parts: tuple[PartHealth, ...]

    @property
    def ok(self) -> bool:
        return all(part.ok for part in self.parts)

    @property
    def waits(self) -> bool:
        """Whether an answer is still to come."""
        return any(part.waiting_seconds is not None for part in self.parts)
