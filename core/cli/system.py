"""`backup`, `restore`, `settings`: what one needs in trouble, and before."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import Json, Yes, confirm, fail, opened, plain, print_json, progress_line
from core.errors import Conflict, MateriaError
from core.logs import configure, correlation
from core.maintenance.backup.manifest import Manifest
from core.maintenance.backup.restoring import read_backup, stage
from core.maintenance.backup.writing import write_backup
from core.maintenance.state.setting_sources import inspect_settings
from core.settings import load_settings
from core.workspace import Workspace, open_workspace
from core.writer_lock import take_lock


def backup(
    file: Annotated[Path, typer.Argument(help="Where to; it must not be there yet.")],
    as_json: Json = False,
) -> None:
    """Write everything that cannot be made again to one file; also while the dashboard runs."""
    with opened(as_json) as workspace, progress_line("copying") as tell:
        if file.exists():
            raise Conflict(
                "There is a file of that name.", advice="Choose another.", code="FILE_EXISTS"
            )
        made = write_backup(
            workspace, file, lambda stage, done, whole: tell(_words(stage, done, whole))
        )
    if as_json:
        print_json({"file": str(file), "bytes": file.stat().st_size, **_public(made)})
        return
    typer.echo(f"{file.name}: {made.words}; {file.stat().st_size:,} bytes, read back and checked.")
    typer.echo(f"Not in it: {'; '.join(made.left_out)}.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `backup` made.")],
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of everything in the data folder, which no dashboard may use meanwhile.

    It is checked, unpacked beside the present folder and verified before anything is replaced.
    """
    with correlation():
        try:
            settings = load_settings()
            configure(settings.root / "logs", settings.log_level)
            made = read_backup(file)
            if (settings.root / "materia.db").exists():
                confirm(
                    f"The backup of {made.made_at} ({made.words}) takes the place of everything here. Go on?",
                    yes,
                )
            with take_lock(settings.root), progress_line("checking") as tell:
                stage(
                    settings,
                    file,
                    Workspace,
                    lambda what, done, whole: tell(_words(what, done, whole)),
                )
            with closing(open_workspace(settings)):  # which lets it take its place
                pass
        except MateriaError as error:
            fail(error, as_json)
    if as_json:
        print_json(_public(made))
        return
    typer.echo(f"Restored: {made.words}, as of {made.made_at}; verified.")
    if settings.uses_neo4j:
        typer.echo(
            "Neo4j is unchanged. To bring the graph and the conversations there: "
            "migrate --from sqlite --to neo4j --overwrite"
        )


def settings(
    search: Annotated[str, typer.Argument(help="A part of a name, value or meaning.")] = "",
    as_json: Json = False,
) -> None:
    """List every setting with its value and where it comes from; of keys only whether they are set.

    Exit code 1 where a value is wrong or a name unknown.
    """
    report = inspect_settings()
    rows = [row for row in report.rows if row.fits(search)]
    if as_json:
        print_json({"settings": [asdict(row) for row in rows], "unknown": list(report.unknown)})
    else:
        for row in rows:
            problem = f"  WRONG: {row.problem}" if row.problem else ""
            typer.echo(f"{row.name}={plain(row.value)}  ({row.source}){problem}")
    for name in report.unknown:
        typer.echo(f"{plain(name)} is no setting: see docs/guide/settings.md.", err=True)
    if report.unknown or any(row.problem for row in report.rows):
        raise typer.Exit(1)


def _words(stage: str, done: int, whole: int) -> str:
    return f"{stage}, {done:,} of {whole:,}" if whole else stage


def _public(made: Manifest) -> dict[str, object]:
    return {"made_at": made.made_at, "counts": dict(made.counts), "left_out": list(made.left_out)}
