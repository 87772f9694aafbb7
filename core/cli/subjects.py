"""What documents are about, corrected or read again: `retitle`, `reread`."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.common import (
    Json,
    Yes,
    confirm,
    described,
    opened,
    plain,
    print_json,
    progress_line,
    valid,
    words,
)
from core.documents.public import document_to_public
from core.domain.documents import Document, Kind
from core.graph.public import entity_to_public

WhichProduct = Annotated[
    int, typer.Option("--product", min=0, help="Of a file with several: 1 for the first, ...")
]


def retitle(document_id: str, title: str, product: WhichProduct = 0, as_json: Json = False) -> None:
    """Correct what a document is about, where it was read wrongly."""
    with opened(as_json, writer=True) as workspace:
        with progress_line("embedding") as tell:
            document = workspace.library.retitle(
                document_id,
                valid(title),
                product=product - 1 if product else None,
                report=lambda progress: tell(words(progress)),
            )
        named = workspace.names.entities_in(document.title)
        if as_json:
            entities = [entity_to_public(one) for one in named]
            print_json({"document": document_to_public(document), "entities": entities})
            return
        typer.echo(f"{plain(document.file)}: about “{plain(document.title)}” now.")
        for one in named:
            typer.echo(f"  names {described(one)}")
        if not named:
            typer.echo("  names nothing that the graph knows")


def reread(
    document_ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...")] = None,
    keep_names: Annotated[
        bool,
        typer.Option("--keep-names", help="Keep corrected names where their products still begin."),
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Read again, from the kept text, what documents are about, which products a file tells of and where
    sections begin.

    Without ids all that nobody corrected. Asks before a corrected name gives way.
    """
    with opened(as_json, writer=True) as workspace:
        known = [
            one.id
            for one in workspace.catalogue.documents()
            if one.kind is not Kind.ABSTRACT and not one.corrections
        ]
        for document_id in [] if keep_names else document_ids or []:
            now, _, read = workspace.library.as_read(document_id)
            if now.corrections and read != now:
                names = " and ".join(f"“{plain(one)}”" for one in now.titles)
                confirm(f"{plain(now.file)}: give {names} up?", yes, "Nothing was read again.")
        changed: list[Document] = []
        with progress_line("reading") as tell:
            for document_id in document_ids or known:
                before = workspace.catalogue.document(document_id)
                after = workspace.library.read_again(
                    document_id,
                    keep_names=keep_names,
                    report=lambda progress: tell(words(progress)),
                )
                if before is None or after.corrections != before.corrections:
                    changed.append(after)
        if as_json:
            print_json({"changed": [document_to_public(one) for one in changed]})
            return
        for one in changed:
            typer.echo(f"{plain(one.file)}: about “{plain(one.title)}” now.")
            if one.products:
                typer.echo(f"  {len(one.titles)} products told apart")
        count = len(document_ids or known)
        typer.echo(f"{len(changed)} of {count} read otherwise.")
