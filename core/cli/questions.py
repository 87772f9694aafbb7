"""`ask` and `search`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from core.answers.prompts import CLOSEST
from core.answers.provenance.asked_of import within_line
from core.cli.common import Json, opened, print_json
from core.documents.cutting.sections import SECTION_CODES
from core.documents.public import search_to_public
from core.domain.answers import Answer, DocumentCitation, Sentence, State
from core.domain.documents import SearchResult
from core.domain.plans import Correction
from core.domain.provenance.within import Within
from core.domain.serial import answer_to_public, plan_from_public
from core.search.options import MAX_K, SearchOptions, read_day
from core.suggestions.candidates import to_public

Indexes = Annotated[
    list[str] | None, typer.Option("--index", help="Only this index; may be repeated.")
]


def _known_sections(codes: list[str] | None) -> list[str]:
    unknown = [code for code in codes or () if code not in SECTION_CODES]
    if unknown:
        raise typer.BadParameter(
            f"{unknown[0]!r} is no section; the codes are {', '.join(SECTION_CODES)}."
        )
    return codes or []


Documents = Annotated[
    list[str] | None,
    typer.Option("--document", help="Only the document of this id; may be repeated."),
]
Sections = Annotated[
    list[str] | None,
    typer.Option(
        "--section",
        callback=_known_sections,
        help="Only this section, e.g. contraindications; may be repeated.",
    ),
]


class Mode(StrEnum):
    """Ways to search (see `SearchOptions`)."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    LEXICAL = "lexical"
    EXACT = "exact"


