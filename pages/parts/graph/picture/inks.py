"""The canvas's colours on a light page and on a dark one."""

from __future__ import annotations

from dataclasses import dataclass

from pages.parts.shared.style import is_dark


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours as ``#rrggbb``.

    Attributes:
        ink: names, and the rim of the selected node.
        paper: around names, so that they can be read across lines.
        ring: around what the conversation names.
        strong: lines of a path.
        near, usual, faint: lines, from a named one to one of many.
    """

    ink: str
    paper: str
    ring: str
    strong: str
    near: str
    usual: str
    faint: str


LIGHT = Inks("#1c2b2a", "#ffffff", "#f0b429", "#0f766e", "#52625f", "#b4c3c0", "#dbe3e1")
DARK = Inks("#e3ecea", "#101817", "#f0b429", "#2fb5a6", "#a9b9b6", "#6b817e", "#455a56")


def inks() -> Inks:
    """Those of the page as the browser shows it; a light one's until it has said."""
    return DARK if is_dark() else LIGHT
