"""Ways through the graph: `expand` and `paths`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.cli.common import Json, described, opened, plain, print_json
from core.cli.graphs.names import find_entity, known_types
from core.domain.graph import Fact, RankedEntity
from core.graph.public import entity_to_public, paths_to_public, subgraph_to_public
from core.graph.walks import expand as expansion
from core.graph.walks.paths import MAX_PATH_HOPS, find_paths
from core.workspace import Workspace

_ASKED_FOR = "asked for"
_WIDTH = 160  # columns where nothing tells how wide the output is

Types = Annotated[
    list[str] | None, typer.Option(help="Only these types of entities, like Drug,Disease.")
]
Relations = Annotated[
    list[str] | None, typer.Option(help="Only these types of relationships, like TREATS,TARGETS.")
]


def expand(
    names: Annotated[
        list[str],
        typer.Argument(help="Ids or names of entities, as in “gout (Disease)”."),
    ],
    hops: Annotated[int, typer.Option(min=0, max=expansion.MAX_HOPS, help="How far.")] = (
        expansion.MAX_HOPS
    ),
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most entities.")] = 50,
    types: Types = None,
    relations: Relations = None,
    as_json: Json = False,
) -> None:
    """Show the surroundings of entities, the most relevant first, and the facts among them."""
    with opened(as_json, sample=True) as workspace:
        seeds = [find_entity(workspace, name)[0] for name in names]
        entity_types, relationship_types = _filters(workspace, types, relations)
        found = expansion.expand(
            workspace.graph,
            {seed.id: 1.0 for seed in seeds},
            {seed.id: _ASKED_FOR for seed in seeds},
            hops=hops,
            per_entity=workspace.settings.neighbours_per_entity,
            limit=limit,
            relationship_types=relationship_types,
            entity_types=entity_types,
        )
        if as_json:
            shown = {"seeds": [entity_to_public(seed) for seed in seeds]}
            print_json(shown | subgraph_to_public(found))
            return
        _print_table(found.entities)
        for fact in found.facts:
            typer.echo(_fact(fact))


def paths(
    source: Annotated[
        str, typer.Argument(metavar="A", help="Id or name of an entity, as in “gout (Disease)”.")
    ],
    target: Annotated[str, typer.Argument(metavar="B", help="Id or name of another.")],
    max_hops: Annotated[int, typer.Option(min=1, max=MAX_PATH_HOPS, help="Longest path.")] = (
        MAX_PATH_HOPS
    ),
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most paths.")] = 10,
    types: Types = None,
    relations: Relations = None,
    as_json: Json = False,
) -> None:
    """Show how two entities are connected, the shortest paths first."""
    with opened(as_json, sample=True) as workspace:
        first, last = find_entity(workspace, source)[0], find_entity(workspace, target)[0]
        entity_types, relationship_types = _filters(workspace, types, relations)
        found = find_paths(
            workspace.graph,
            first.id,
            last.id,
            max_hops=max_hops,
            limit=limit,
            relationship_types=relationship_types,
            entity_types=entity_types,
        )
        if as_json:
            print_json(paths_to_public(first, last, found))
            return
        for number, path in enumerate(found, start=1):
            ends = " – ".join(plain(entity.name) for entity in path.entities)
            typer.echo(f"{number}. {ends}")
            for sentence in path.words:
                typer.echo(f"     {plain(sentence)}")
        if not found:
            typer.echo(
                f"No path of at most {max_hops} hops leads from {described(first)} "
                f"to {described(last)}.",
                err=True,
            )
        if not found.complete:
            typer.echo("The search was given up: there may be better paths.", err=True)


def _filters(
    workspace: Workspace, types: Iterable[str] | None, relations: Iterable[str] | None
) -> tuple[list[str], list[str]]:
    """Entity types and relationship types that were asked for, as the graph spells them."""
    graph = workspace.graph.projection()
    return (
        known_types(types, graph.entity_types, "entity type"),
        known_types(relations, graph.relationship_types, "relationship type"),
    )


def _print_table(entities: Iterable[RankedEntity]) -> None:
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("name", overflow="fold")
    table.add_column("type")
    table.add_column("relevance", justify="right")
    table.add_column("hops", justify="right")
    table.add_column("reason", overflow="fold")
    for ranked in entities:
        entity = ranked.entity
        cells = (entity.name, entity.type, f"{ranked.relevance:.2f}", str(ranked.hops))
        table.add_row(*(Text(plain(cell)) for cell in (*cells, ranked.reason)))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH).print(table)


def _fact(fact: Fact) -> str:
    ends = plain(fact.source.name), plain(fact.target.name)
    return f"  {ends[0]} -[{plain(fact.type)}]-> {ends[1]}"
