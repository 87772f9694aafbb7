"""Single entities: `entity` shows one, `link` finds them in a text."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.common import Json, described, opened, plain, print_json, valid
from core.cli.graphs.names import Type, find_entity, wanted_types
from core.domain.graph import Entity, Mention
from core.errors import InputError, NotFound
from core.graph.namesakes import namesakes, of_types
from core.graph.public import mentions_to_public, namesake_to_public
from core.workspace import Workspace

_NAMES_SHOWN = 8  # neighbours per relationship type in the readable form of `entity`
_STDIN = "-"


def entity(
    name: str,
    documents: Annotated[
        int, typer.Option(min=0, help="Most documents to list that mention it.")
    ] = 50,
    kind: Type = None,
    as_json: Json = False,
) -> None:
    """Show an entity of the graph: by id, name, synonym or part of a name."""
    with opened(as_json, sample=True) as workspace:
        found, others = find_entity(workspace, name, wanted_types(workspace, kind))
        related = _related(workspace, found, None if as_json else _NAMES_SHOWN)
        mentioning, more = _documents(workspace, found.id, documents)
        if as_json:
            print_json(
                {
                    **asdict(found),
                    "relationships": related,
                    "documents": mentioning,
                    "more_documents": more,
                    "others": [
                        namesake_to_public(other) for other in namesakes(workspace.graph, others)
                    ],
                }
            )
            return
        _print_entity(found, related)
        for document in mentioning:
            pages = ", ".join(map(str, document["pages"]))
            where = f", p. {pages}" if pages else ""
            typer.echo(f"  in {plain(document['file'])}: {document['mentions']} times{where}")
        if more:
            typer.echo("  and in more documents: ask for them with --documents")
        if others:
            typer.echo("Also called so:", err=True)
            for other in namesakes(workspace.graph, others):
                typer.echo(f"  {described(other.entity)}: {plain(other.words)}", err=True)


def _related(workspace: Workspace, entity: Entity, limit: int | None) -> dict[str, dict[str, Any]]:
    """Relationship type -> number, and the names at the other ends, the most important first."""
    return {
        kind: {
            "count": count,
            "names": [
                fact.target.name if fact.source.id == entity.id else fact.source.name
                for fact in workspace.graph.facts(entity.id, kind, limit)
            ],
        }
        for kind, count in workspace.graph.relationship_counts(entity.id).items()
    }


def _documents(
    workspace: Workspace, entity_id: str, limit: int
) -> tuple[list[dict[str, Any]], bool]:
    """Documents that mention an entity, with the pages; whether there are more than `limit`."""
    found = workspace.catalogue.documents_mentioning(entity_id, limit + 1)
    listed = []
    for document, count in found[:limit]:
        chunks = workspace.catalogue.chunks_mentioning(entity_id, document.id)
        pages = {chunk.page for chunk in chunks}
        listed.append(
            {
                "id": document.id,
                "file": document.file,
                "mentions": count,
                "pages": sorted(pages - {0}),
            }
        )
    return listed, len(found) > limit


def _print_entity(entity: Entity, related: dict[str, dict[str, Any]]) -> None:
    typer.echo(described(entity))
    if entity.synonyms:
        typer.echo(f"  synonyms: {', '.join(map(plain, entity.synonyms))}")
    for key, value in entity.properties.items():
        typer.echo(f"  {plain(key)}: {plain(value)}")
    for kind, facts in related.items():
        count, names = facts["count"], facts["names"]
        more = f" and {count - len(names):,} more" if count > len(names) else ""
        typer.echo(f"  {plain(kind)} ({count:,}): {', '.join(map(plain, names))}{more}")


def link(
    text: Annotated[str, typer.Argument(help="The text, or - to read standard input.")] = "",
    file: Annotated[Path | None, typer.Option(help="Read the text of this file, in UTF-8.")] = None,
    kind: Type = None,
    as_json: Json = False,
) -> None:
    """Find the entities that a text names, with their places (offsets in characters)."""
    if bool(text) == (file is not None):
        raise typer.BadParameter("give a text, - for standard input, or --file FILE.")
    with opened(as_json, sample=True) as workspace:
        whole = _text(text, file)
        mentions = workspace.names.mentions_in(whole)
        called = _called(workspace, mentions)
        mentions = _of_types(mentions, called, wanted_types(workspace, kind))
        entities = {one.id: one for all_ in called.values() for one in all_}
        others = {
            mention.text: [one for one in called[mention.text] if one.id != mention.entity_id]
            for mention in mentions
        }
        found = mentions_to_public(mentions, entities, others)
        if as_json:
            print_json(found)
            return
        for place in found["mentions"]:
            named = described(entities[place["entity"]["id"]])
            also = "; also ".join(["", *map(described, others[place["text"]])])
            typer.echo(f"{place['start']}-{place['end']}  {plain(place['text'])}  {named}{also}")
        if not found["mentions"]:
            typer.echo("The text names no entity of the graph.", err=True)


def _called(workspace: Workspace, mentions: Sequence[Mention]) -> dict[str, list[Entity]]:
    """By the words of each place, the entity that they name, then all others that are called so."""
    own = workspace.graph.entities({mention.entity_id for mention in mentions})
    found: dict[str, list[Entity]] = {}
    for mention in mentions:
        if mention.text in found:
            continue
        first = own.get(mention.entity_id)
        others = workspace.graph.entities_named(mention.text) if first is not None else []
        found[mention.text] = [
            *([first] if first is not None else []),
            *(one for one in others if one.id != mention.entity_id),
        ]
    return found


def _of_types(
    mentions: Sequence[Mention], called: Mapping[str, Sequence[Entity]], types: Collection[str]
) -> list[Mention]:
    """Mentions, each of an entity of the types where one of them is called so."""
    meant = {text: next(iter(of_types(all_, types)), None) for text, all_ in called.items()}
    return [
        replace(mention, entity_id=one.id) if (one := meant[mention.text]) is not None else mention
        for mention in mentions
    ]


def _text(text: str, file: Path | None) -> str:
    """What is to be read.

    Raises:
        NotFound: there is no such file.
        InputError: it is empty, or not UTF-8.
    """
    try:
        if file is not None:
            found = file.read_bytes().decode("utf-8")
        elif text == _STDIN:
            found = sys.stdin.buffer.read().decode("utf-8")
        else:
            found = valid(text)
    except OSError as error:
        raise NotFound(
            f"The file cannot be read ({error.strerror}).", code="FILE_NOT_FOUND"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "The text is not in UTF-8.", advice="Save it as UTF-8.", code="NOT_UTF8"
        ) from error
    if not found.strip():
        raise InputError("The text is empty.", advice="Give a text.", code="EMPTY_TEXT")
    return found
