"""The whole graph: `import-graph` and `embed-graph`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import Json, opened, plain, print_json, progress_line
from core.cli.names import known_types
from core.domain.vectors import VECTOR_INDEXES
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
