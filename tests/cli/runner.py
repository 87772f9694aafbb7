"""Runs the command line as scripts do: real processes, one data folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_FOREIGN = ("MATERIA_", "OPENAI_", "CHROMA_")
Ended = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class CommandLine:
    """Runs `python -m core` with a data folder of its own.

    Args:
        models: where the copy of the embedding model lies; else each data folder makes its own.
    """

    folder: Path
    models: Path | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, *arguments: str | bytes, **settings: str) -> Ended:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)
        }
        environment |= {
            "PYTHONPATH": str(ROOT),
            "MATERIA_DATA_DIR": str(self.data),
            "MATERIA_SAMPLE": "false",
            **({"MATERIA_MODELS_DIR": str(self.models)} if self.models else {}),
            **settings,
        }
        return subprocess.run(
            [sys.executable, "-m", "core", *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )


def the_json(ended: Ended) -> dict[str, Any]:
    """The one document on stdout; fails when anything else is there."""
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def check_failure(ended: Ended, code: str) -> None:
    assert ended.returncode == 1
    assert code in ended.stderr and "Traceback" not in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1, "one plain sentence, no more"
