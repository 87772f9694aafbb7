"""Text from outside, made safe for places that read Markdown (labels, captions, titles)."""

from __future__ import annotations

import re

from core.documents.cutting.sections import section_title
from core.domain.answers import Citation, DocumentCitation

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~:$&@.\-])")


def plain(text: str) -> str:
    """`text` with every character that Markdown, LaTeX or an icon name could be made of escaped."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def short(text: str, most: int) -> str:
    """At most `most` characters, cut with an ellipsis."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def page_label(page: int) -> str:
    """``p. 3``; nothing for text that has no pages."""
    return f"p. {page}" if page else ""


def counted(number: int, thing: str) -> str:
    """``1 page``, ``1,204 pages``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def file_size(size: int) -> str:
    """Bytes as ``9.3 kB``, ``1.9 MB`` or ``2.10 GB``."""
    if size < 1e6:
        return f"{size / 1e3:,.1f} kB"
    return f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.2f} GB"


def duration(seconds: float) -> str:
    """A length of time as one says it: ``0.4 s``, ``12 s``, ``3 min``, ``1 h 20 min``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def section_name(code: str, heading: str) -> str:
    """How a section is called: its standard name, or its own heading when it has no code."""
    return section_title(code) if code else heading


def citation_label(citation: Citation) -> str:
    """One line that names a citation: file, page, section; or entity, relationship, entity."""
    if isinstance(citation, DocumentCitation):
        section = section_name(citation.section, citation.heading)
        return f"{citation.place}, {section}" if section else citation.place
    verb = citation.relationship.replace("_", " ").lower()
    return f"{citation.source} · {verb} · {citation.target}"
