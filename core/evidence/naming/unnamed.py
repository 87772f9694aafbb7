"""Medicines that a question names beside each other, and that nothing quoted names; of papers doses, times and
ages, too.

"Can I take ibuprofen with clarithromycin?" is not answered by what the leaflet says of aspirin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from core.domain.answers import Citation, DocumentCitation
from core.domain.graph import Entity
from core.domain.leaflets.conditions import Partner
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.naming.makers import side_by_side
from core.evidence.naming.of_papers import unsaid_of
from core.evidence.reading.papers import papers_in
from core.questions.leaflets.names import is_surely_name, is_trade_name
from core.text.spelling.greek import spelt_out
from core.text.spelling.medicines import of_the_same
from core.text.stems import stem, stems
from core.text.word_lists import word_frequencies

_NO_LETTER = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W_]+")
_FEWEST_LETTERS = 6  # of a name whose last letter may differ ("Methotrexat")


def unnamed(evidence: Evidence, citations: Sequence[Citation]) -> tuple[str, ...]:
    """Names, as they are written, of medicines that a clause names beside another and that no quoted passage
    names, by any of their names or by what they are ("macrolide"), and doses, times and ages that no quoted
    passage of a paper has; none where the answer cites relationships.
    """
    quoted = [one for one in citations if isinstance(one, DocumentCitation)]
    if not quoted or len(quoted) < len(citations):
        return ()
    found = (
        name
        for part in evidence.clauses
        for name in (*_unnamed(part, quoted), *_unsaid_of_paper(part, quoted))
    )
    return tuple(dict.fromkeys(found))


def leaves_one_out(evidence: Evidence, citations: Sequence[Citation]) -> bool:
    """Whether of medicines that are held against each other one is named by no quoted passage, nor by the title
    of its document. Of a library's, each is asked about, and those are told that something is said of."""
    quoted = [one for one in citations if isinstance(one, DocumentCitation)]
    if not quoted or len(quoted) < len(citations):
        return False
    held = [part for part in evidence.clauses if part.clause.one_of_several]
    shared = frozenset.intersection(*map(_keys, held)) if len(held) > 1 else frozenset()
    return any(not part.clause.titled and not _names_any(part, quoted, shared) for part in held)


def for_another_illness(
    evidence: Evidence, citations: Sequence[Citation]
) -> dict[str, DocumentCitation]:
    """The illnesses for which a dose is asked and of which a document that is quoted, on the medicine, has no
    word, each with the first such citation."""
    quoted = [one for one in citations if isinstance(one, DocumentCitation)]
    found: dict[str, DocumentCitation] = {}
    for part in evidence.clauses:
        for name, silent in part.unsaid.items():
            for one in quoted:
                if one.document_id in silent:
                    found.setdefault(name, one)
    return found


def is_called_so(part: ClauseEvidence, name: Named) -> bool:
    """Whether a document that was found for a clause is called by a name or another of the same medicine, even
    in several words ("Dimethylfumarat")."""
    return _names(name, part, " ".join(part.called(hit.document) for hit in part.hits))


def _keys(part: ClauseEvidence) -> frozenset[str]:
    plan = part.clause.leaflet
    return frozenset(one.name.casefold() for one in plan.subjects) if plan else frozenset()


def _names_any(part: ClauseEvidence, quoted: Sequence[DocumentCitation], shared: Set[str]) -> bool:
    """Whether a quoted passage names what a clause is about and not each of them is ("in Crohn's")."""
    plan = part.clause.leaflet
    subjects = plan.subjects if plan is not None else ()
    own = [one for one in subjects if one.name.casefold() not in shared]
    text = _said(part, quoted)
    return not own or any(_names(name, part, text) for name in own)


def _said(part: ClauseEvidence, quoted: Sequence[DocumentCitation]) -> str:
    """What is quoted of a clause's documents, with their titles and headings."""
    titles = {hit.document.id: part.called(hit.document) for hit in part.hits}
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


def _unsaid_of_paper(part: ClauseEvidence, quoted: Sequence[DocumentCitation]) -> Iterator[str]:
    ids = {one.document_id for one in quoted}
    if not papers_in(part.hits).isdisjoint(ids):
        yield from unsaid_of(part.clause.leaflet, part.clause.text, _said(part, quoted))


def _in_their_words(part: ClauseEvidence) -> dict[str, Named]:
    """The partners of a clause in the words of documents in another language ("valproaat"), by their names."""
    plan = part.reworded.leaflet if part.reworded is not None else None
    named = (one.name for one in plan.conditions if isinstance(one, Partner)) if plan else ()
    return {one.name.casefold(): one for one in named}


def _names(name: Named, part: ClauseEvidence, text: str) -> bool:
    entities = [one for one in part.clause.entities if one.id in name.ids]
    folded = _NO_LETTER.sub("", spelt_out(text.casefold()))
    same = of_the_same(name.text.casefold())
    called = [name.text, *same, *(word for one in entities for word in (one.name, *one.synonyms))]
    for one in called:
        letters = _NO_LETTER.sub("", spelt_out(one.casefold()))
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
