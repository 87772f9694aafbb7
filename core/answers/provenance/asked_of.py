"""What a question is asked of: indexes, documents, sections; checked before anything is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.documents.cutting.sections import SECTION_CODES, section_title
from core.documents.library.shelves import searched_in
from core.documents.store.library import SearchStore
from core.domain.answers import Answer
from core.domain.provenance.within import EVERYTHING, Within
from core.errors import InputError
from core.search.options import SearchOptions
from core.search.scope import present_names, resolve_scope

_MOST_FILES = 4  # that are named above an answer; an export names all
MOST_ENTITIES = 300  # as many as the explorer's canvas holds; a list of them is kept whole


def asked_of(
    library: SearchStore,
    usual: Callable[[], tuple[str, ...]],
    wider: bool,
    indexes: tuple[str, ...] | None,
    within: Within,
) -> tuple[tuple[str, ...], Within]:
    """Names of the indexes to look in, and the documents and sections, with the names of their files.

    Args:
        usual: the indexes where none are named. Documents bring their own.
        wider: all of everything but earlier versions, whatever else is said.

    Raises:
        InputError: `indexes` names none (``NO_INDEX``); no such section (``INVALID_SECTION``); too many
            entities (``TOO_MANY_ENTITIES``).
        NotFound: a document is not there (``DOCUMENT_NOT_FOUND``).
    """
    if wider:
        return searched_in(library), EVERYTHING
    if indexes is not None and not indexes:
        raise InputError(
            "No index is chosen, so that there is nothing to search.",
            advice="Choose one, or search wider.",
            code="NO_INDEX",
        )
    if indexes is not None:
        indexes = present_names(library, indexes)
    check_sections(within.sections)
    if len(within.entities) > MOST_ENTITIES:
        raise InputError(
            f"A question is asked of at most {MOST_ENTITIES} entities.",
            advice="Name fewer, or none for the whole graph.",
            code="TOO_MANY_ENTITIES",
        )
    within = replace(within, entities=tuple(dict.fromkeys(within.entities)))
    if not within.documents:
        return usual() if indexes is None else indexes, replace(within, files=())
    scope = resolve_scope(library, SearchOptions(indexes=indexes or (), documents=within.documents))
    found = [library.document(one) for one in dict.fromkeys(within.documents)]
    known = [one for one in found if one is not None]
    narrowed = Within(
        tuple(one.id for one in known),
        tuple(one.file for one in known),
        within.sections,
        within.entities,
        within.products,
    )
    return tuple(index.name for index in scope.indexes) or (indexes or usual()), narrowed


def check_sections(codes: tuple[str, ...]) -> None:
    """Refuse a section that is none.

    Raises:
        InputError: ``INVALID_SECTION``.
    """
    unknown = [code for code in codes if code not in SECTION_CODES]
    if unknown:
        raise InputError(
            f"“{unknown[0][:80]}” is no section.",
            advice=f"The codes are {', '.join(SECTION_CODES)}.",
            code="INVALID_SECTION",
        )


def within_line(answer: Answer) -> str:
    """``in: Metformin.pdf, Contraindications``, the first files by name; nothing where all was searched."""
    sections = [section_title(code) for code in answer.within.sections]
    return answer.within.said(sections, _MOST_FILES)
