"""Runs the command line: in this process, or in one of its own where the process is what is tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import app

ROOT = Path(__file__).resolve().parents[2]
_FOREIGN = ("MATERIA_", "OPENAI_", "CHROMA_", "NEO4J_")
Ended = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class CommandLine:
    """Runs commands with a data folder of their own.

    Args:
        models: where the copy of the embedding model lies.
    """

    folder: Path
    models: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, *arguments: str, **settings: str) -> Ended:
        """What a command does, prints and ends with; an error that nobody catches is raised."""
        with pytest.MonkeyPatch.context() as patch:
            for name in [name for name in os.environ if name.startswith(_FOREIGN)]:
                patch.delenv(name)
            for name, value in (self._settings | settings).items():
                patch.setenv(name, value)
            patch.chdir(self.folder)
            ended = CliRunner().invoke(app, list(arguments))
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise ended.exception
        return Ended(arguments, ended.exit_code, ended.stdout, ended.stderr)

    def process(self, *arguments: str, **settings: str) -> Ended:
        """The same in a process of its own, as scripts run it."""
        return subprocess.run(
            [sys.executable, "-m", "core", *arguments],
            cwd=self.folder,
            env=self.environment(**settings),
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def environment(self, **settings: str) -> dict[str, str]:
        """The environment of a process: this one's without foreign settings, and its own."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        return ours | {"PYTHONPATH": str(ROOT)} | self._settings | settings

    @property
    def _settings(self) -> dict[str, str]:
        return {
            "MATERIA_DATA_DIR": str(self.data),
            "MATERIA_SAMPLE": "false",
            "MATERIA_RESERVE_MB": "0",
            "MATERIA_MODELS_DIR": str(self.models),
        }


def the_json(ended: Ended) -> dict[str, Any]:
    """The one document on stdout; fails when anything else is there."""
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def check_failure(ended: Ended, code: str) -> None:
    assert ended.returncode == 1
    assert code in ended.stderr and "Traceback" not in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1, "one plain sentence, no more"
