"""What a question says is not so, and no quoted passage does.

"Which statins do not interact with warfarin?" is not answered by a list of those that do. A "not" with the verb
of taking ("must not be taken", "who should not use") asks for what forbids, and needs no such passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.domain.answers import Citation, DocumentCitation
from core.evidence.evidence import ClauseEvidence, Evidence
from core.questions.leaflets.denials import Denial, denials, denies


def denied(evidence: Evidence, citations: Sequence[Citation]) -> tuple[str, ...]:
    """The words, as they are written, with which a clause says what is not so, where neither a plan carries
    them nor a quoted passage says so too."""
    quoted = [one.quote for one in citations if isinstance(one, DocumentCitation)]
    found = (one.text for part in evidence.clauses for one in _unsaid(part, quoted))
    return tuple(dict.fromkeys(found)) if citations else ()


def _unsaid(part: ClauseEvidence, quoted: Sequence[str]) -> Iterator[Denial]:
    if part.computed is not None:
        return
    leaflet = part.clause.leaflet
    names = [one.text for one in leaflet.subjects] if leaflet is not None else []
    names += [
        word
        for one in part.clause.entities
        if one.type == "Drug"
        for word in (one.name, *one.synonyms)
    ]
    for one in denials(part.clause.text, names):
        if not any(denies(quote, one) for quote in quoted):
            yield one
