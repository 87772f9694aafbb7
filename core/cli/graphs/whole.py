"""The whole graph: `import-graph` and `embed-graph`; `view`: saved views of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import Json, Yes, confirm, opened, plain, print_json, progress_line
from core.cli.graphs.names import known_types
from core.domain.explored.views import SavedView
from core.domain.vectors import VECTOR_INDEXES
from core.graph.views.public import opened_to_public, saved_to_public
from core.maintenance.graph_tasks import embed_words, import_words

_COUNTED = "{:,} of {:,}"


def import_graph(
    folder: Path,
    remove_missing: Annotated[
        bool,
        typer.Option("--remove-missing", help="Remove what the graph has and the folder has not."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Import a graph: nodes.csv and relationships.csv, PrimeKG's files, or Hetionet's."""
    with opened(as_json, writer=True) as workspace:
        with progress_line("reading") as tell:
            report = workspace.graph_tasks.import_folder(
                folder,
                remove_missing=remove_missing,
                report=lambda stage, share: tell(f"{stage}, {share:.0%}"),
            )
        if as_json:
            print_json(asdict(report))
            return
        typer.echo(import_words(report))
        typer.echo(
            f"  entities: {report.entities_added:,} added, {report.entities_updated:,} updated, "
            f"{report.entities_removed:,} removed; relationships: {report.relationships_added:,} "
            f"added, {report.relationships_removed:,} removed."
        )
        for problem in report.problems:
            typer.echo(f"  {plain(problem)}", err=True)
        if report.skipped > len(report.problems):
            typer.echo(f"  and {report.skipped - len(report.problems):,} more", err=True)


def embed_graph(
    types: Annotated[
        list[str] | None, typer.Option(help="Only these types of entities, like Drug,Disease.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the vectors of entities whose text or model changed; the others stay."""
    with opened(as_json, writer=True) as workspace:
        chosen = known_types(types, VECTOR_INDEXES, "embedded type")
        with progress_line("embedding entities") as tell:
            report = workspace.graph_tasks.embed(
                types=chosen or tuple(VECTOR_INDEXES),
                report=lambda done, total: tell(
                    f"embedding entities, {_COUNTED.format(done, total)}"
                ),
            )
        if as_json:
            print_json(asdict(report))
        else:
            typer.echo(embed_words(report))
        if report.failed:
            typer.echo(
                f"{report.failed:,} entities have no vector. Run “embed-graph” again.", err=True
            )
            raise typer.Exit(1)


views = typer.Typer(no_args_is_help=True, help="Saved views of the graph.")


@views.command("list")
def list_views(as_json: Json = False) -> None:
    """List saved views by name."""
    with opened(as_json) as workspace:
        found = workspace.views.list()
        if as_json:
            print_json({"views": [saved_to_public(one) for one in found]})
            return
        for one in found:
            typer.echo(_view_line(one))


@views.command("show")
def show_view(view_id: str, as_json: Json = False) -> None:
    """Print a saved view: the entities that it shows, those that are gone left out."""
    with opened(as_json) as workspace:
        saved = workspace.views.get(view_id)
        left = workspace.views.opened(saved.view)
        if as_json:
            print_json(opened_to_public(saved, left))
            return
        typer.echo(_view_line(saved))
        if left.gone:
            typer.echo(f"  {left.gone:,} of them are no longer in the graph.")
        for entity in workspace.graph.entities(left.view.shown).values():
            typer.echo(f"  {plain(entity.id)}  {plain(entity.name)} ({plain(entity.type)})")


@views.command("delete")
def delete_view(view_id: str, yes: Yes = False) -> None:
    """Delete a saved view; the graph itself stays."""
    with opened(False) as workspace:
        saved = workspace.views.get(view_id)
        confirm(f"Delete the view “{plain(saved.name)}”?", yes)
        workspace.views.delete(saved.id)
        typer.echo("Deleted.")


def _view_line(saved: SavedView) -> str:
    count = len(saved.view.shown)
    return (
        f"{saved.id}  {plain(saved.name)}, {count:,} entit{'y' if count == 1 else 'ies'}, "
        f"{saved.updated_at:%Y-%m-%d}"
    )
