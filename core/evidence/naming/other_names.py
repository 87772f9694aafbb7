"""What quoted documents call the medicine that a question names otherwise: "acetaminophen" of "paracetamol"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.domain.answers import Citation, DocumentCitation
from core.evidence.evidence import ClauseEvidence, Evidence
from core.text.spelling.medicines import of_the_same

_WORD = re.compile(r"[^\W_]+")


def called_otherwise(
    evidence: Evidence, citations: Sequence[Citation]
) -> tuple[tuple[str, str], ...]:
    """Names of a question that the graph does not know and nothing quoted has, each with the name of the same
    substance that stands in its place, there or in a quoted document's title."""
    quoted = [one for one in citations if isinstance(one, DocumentCitation)]
    found = (pair for part in evidence.clauses for pair in _otherwise(part, quoted))
    return tuple(dict.fromkeys(found))


def _otherwise(
    part: ClauseEvidence, quoted: Sequence[DocumentCitation]
) -> Iterator[tuple[str, str]]:
    subjects = part.clause.leaflet.subjects if part.clause.leaflet is not None else ()
    names = [one.text for one in subjects if not one.ids]
    if not names:
        return
    titles = {hit.document.id: hit.document.called for hit in part.hits}
    own = [one for one in quoted if one.document_id in titles]
    texts = (f"{titles[one.document_id]} {one.heading} {one.quote}".casefold() for one in own)
    words = set(_WORD.findall(" ".join(texts)))
    for name in names:
        if name.casefold() not in words:
            yield from ((name, other) for other in of_the_same(name.casefold()) if other in words)
