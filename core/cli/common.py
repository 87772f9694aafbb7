"""What all commands share: an open workspace, JSON and errors as they are printed, progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from core.documents.library.outcomes import Progress
from core.domain.graph import Entity
from core.domain.jobs import JobProgress
from core.errors import Conflict, MateriaError, NotFound
from core.graph.namesakes import Namesake
from core.graph.public import entity_to_public, namesake_to_public
from core.logs import correlation, current_correlation_id
from core.workspace import Workspace, open_workspace

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
Tell = Callable[[str], None]


class UnknownName(NotFound):
    """A name stands for no entity, or for several.

    Args:
        candidates: those that may be meant.
        namesakes: all that are called exactly so, where there are several; `candidates` is not read then.
    """

    def __init__(
        self,
        message: str,
        *,
        advice: str,
        code: str,
        candidates: Sequence[Entity] = (),
        namesakes: Sequence[Namesake] = (),
    ) -> None:
        super().__init__(message, advice=advice, code=code)
        self.candidates = candidates
        self.namesakes = namesakes


@contextmanager
def opened(
    as_json: bool, *, writer: bool = False, sample: bool = False, beside: bool = False
) -> Iterator[Workspace]:
    """An open workspace; a MateriaError inside ends the program with exit code 1.

    Args:
        beside: only read where another process writes.
        sample: load the sample first when the library is empty and the sample is wanted.
    """
    with correlation():
        workspace = None
        try:
            try:
                workspace = open_workspace(writer=writer)
            except Conflict:
                if not beside:
                    raise
                workspace = open_workspace(writer=False)
            if sample and workspace.sample.pending and not writer:
                workspace.close()
                workspace = open_workspace(writer=True)
                with progress_line("Loading the sample library") as tell:
                    workspace.sample.load(lambda progress: tell(job_words(progress)))
            yield workspace
        except MateriaError as error:
            fail(error, as_json)
        finally:
            if workspace is not None:
                workspace.close()


def fail(error: MateriaError, as_json: bool) -> None:
    """Print an error and end the program.

    Raises:
        typer.Exit: always, with code 1.
    """
    if as_json:
        problem: dict[str, Any] = {
            "code": error.code,
            "message": error.message,
            "advice": error.advice,
            "retryable": error.retryable,
            "correlation_id": current_correlation_id(),
        }
        if isinstance(error, UnknownName):
            problem["candidates"] = [namesake_to_public(one) for one in error.namesakes] or [
                entity_to_public(one) for one in error.candidates
            ]
        print_json({"error": problem})
    typer.echo(f"{error} ({error.code})", err=True)
    if isinstance(error, UnknownName) and not as_json:
        for one in error.namesakes:
            typer.echo(f"  {described(one.entity)}: {plain(one.words)}", err=True)
    raise typer.Exit(1)


def plain(text: str) -> str:
    """Text as one printable line: names come from files, and a terminal obeys control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in valid(text)).split())


def valid(text: str) -> str:
    """Text that can be written as UTF-8: arguments may hold bytes that are none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def described(entity: Entity) -> str:
    """``Metformin (Drug, DB00331)``."""
    return f"{plain(entity.name)} ({plain(entity.type)}, {plain(entity.id)})"


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False))


@contextmanager
def progress_line(first: str) -> Iterator[Tell]:
    """A line on stderr that tells how far the work is; nothing at all without a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _words: None
        return
    with console.status(Text(first)) as status:
        yield lambda words: status.update(Text(words))


def words(progress: Progress) -> str:
    """The progress of one file or index."""
    done = f", {progress.chunks:,} of {progress.total:,} chunks" if progress.total else ""
    return f"{progress.stage}{done}"


def job_words(progress: JobProgress) -> str:
    """The progress of work on several files or records."""
    done = f", {progress.done:,} of {progress.files:,}" if progress.files else ""
    return f"{progress.stage} {progress.file}".strip() + done


def confirm(question: str, yes: bool, otherwise: str = "Nothing was deleted.") -> None:
    """Ask on a terminal before something is lost.

    Args:
        otherwise: is told where the answer is no.

    Raises:
        typer.BadParameter: there is nobody to ask, and no `yes`.
        typer.Exit: the answer is no; code 1.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise typer.BadParameter("there is no terminal to ask on: confirm with --yes.")
    if not typer.confirm(question, err=True):
        typer.echo(otherwise, err=True)
        raise typer.Exit(1)
