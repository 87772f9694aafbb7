"""What a medicine's own document says it must not be taken with, and what else it says of other medicines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from core.domain.documents import Hit
from core.evidence.evidence import ClauseEvidence, ToldWhole
from core.evidence.named import NamedMedicines
from core.evidence.naming.spelt import spells
from core.evidence.passages import PassageReader, Quote
from core.evidence.sources import Sources
from core.questions.leaflets.combining import of_what_not_with
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.names import medicines
from core.questions.leaflets.question_text import QuestionText
from core.text.spelling.medicines import is_medicine

_CONTRAINDICATIONS, _INTERACTIONS = "contraindications", "interactions"
_MOST_ELSEWHERE = 6
_LONGEST = 1_000  # characters of a list whose marks are lost
# Characters: in US labels whose headings are all there both are shorter.
_USUAL = {_CONTRAINDICATIONS: 2_000, _INTERACTIONS: 6_000}
_Says = Callable[[str], bool]


def asks_what_not_with(part: ClauseEvidence) -> bool:
    """Whether a clause asks for what a medicine must not be taken with."""
    clause = part.clause
    plan = clause.leaflet
    return plan is not None and bool(
        of_what_not_with(clause.text, plan, clause.sections, clause.wanted_types)
    )


def with_combined(
    part: ClauseEvidence,
    own: Iterable[Hit],
    named: NamedMedicines,
    sources: Sources,
    forbids: _Says,
) -> ClauseEvidence:
    """A clause with what documents say, whole: the contraindications that name another medicine, then the
    interactions, those that forbid first; of a document with neither what it says elsewhere.

    Args:
        own: a hit of each of the medicine's documents.
        forbids: whether a text says that something is not to be taken.

    Raises:
        StoreError: the library cannot be read.
    """
    reader = sources.passages()

    def others(text: str) -> bool:
        return _names_another(text, named, sources)

    found = (_of_document(hit, reader, others, forbids) for hit in own)
    return replace(part, combined=tuple(chain.from_iterable(found)))


def _of_document(
    hit: Hit, reader: PassageReader, others: _Says, forbids: _Says
) -> Iterator[ToldWhole]:
    whole = list(_wholes(hit, reader))
    against, further = _begun(whole, _CONTRAINDICATIONS)
    against = [one for one in against if _any(one, lambda text: others(text) or _is_taken(text))]
    beside, more = _begun(whole, _INTERACTIONS)
    if against or beside:
        beside += islice(_elsewhere([*further, *more], others, forbids), _MOST_ELSEWHERE)
    else:
        against = list(islice(_elsewhere(whole, others, forbids), _MOST_ELSEWHERE))
    beside.sort(key=lambda one: not _any(one, forbids))
    for one in (*against, *beside):
        yield ToldWhole(next((each for each in one if forbids(each.text)), one[0]), tuple(one))


def _begun(
    wholes: Sequence[list[Quote]], section: str
) -> tuple[list[list[Quote]], list[list[Quote]]]:
    """What stands in a section, as far as one is usually long, and the rest: where headings are lost a section
    goes on with what is none of it."""
    begun: list[list[Quote]] = []
    rest: list[list[Quote]] = []
    read = 0
    for one in wholes:
        if one[0].hit.chunk.section == section:
            read += sum(len(each.text) for each in one)
            (begun if read <= _USUAL[section] or not begun else rest).append(one)
    return begun, rest


def _elsewhere(
    wholes: Sequence[list[Quote]], others: _Says, forbids: _Says
) -> Iterator[list[Quote]]:
    """The sentences that forbid and name another medicine, and short lists of what is forbidden whose marks are
    lost: sentences behind one with a colon."""
    for whole in wholes:
        opens = any(forbids(one.text) and ":" in one.text for one in whole)
        if opens and _any(whole, others) and sum(len(one.text) for one in whole) <= _LONGEST:
            yield whole
        elif told := [one for one in whole if forbids(one.text) and others(one.text)]:
            yield told


def _wholes(hit: Hit, reader: PassageReader) -> Iterator[list[Quote]]:
    """The paragraphs, lists and rows of a document."""
    found: dict[object, list[Quote]] = {}
    for one in reader.telling(hit, lambda _chunk, _one: True):
        found.setdefault(one.unit, []).append(one)
    yield from found.values()


def _any(whole: Sequence[Quote], says: _Says) -> bool:
    return any(says(one.text) for one in whole)


def _names_another(text: str, named: NamedMedicines, sources: Sources) -> bool:
    """Whether a text names a medicine that is not asked about, or a kind of them."""
    question = QuestionText.of(text)
    found = [one.name for one in medicines(question, sources.names.named_in)]
    found = [one for one in found if one.ids or is_medicine(one.text.casefold())]
    ids = {key for name in named.names for key in name.ids}
    if any(not ids & set(one.ids) and not _is_own(one.text, named) for one in found):
        return True
    return question.words.pattern("partners", "medicine").search(question.text) is not None


def _is_taken(text: str) -> bool:
    return lexicon_of(text).pattern("partners", "taking").search(text) is not None


def _is_own(text: str, named: NamedMedicines) -> bool:
    return any(spells(one.text, text) or spells(text, one.text) for one in named.names)
