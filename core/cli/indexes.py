"""`index create|list|show|delete|rename|move` and `re-embed`."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.common import Json, Yes, confirm, opened, print_json, progress_line, words
from core.cli.library import Quotes, print_receipts, quoted_words
from core.documents.library.indexes import IndexDescription
from core.documents.moving.relocation import Relocation
from core.documents.public import index_to_public, result_to_public
from core.domain.documents import Profile

app = typer.Typer(
    no_args_is_help=True,
    help="Named indexes, and documents moved between them.",
)


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
    anew = "; with a model of its own" if description.needs_embedding else ""
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


@app.command()
def rename(name: str, new_name: str, as_json: Json = False) -> None:
    """Call an index otherwise; what still asks for the old name gets it."""
    with opened(as_json, writer=True) as workspace:
        with progress_line("renaming") as tell:
            workspace.indexes.rename(name, new_name, report=lambda progress: tell(words(progress)))
        if as_json:
            print_json(index_to_public(workspace.indexes.describe(new_name)))
            return
        typer.echo(f"{name}: called {new_name} now.")


@app.command()
def move(
    document_ids: Annotated[list[str], typer.Argument(help="Ids, as `documents` lists them.")],
    to: Annotated[str, typer.Option(help="The index that they go to.")],
    copy: Annotated[
        bool, typer.Option("--copy", help="Let them stay where they are, too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Move documents to an index, or copy them."""
    with opened(as_json, writer=True) as workspace:
        relocation = Relocation(workspace.library)
        relocation.check(document_ids, to)
        work = relocation.copy if copy else relocation.move
        with progress_line("moving") as tell:
            results = [
                work(one, to, report=lambda progress: tell(words(progress))) for one in document_ids
            ]
        if as_json:
            print_json({"documents": [result_to_public(result) for result in results]})
        else:
            for result in results:
                typer.echo(f"{result.file}: {result.message}")
    if any(result.state != "ready" for result in results):
        raise typer.Exit(1)


def re_embed(
    name: str,
    model: Annotated[
        str, typer.Option(help="The embedding model that it is to have; else the configured one.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Make the vectors of an index anew."""
    with opened(as_json, writer=True) as workspace:
        with progress_line("embedding anew") as tell:
            workspace.indexes.re_embed(name, model, report=lambda progress: tell(words(progress)))
        description = workspace.indexes.describe(name)
        if as_json:
            print_json(index_to_public(description))
            return
        typer.echo(f"{name}: served by {description.index.model} now.")
