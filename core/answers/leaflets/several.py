"""What is said of an answer where several leaflets of the library are on the medicine asked about: how many,
which are quoted, and where what they say differs in numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from core.answers.leaflets.on_medicine import leaflets_of
from core.checking.amounts import is_dose
from core.documents.cutting.issued import issued
from core.domain.answers import Answer, Block, DocumentCitation, Leaflet
from core.domain.documents import Document
from core.domain.evidence.notices import joined
from core.domain.leaflets.conditions import AgeGroup, DocumentCondition, PatientGroup
from core.evidence.evidence import Evidence
from core.evidence.patients.conditions import of_patients
from core.evidence.relevance import Relevance
from core.evidence.sources import Sources
from core.questions.leaflets.reader import conditions_told
from core.text.quantities import quantities

_MOST_NAMED = 4  # leaflets or amounts in one sentence
_EVERYBODY = PatientGroup(AgeGroup.ADULT)
_Of: TypeAlias = tuple[str, frozenset[DocumentCondition]]  # unit and patients


def with_leaflets(
    answer: Answer, evidence: Evidence, sources: Sources, relevance: Relevance
) -> Answer:
    """An answer with the leaflets on its medicine, where there are several, and what is said of them.

    Raises:
        StoreError: the library cannot be read.
    """
    if answer.refused:
        return answer
    medicine, found = leaflets_of(evidence, sources, relevance)
    on_it = leaflets(answer, found, lambda one: _text_of(one, sources))
    if not any(one.told for one in on_it):
        return answer
    answer = replace(answer, leaflets=on_it)
    return replace(answer, notice=joined((told_of_several(answer, medicine), answer.notice)))


def _text_of(document: Document, sources: Sources) -> str:
    chunks = sources.library.document_chunks(document.id)
    return _folded(" ".join(one.text for one in chunks if document.tells(one)))


def _folded(text: str) -> str:
    return " ".join(text.split())


def leaflets(
    answer: Answer, found: Sequence[Document], text_of: Callable[[Document], str]
) -> tuple[Leaflet, ...]:
    """The leaflets of an answer, those that it quotes first.

    Args:
        text_of: what a document says, white space folded.
    """
    decisive = [_folded(one.text) for one in answer.sentences if one.decisive]
    told = {block_of(block) for block in answer.blocks}
    cited = {one.document_id for one in answer.citations if isinstance(one, DocumentCitation)}
    products = {
        (one.document_id, one.product)
        for one in answer.citations
        if isinstance(one, DocumentCitation)
    }
    made = [
        Leaflet(
            one.id,
            one.title,
            one.file,
            issued(one.metadata),
            one.subject in told
            or (
                not told
                and one.id in cited
                and (one.id, one.title if one.products else "") in products
            ),
        )
        for one in found
    ]
    same = {
        one.subject
        for one, leaflet in zip(found, made, strict=True)
        if not leaflet.told and decisive and all(text in text_of(one) for text in decisive)
    }
    made = [replace(one, same=(one.document_id, one.subject) in same) for one in made]
    return tuple(sorted(made, key=lambda one: not one.told))


def block_of(block: Block) -> tuple[str, str]:
    """Which product of which file a block is quoted from, as `Document.subject` has it."""
    return (block.document_id, block.subject)


def told_of_several(answer: Answer, medicine: str) -> str:
    """What stands above an answer: how many leaflets there are, which it is from, where they differ; ""
    where all are quoted and do not.

    Args:
        medicine: as the question names it.
    """
    told = [one for one in answer.leaflets if one.told]
    differing = _differing(answer, told)
    text = f"{len(answer.leaflets)} leaflets in the library are on {medicine}"
    if len(told) < len(answer.leaflets):
        text += f"; this is from {_listed([_called(one) for one in told])}"
        if same := [_called(one) for one in answer.leaflets if one.same]:
            text += f"; {_listed(same)} {'says' if len(same) == 1 else 'say'} the same"
        return f"{text}; their numbers differ: {differing}." if differing else f"{text}."
    return f"{text}, and their numbers differ: {differing}." if differing else ""


def _differing(answer: Answer, told: Sequence[Leaflet]) -> str:
    """The amounts of each leaflet, where two that are quoted have other ones of the same unit for the same
    patients: those of a child and of an adult are meant to differ."""
    decisive: dict[tuple[str, str], list[str]] = {}
    blocks = {block.n: block for block in answer.blocks if not block.boxed_warning}
    for one in answer.sentences:
        if one.decisive and (block := blocks.get(one.block)) is not None:
            key = block_of(block)
            decisive.setdefault(key, []).append(one.text.removeprefix(block.subject))
    amounts = [
        (one, dict(_amounts(decisive.get((one.document_id, one.subject), ())))) for one in told
    ]
    compared = {of for _, found in amounts for of, _ in found}
    for each in sorted(compared, key=lambda of: (of[0], sorted(map(str, of[1])))):
        having = [
            (one, {amount: words for (of, amount), words in found.items() if of == each})
            for one, found in amounts
        ]
        having = [(one, found) for one, found in having if found]
        if len({frozenset(found) for _, found in having}) > 1:
            return "; ".join(
                f"{_called(one)}: {_listed(list(found.values()))}"
                for one, found in having[:_MOST_NAMED]
            )
    return ""


def _amounts(texts: Iterable[str]) -> Iterator[tuple[tuple[_Of, Fraction], str]]:
    """Unit, patients and amount of each dose or share of sentences, with its words; a clearance is none."""
    for text in texts:
        patients = frozenset(
            one
            for found in of_patients(conditions_told(text)).values()
            for one in found
            if one != _EVERYBODY
        )
        for one in quantities(text):
            if one.unit and not one.loose and one.period != "minute" and is_dose(one):
                yield ((one.unit, patients), one.amount), one.written.strip()


def _called(one: Leaflet) -> str:
    """A leaflet as a sentence names it."""
    behind = ", ".join(filter(None, (one.file, one.issued)))
    return f"“{one.subject}” ({behind})"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        shown.append(f"{len(names) - _MOST_NAMED} more")
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
