"""`import-graph` and `entity`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import typer

from core.cli.common import Json, opened, print_json
from core.domain.graph import Entity
from core.errors import InputError, NotFound
from core.workspace import Workspace

_NAMES_SHOWN = 8  # neighbours per relationship type in the readable form of `entity`


def import_graph(folder: Path, as_json: Json = False) -> None:
    """Import a graph: nodes.csv and relationships.csv, or PrimeKG's kg.csv."""
    with opened(as_json, writer=True) as workspace:
        report = workspace.import_graph(folder)
        if as_json:
            print_json(asdict(report))
            return
        typer.echo(
            f"{report.entities:,} entities and {report.relationships:,} relationships "
            f"in {report.seconds:.1f} s; {report.skipped} rows left out."
        )
        for problem in report.problems:
            typer.echo(f"  {problem}", err=True)


def entity(name: str, as_json: Json = False) -> None:
    """Show an entity of the graph: by id, name, synonym or part of a name."""
    with opened(as_json, sample=True) as workspace:
        found = _find_entity(workspace, name)
        related = {
            kind: [
                fact.target.name if fact.source.id == found.id else fact.source.name
                for fact in workspace.graph.facts(found.id, kind)
            ]
            for kind in workspace.graph.relationship_counts(found.id)
        }
        if as_json:
            print_json(
                {
                    **asdict(found),
                    "relationships": {
                        kind: {"count": len(names), "names": names}
                        for kind, names in related.items()
                    },
                }
            )
            return
        typer.echo(f"{found.name} ({found.type}, {found.id})")
        for key, value in found.properties.items():
            typer.echo(f"  {key}: {value}")
        for kind, names in related.items():
            more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            typer.echo(f"  {kind} ({len(names)}): {', '.join(names[:_NAMES_SHOWN])}{more}")


def _find_entity(workspace: Workspace, name: str) -> Entity:
    if not name.strip():
        raise InputError("The name is empty.", advice="Give a name or an id.", code="EMPTY_NAME")
    by_id = workspace.graph.entity(name)
    candidates = [by_id] if by_id else workspace.graph.entities_named(name)
    candidates = candidates or workspace.graph.search_entities(name, limit=1)
    if not candidates:
        raise NotFound(
            f"The graph has no entity named “{name[:80]}”.",
            advice="Check the spelling, or search a part of the name.",
            code="ENTITY_NOT_FOUND",
        )
    return candidates[0]
