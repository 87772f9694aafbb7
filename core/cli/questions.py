"""`ask` and `search`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from core.cli.common import Json, opened, print_json
from core.documents.public import search_to_public
from core.documents.sections import SECTION_CODES
from core.domain.answers import Answer, DocumentCitation
from core.domain.serial import answer_to_public
from core.search.retriever import MAX_K, SearchOptions


class Mode(StrEnum):
    """Ways to search (see `SearchOptions`)."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    LEXICAL = "lexical"


def ask(
    question: str,
    session: Annotated[str, typer.Option(help="Continue this conversation.")] = "",
    as_json: Json = False,
) -> None:
    """Answer a question from the library and the graph."""
    with opened(as_json, sample=True) as workspace:
        answer = workspace.chat.answer(question, session or None)
        if as_json:
            print_json(answer_to_public(answer))
        else:
            _print_answer(answer)
        if answer.refused:
            if as_json:
                typer.echo(answer.text, err=True)
            raise typer.Exit(1)


def _print_answer(answer: Answer) -> None:
    if answer.read_as != answer.question:
        typer.echo(f"Read as: {answer.read_as}\n", err=True)
    typer.echo(answer.text, err=answer.refused)
    if answer.notice:
        typer.echo(f"\n{answer.notice}", err=True)
    for citation in answer.citations:
        if isinstance(citation, DocumentCitation):
            place = _place(citation.file, citation.page)
            where = f"{place}, {citation.heading}" if citation.heading else place
        else:
            where = f"{citation.source} -[{citation.relationship}]-> {citation.target}"
        typer.echo(f"  [{citation.n}] {where}")
    typer.echo(f"\n{answer.disclaimer}")


def _place(file: str, page: int) -> str:
    """A file and its page; a file without pages has page 0."""
    return f"{file}, p. {page}" if page else file


def _known_sections(codes: list[str] | None) -> list[str]:
    unknown = [code for code in codes or () if code not in SECTION_CODES]
    if unknown:
        raise typer.BadParameter(
            f"{unknown[0]!r} is no section; the codes are {', '.join(SECTION_CODES)}."
        )
    return codes or []


def search(
    query: str,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=MAX_K, help="Number of passages.")] = 5,
    mode: Annotated[Mode, typer.Option(help="How to search.")] = Mode.HYBRID,
    index: Annotated[
        list[str] | None, typer.Option(help="Only this index; may be repeated.")
    ] = None,
    section: Annotated[
        list[str] | None,
        typer.Option(
            callback=_known_sections,
            help="Only this section, e.g. contraindications; may be repeated.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find passages."""
    with opened(as_json, sample=True) as workspace:
        options = SearchOptions(
            tuple(index or ()), k, workspace.settings.candidates, mode, tuple(section or ())
        )
        result = workspace.retriever.search(query, options)
        if as_json:
            print_json(search_to_public(query, result))
            return
        for hit in result.hits:
            typer.echo(f"{hit.score:.2f}  {_place(hit.document.file, hit.chunk.page)}")
            typer.echo(f"      {' '.join(hit.chunk.text.split())[:200]}")
        if not result.hits:
            typer.echo("Nothing was found.", err=True)
            raise typer.Exit(1)
