"""`conversation`: listed, exported, imported, asked again."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.answers.provenance.comparison import compare
from core.cli.common import Json, opened, plain, print_json
from core.conversations.exporting.exports import ExportedFile, ExportFormat
from core.conversations.exporting.json_file import MOST_BYTES, from_json_file
from core.conversations.public import session_to_public
from core.domain.serial import answer_to_public
from core.errors import Conflict, InputError
from core.workspace import Workspace

_STDOUT = Path("-")


def export(
    session: Annotated[str, typer.Argument(metavar="ID", help="Of the conversation.")],
    form: Annotated[ExportFormat, typer.Option("--format", help="Of the file.")],
    question: Annotated[
        int, typer.Option(min=0, help="Only this question, from 1; 0 for all.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(help="File to write, or - for stdout; else a new one here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a conversation, or one of its answers, as Markdown, PDF, Word or JSON."""
    with opened(as_json) as workspace:
        made = workspace.exports.written(session, form, _turn(workspace, session, question))
        if out == _STDOUT:
            sys.stdout.buffer.write(made.content)
            sys.stdout.buffer.flush()
            return
        path = _saved(made, out)
        if as_json:
            print_json({"file": str(path), "format": str(form), "bytes": len(made.content)})
        else:
            typer.echo(f"{path}: {len(made.content):,} bytes")


def rerun(
    session: Annotated[str, typer.Argument(metavar="ID", help="Of the conversation.")],
    question: Annotated[int, typer.Argument(min=1, help="Its number, from 1.")],
    as_json: Json = False,
) -> None:
    """Ask a question again as it was asked then, and tell what differs; nothing is kept."""
    with opened(as_json) as workspace:
        turn_id = _turn(workspace, session, question)
        before = workspace.conversations.history(session)[question - 1].answer
        now = workspace.chat.again(session, turn_id)
        found = compare(before, now, *workspace.catalogue.lost_sources(before.cited_files))
        if as_json:
            print_json({"answer": answer_to_public(now), "differences": asdict(found)})
            return
        typer.echo(now.text)
        lines = (*found.answer, *found.evidence, *found.since)
        typer.echo("\nThe answer and its evidence are the same." if found.same else "")
        for line in lines:
            typer.echo(f"- {plain(line)}")


def import_(
    file: Annotated[Path, typer.Argument(help="A JSON file that was exported.")],
    as_json: Json = False,
) -> None:
    """Read a conversation in that was exported as JSON."""
    with opened(as_json) as workspace:
        data = _read(file)
        was = from_json_file(data).session.id
        done = workspace.exports.read_in(data)
        session = done.session
        if as_json:
            told = {"new_id": session.id != was, "already_there": not done.new}
            print_json({**session_to_public(session), **told})
            return
        typer.echo(f"{plain(session.id)}: {session.turns} questions, {plain(session.title)}")
        if not done.new:
            typer.echo("It was there already; nothing was changed.", err=True)
        elif session.id != was:
            typer.echo("Its own id is taken, so that it has a new one.", err=True)


def _turn(workspace: Workspace, session_id: str, question: int) -> str:
    """The id of a question by its number; "" for all."""
    if not question:
        return ""
    turns = workspace.conversations.history(workspace.conversations.get(session_id).id)
    if question > len(turns):
        raise InputError(
            f"The conversation has {len(turns)} questions, and no {question}.",
            advice="Questions are counted from 1.",
            code="NO_SUCH_QUESTION",
        )
    return turns[question - 1].id


def _saved(made: ExportedFile, out: Path | None) -> Path:
    path = out or Path(made.name)
    if out is None and path.exists():
        raise Conflict(
            f"{made.name} is here already.", advice="Name a file with --out.", code="FILE_EXISTS"
        )
    try:
        path.write_bytes(made.content)
    except OSError as error:
        raise InputError(
            f"The file cannot be written ({error.strerror}).", advice="Name another with --out."
        ) from error
    return path


def _read(file: Path) -> bytes:
    """A file, no further than an import reads it."""
    try:
        with file.open("rb") as opened_file:
            return opened_file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"The file cannot be read ({error.strerror}).", advice="Check its name."
        ) from error
