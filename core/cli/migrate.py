"""`migrate`: everything from one kind of store to the other."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from core.cli.common import Json, fail, job_words, print_json, progress_line
from core.errors import MateriaError
from core.logs import configure, correlation
from core.maintenance import migrate as moving
from core.settings import load_settings


class Store(StrEnum):
    """Where graph and conversations can be."""

    SQLITE = "sqlite"
    NEO4J = "neo4j"


def migrate(
    source: Annotated[Store, typer.Option("--from", help="What is read.")],
    target: Annotated[Store, typer.Option("--to", help="What is written.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Remove from the target what the source has not.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Copy graph, conversations and saved views from one store to the other, and compare them.

    Documents too, where MATERIA_DOCUMENTS_IN_NEO4J is set. The source keeps what it has.
    """
    if source is target:
        raise typer.BadParameter("--from and --to are the same.")
    with correlation():
        try:
            settings = load_settings()
            configure(settings.root / "logs", settings.log_level)
            with moving.configured_stores(settings) as stores, progress_line("reading") as tell:
                done = moving.migrate(
                    stores[source],
                    stores[target],
                    documents=settings.documents_in_neo4j,
                    overwrite=overwrite,
                    report=lambda progress: tell(job_words(progress)),
                )
        except MateriaError as error:
            fail(error, as_json)
        else:
            _print_report(done, as_json)


def _print_report(done: moving.MigrationReport, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(done), "contents": done.contents.as_json()})
        return
    contents = done.contents
    kinds = ["entities", "relationships", "conversations", "turns", "views"]
    kinds += ["indexes", "documents", "pages", "chunks", "mentions"] if done.documents else []
    counts = ", ".join(f"{contents.total(kind):,} {kind}" for kind in kinds)
    typer.echo(
        f"{done.source} to {done.target}: {counts} in {done.seconds:.1f} s; both are the same."
    )
    if done.vectors:
        typer.echo(f"{done.vectors:,} entity vectors copied.")
    if done.vectors_left:
        typer.echo(f"{done.vectors_left:,} are out of date: run “embed-graph”.")
    if done.target == Store.SQLITE:
        typer.echo("Remove NEO4J_URI from the settings to work with it.")
