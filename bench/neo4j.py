"""A Neo4j server for a benchmark, started from the scripts beside the project."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.inputs import ROOT

SCRIPTS = ROOT.parent / "shared" / "neo4j"
_USER, _PASSWORD = "neo4j", "materia-bench"
_HEAP = "2g"


@contextmanager
def neo4j_server(folder: Path) -> Iterator[dict[str, str]]:
    """Start a server with its data in `folder` on a free port; its address and login.

    Raises:
        SystemExit: it did not start; the script has said why.
    """
    started = subprocess.run(
        [SCRIPTS / "start", folder, "0"],
        env={**os.environ, "NEO4J_PASSWORD": _PASSWORD, "NEO4J_HEAP": _HEAP},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if started.returncode != 0:
        raise SystemExit(
            "Neo4j did not start. Without --neo4j the embedded store is measured alone."
        )
    shown = dict(line.split("=", 1) for line in started.stdout.splitlines() if "=" in line)
    try:
        yield {"uri": shown["NEO4J_URI"], "user": _USER, "password": _PASSWORD}
    finally:
        subprocess.run([SCRIPTS / "stop", folder], check=False, stdout=subprocess.DEVNULL)


def is_there() -> bool:
    """Whether a server can be started here."""
    return (SCRIPTS / "start").is_file()
