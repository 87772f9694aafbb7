"""How ratings are worded and shown."""

from __future__ import annotations

from core.domain.conversations import Fault, Feedback, Rating
from pages.parts.shared.text import plain

FAULTS = {
    Fault.PAGE: "Wrong page",
    Fault.NUMBER: "Wrong number",
    Fault.MISSING: "Something is missing",
    Fault.MISREAD: "Question misread",
    Fault.IRRELEVANT: "Irrelevant",
    Fault.OTHER: "Something else",
}
ICONS = {Rating.UP: ":material/thumb_up:", Rating.DOWN: ":material/thumb_down:"}


def rating_words(feedback: Feedback) -> str:
    """A rating as Markdown: its thumb, what is wrong, the comment."""
    parts = [FAULTS[feedback.fault]] if feedback.fault else []
    parts += [f"“{plain(feedback.comment)}”"] if feedback.comment else []
    return f"{ICONS[feedback.rating]} {': '.join(parts)}".rstrip()