def ask(
    question: str,
    session: Annotated[str, typer.Option(help="Continue this conversation.")] = "",
    index: Indexes = None,
    document: Documents = None,
    section: Sections = None,
    entity: Annotated[
        list[str] | None, typer.Option(help="Ask of these entities alone, by id; may be repeated.")
    ] = None,
    product: Annotated[
        list[str] | None,
        typer.Option(
            help="Where something is asked of each: only the product of this title; may be repeated."
        ),
    ] = None,
    wider: Annotated[
        bool, typer.Option("--wider", help="Look in all indexes and all sections.")
    ] = False,
    plan: Annotated[
        Path | None,
        typer.Option(
            help="A JSON file with a plan of an answer to this question, corrected: it is carried out."
        ),
    ] = None,
    plan_number: Annotated[
        int, typer.Option(min=1, help="Which of the answer's plans that takes the place of.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Answer a question from the library and the graph."""
    correction = _correction(plan, plan_number)
    with opened(as_json, sample=True) as workspace:
        answer = workspace.chat.answer(
            question,
            session or None,
            wider=wider,
            indexes=tuple(index) if index else None,
            within=Within(
                tuple(document or ()),
                sections=tuple(section or ()),
                entities=tuple(entity or ()),
                products=tuple(product or ()),
            ),
            correction=correction,
        )
        if as_json:
            turns = workspace.conversations.history(answer.session)
            follow_ups = workspace.suggestions.follow_ups(turns).result() if turns else ()
            print_json({**answer_to_public(answer), "follow_ups": to_public(follow_ups)})
        else:
            _print_answer(answer)
        if answer.refused:
            if as_json:
                typer.echo(answer.text, err=True)
            raise typer.Exit(1)


def _correction(file: Path | None, number: int) -> Correction | None:
    if file is None:
        return None
    try:
        return Correction(plan_from_public(json.loads(file.read_text("utf-8"))), number=number - 1)
    except (OSError, ValueError):
        raise typer.BadParameter(
            "it holds no plan. Take `plan` of an answer with --json and change it.",
            param_hint="--plan",
        ) from None


def _print_answer(answer: Answer) -> None:
    if answer.read_as != answer.question:
        typer.echo(f"Read as: {answer.read_as}\n", err=True)
    if answer.within:
        typer.echo(f"Asked {within_line(answer)}\n", err=True)
    if answer.state is State.MAY_NOT_ANSWER:
        typer.echo(f"{CLOSEST}\n")
    typer.echo(_told(answer), err=answer.refused)
    if answer.notice:
        typer.echo(f"\n{answer.notice}", err=True)
    if answer.unasked:
        typer.echo(f"\nThe others are asked with: {_options_for(answer.unasked)}", err=True)
    if answer.failure:
        typer.echo(f"{answer.failure.advice} ({answer.failure.code})", err=True)
    for suggestion in answer.suggestions:
        typer.echo(f"- {suggestion}", err=True)
    for citation in answer.citations:
        if isinstance(citation, DocumentCitation):
            place = _place(citation.file, citation.page)
            where = f"{place}, {citation.heading}" if citation.heading else place
        else:
            where = f"{citation.source} -[{citation.relationship}]-> {citation.target}"
        typer.echo(f"  [{citation.n}] {where}")
    if answer.confidence is not None:
        low = "Low confidence" if answer.state is State.MAY_NOT_ANSWER else "Confidence"
        typer.echo(
            f"\n{low} {answer.confidence:.2f}: about {100 * answer.confidence:.0f} of 100 such "
            "answers cite a right page or relationship."
        )
    typer.echo(f"\n{answer.disclaimer}")


def _options_for(rest: Within) -> str:
    """The options of `ask` that ask the same of what was not asked."""
    options = [("--document", one) for one in rest.documents]
    options += [("--section", one) for one in rest.sections]
    options += [("--product", one) for one in rest.products]
    return shlex.join(part for option in options for part in option)


def _told(answer: Answer) -> str:
    """The answer, what is quoted in its blocks: under subject and place, what decides marked with ">"."""
    blocks = {block.n: block for block in answer.blocks}
    paragraphs = []
    for number, members in groupby(answer.sentences, key=lambda one: one.block):
        block, sentences = blocks.get(number), list(members)
        if block is None:
            paragraphs.append(" ".join(one.marked for one in sentences))
            continue
        where = ", ".join(filter(None, (block.place, block.heading, block.under)))
        lines = [line for one in sentences for line in _lines(one)]
        kind = "Boxed warning: " if block.boxed_warning else ""
        kind = "Less certain: " if block.less_certain else kind
        paragraphs.append("\n".join([f"{kind}{block.subject} ({where})", *lines]))
    return "\n\n".join(paragraphs)


def _lines(one: Sentence) -> Iterator[str]:
    """A quoted sentence; a list with a line for each item."""
    sign = ">" if one.decisive else " "
    if not one.items:
        yield f"{sign} {one.marked}"
        return
    whose = " (for other patients)" if one.others else ""
    yield f"{sign} {one.text[: one.items[0][0]].rstrip()}{whose} {one.marks}"
    for begin, end in one.items:
        yield f"    - {one.text[begin:end]}"


def _place(file: str, page: int) -> str:
    """A file and its page; a file without pages has page 0."""
    return f"{file}, p. {page}" if page else file


def search(
    query: str,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=MAX_K, help="Number of passages.")] = 5,
    mode: Annotated[Mode, typer.Option(help="How to search.")] = Mode.HYBRID,
    index: Indexes = None,
    document: Documents = None,
    section: Sections = None,
    since: Annotated[
        str, typer.Option(help="Only documents of this day or later, like 2024-12-31.")
    ] = "",
    until: Annotated[str, typer.Option(help="Only documents of this day or earlier.")] = "",
    diverse: Annotated[
        bool, typer.Option(help="Show passages that differ, the same words only once.")
    ] = True,
    rerank: Annotated[bool, typer.Option(help="Use the reranker, where one is set.")] = True,
    as_json: Json = False,
) -> None:
    """Find passages; phrases in quotation marks must stand in them."""
    with opened(as_json, sample=True) as workspace:
        options = SearchOptions(
            indexes=tuple(index or ()),
            k=k,
            candidates=workspace.settings.candidates,
            mode=mode,
            sections=tuple(section or ()),
            documents=tuple(document or ()),
            since=read_day(since),
            until=read_day(until),
            diverse=diverse,
            rerank=rerank,
        )
        result = workspace.retriever.search(query, options)
        if as_json:
            print_json(search_to_public(query, result))
            return
        _print_hits(result)


def _print_hits(result: SearchResult) -> None:
    if result.notice:
        typer.echo(result.notice, err=True)
    for hit in result.hits:
        more = f"  (the same words in {hit.copies} more)" if hit.copies else ""
        typer.echo(f"{hit.score:.2f}  {_place(hit.document.file, hit.chunk.page)}{more}")
        typer.echo(f"      {' '.join(hit.chunk.text.split())[:200]}")
    if not result.hits:
        typer.echo("Nothing was found.", err=True)
        raise typer.Exit(1)
