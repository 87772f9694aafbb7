"""`index create|list|show|delete` and `re-embed`."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.common import Json, Yes, confirm, opened, print_json, progress_line, words
from core.cli.library import Quotes, print_receipts, quoted_words
from core.documents.library.indexes import IndexDescription
from core.documents.public import index_to_public
from core.domain.documents import Profile

app = typer.Typer(no_args_is_help=True, help="Named indexes: create, list, show, delete.")


@app.command()
def create(
    name: str,
    profile: Annotated[
        Profile, typer.Option(help="How its documents are cut into chunks.")
    ] = Profile.LEAFLET,
    as_json: Json = False,
) -> None:
    """Create an empty index."""
    with opened(as_json, writer=True) as workspace:
        index = workspace.indexes.create(name, profile)
        if as_json:
            print_json(index_to_public(workspace.indexes.describe(name)))
            return
        typer.echo(f"{index.name}: created ({index.profile}, {index.model}).")


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the indexes."""
    with opened(as_json) as workspace:
        found = workspace.indexes.all()
        if as_json:
            print_json({"indexes": [index_to_public(description) for description in found]})
            return
        for description in found:
            typer.echo(_line(description))


@app.command()
def show(name: str, as_json: Json = False) -> None:
    """Show what an index holds."""
    with opened(as_json) as workspace:
        description = workspace.indexes.describe(name)
        if as_json:
            print_json(index_to_public(description))
            return
        typer.echo(_line(description))
        typer.echo(f"  model: {description.index.model}, dimension {description.index.dimension}")
        typer.echo(f"  pages: {description.counts.pages}, bytes: {description.counts.bytes:,}")
        typer.echo(f"  created: {description.index.created_at:%Y-%m-%d}")


def _line(description: IndexDescription) -> str:
    counts = description.counts
    vectors = "unknown" if description.vectors is None else description.vectors
    anew = "; made with another model: re-embed it" if description.needs_embedding else ""
    return (
        f"{description.index.name}  {description.index.profile}, {counts.documents} documents, "
        f"{counts.chunks} chunks, {vectors} vectors{anew}"
    )


@app.command()
def delete(name: str, quotes: Quotes = False, yes: Yes = False, as_json: Json = False) -> None:
    """Delete an index with all its documents."""
    with opened(as_json, writer=True) as workspace:
        words = quoted_words(workspace, workspace.deletion.documents_of(name))
        confirm(f"Delete the index “{name}” with all its documents?{words}", yes)
        print_receipts([workspace.deletion.index(name, quotes=quotes)], as_json)


def re_embed(name: str, as_json: Json = False) -> None:
    """Make the vectors of an index anew with the configured model."""
    with opened(as_json, writer=True) as workspace:
        with progress_line("embedding anew") as tell:
            workspace.indexes.re_embed(name, report=lambda progress: tell(words(progress)))
        description = workspace.indexes.describe(name)
        if as_json:
            print_json(index_to_public(description))
            return
        typer.echo(f"{name}: served by {description.index.model} now.")
