"""Text from outside, made safe for places that read Markdown (labels, captions, titles)."""

from __future__ import annotations

import re

from core.documents.sections import section_title
from core.domain.answers import Citation, DocumentCitation

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~:$&@.\-])")


def plain(text: str) -> str:
    """`text` with every character that Markdown, LaTeX or an icon name could be made of escaped."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def short(text: str, most: int) -> str:
    """At most `most` characters, cut with an ellipsis."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def section_name(code: str, heading: str) -> str:
    """How a section is called: its standard name, or its own heading when it has no code."""
    return section_title(code) if code else heading


def citation_label(citation: Citation) -> str:
    """One line that names a citation: file, page, section; or entity, relationship, entity."""
    if isinstance(citation, DocumentCitation):
        section = section_name(citation.section, citation.heading)
        place = f"{citation.file}, p. {citation.page}"
        return f"{place}, {section}" if section else place
    verb = citation.relationship.replace("_", " ").lower()
    return f"{citation.source} · {verb} · {citation.target}"
