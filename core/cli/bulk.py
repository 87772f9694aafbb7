"""`ingest --ray`: files that a cluster reads and embeds."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager

import typer

from core.cli.common import Tell, plain
from core.domain.documents import IngestResult, OnConflict
from core.maintenance.bulk.cluster import connected
from core.maintenance.bulk.ingestion import BulkIngestion
from core.maintenance.bulk.stack import StackedFile
from core.workspace import Workspace


def on_ray(
    address: str,
    workspace: Workspace,
    items: Sequence[StackedFile],
    index: str,
    on_conflict: OnConflict,
    password: str,
    tell: Tell,
) -> Generator[IngestResult]:
    """A result for each file, in the order in which they are done; closing it ends the work."""
    if not items:
        return
    tell("connecting to the Ray cluster")
    with connected(address) as cluster:
        begun, pages = time.monotonic(), 0
        tell(f"0 of {len(items):,}: {cluster.workers} workers are getting ready")

        def report(done: int, name: str) -> None:
            speed = pages / (time.monotonic() - begun)
            tell(f"{done:,} of {len(items):,}: {plain(name)}, {speed:.1f} pages a second")

        bulk = BulkIngestion(workspace.library, workspace.links)
        results = bulk.ingest(
            cluster,
            items,
            index=index,
            on_conflict=on_conflict,
            password=password,
            report=report,
        )
        with closing(results):
            for result in results:
                pages += result.pages if result.code == "OK" else 0
                yield result
        if bulk.read_here:
            typer.echo(f"{bulk.read_here} of the files were read here, by no worker.", err=True)


@contextmanager
def cancelled_plainly(done: Counter[str], on_cluster: bool) -> Iterator[None]:
    """Ctrl-C ends the program with what was reached; files that were in work are not kept.

    Raises:
        typer.Exit: it came; code 1.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not on_cluster:
            raise
        typer.echo(
            f"Cancelled: {done['ready']} files were taken in before. The same command goes on from here.",
            err=True,
        )
        raise typer.Exit(1) from None
