"""Medicines that a question names beside each other, and that nothing quoted names; of papers doses, too.

"Can I take ibuprofen with clarithromycin?" is not answered by what the leaflet says of aspirin, nor "hazard
ratio with 2 mg" by that of both doses together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.domain.answers import Citation, DocumentCitation
from core.domain.graph import Entity
from core.domain.leaflets.conditions import Partner
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.naming.makers import side_by_side
from core.evidence.reading.papers import is_of_paper
from core.questions.leaflets.names import is_surely_name, is_trade_name
from core.text.quantities import quantities
from core.text.stems import stem, stems
from core.text.word_lists import word_frequencies

_NO_LETTER = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W_]+")
_OF_DOSES = "mg"
_LEAST_WEIGHT = 200_000  # mg; so much is what somebody weighs
_FEWEST_LETTERS = 6  # of a name whose last letter may differ ("Methotrexat")


def unnamed(evidence: Evidence, citations: Sequence[Citation]) -> tuple[str, ...]:
    """Names, as they are written, of medicines that a clause names beside another and that no quoted passage
    names, by any of their names or by what they are ("macrolide"), and doses that no quoted passage of a paper
    has; none where the answer cites relationships.
    """
    quoted = [one for one in citations if isinstance(one, DocumentCitation)]
    if not quoted or len(quoted) < len(citations):
        return ()
    found = (
        name
        for part in evidence.clauses
        for name in (*_unnamed(part, quoted), *_doses_unsaid(part, quoted))
    )
    return tuple(dict.fromkeys(found))


def leaves_one_out(evidence: Evidence, citations: Sequence[Citation]) -> bool:
    """Whether of medicines that are held against each other one is named by no quoted passage, nor by the title
    of its document. Of a library's, each is asked about, and those are told that something is said of."""
    quoted = [one for one in citations if isinstance(one, DocumentCitation)]
    if not quoted or len(quoted) < len(citations):
        return False
    return any(
        part.clause.one_of_several and not part.clause.titled and not _names_any(part, quoted)
        for part in evidence.clauses
    )


def _names_any(part: ClauseEvidence, quoted: Sequence[DocumentCitation]) -> bool:
    plan = part.clause.leaflet
    subjects = plan.subjects if plan is not None else ()
    text = _said(part, quoted)
    return not subjects or any(_names(name, part, text) for name in subjects)


def _said(part: ClauseEvidence, quoted: Sequence[DocumentCitation]) -> str:
    """What is quoted of a clause's documents, with their titles and headings."""
    titles = {hit.document.id: hit.document.called for hit in part.hits}
    own = [one for one in quoted if one.document_id in titles]
    return " ".join(f"{titles[one.document_id]} {one.heading} {one.quote}" for one in own)


def _unnamed(part: ClauseEvidence, quoted: Sequence[DocumentCitation]) -> Iterator[str]:
    plan = part.clause.leaflet
    if plan is None or part.clause.one_of_several:
        return
    partners = [one.name for one in plan.conditions if isinstance(one, Partner) and one.taken]
    names = {one.name.casefold(): one for one in [*plan.subjects, *partners] if is_surely_name(one)}
    # A trade name beside what it contains: the product is told of by that.
    names = {
        key: one
        for key, one in names.items()
        if not is_trade_name(one)
        or not any(side_by_side(part.clause.text, one, other) for other in names.values())
    }
    if len(names) < 2:
        return
    text = _said(part, quoted)
    put = _in_their_words(part)
    for key, name in names.items() if text else ():
        if not _names(name, part, text) and not _names(put.get(key, name), part, text):
            yield name.text


def _doses_unsaid(part: ClauseEvidence, quoted: Sequence[DocumentCitation]) -> Iterator[str]:
    ids = {one.document_id for one in quoted}
    if not is_of_paper([hit for hit in part.hits if hit.document.id in ids]):
        return
    said = {one.amount for one in quantities(_said(part, quoted)) if one.unit == _OF_DOSES}
    for one in quantities(part.clause.text):
        if one.unit == _OF_DOSES and one.amount < _LEAST_WEIGHT and one.amount not in said:
            yield one.written


def _in_their_words(part: ClauseEvidence) -> dict[str, Named]:
    """The partners of a clause in the words of documents in another language ("valproaat"), by their names."""
    plan = part.reworded.leaflet if part.reworded is not None else None
    named = (one.name for one in plan.conditions if isinstance(one, Partner)) if plan else ()
    return {one.name.casefold(): one for one in named}


def _names(name: Named, part: ClauseEvidence, text: str) -> bool:
    entities = [one for one in part.clause.entities if one.id in name.ids]
    folded = _NO_LETTER.sub("", text.casefold())
    called = [name.text, *(word for one in entities for word in (one.name, *one.synonyms))]
    for one in called:
        letters = _NO_LETTER.sub("", one.casefold())
        if len(letters) >= _FEWEST_LETTERS:
            if letters[:-1] in folded:
                return True
        elif re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE):
            return True
    present = stems(text)
    return any(stem(word) in present for one in entities for word in _kind_of(one))


def _kind_of(entity: Entity) -> Iterator[str]:
    """The technical words with which the graph says what a medicine is: those that ordinary texts lack."""
    first, _, _ = entity.properties.get("description", "").partition(". ")
    ordinary = word_frequencies("en")
    for match in _WORD.finditer(first):
        if match.group().casefold() not in ordinary:
            yield match.group().casefold()
