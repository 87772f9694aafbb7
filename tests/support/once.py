"""What is costly to make is made once a run, whatever the number of workers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

IN_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def of_all_workers(factory: pytest.TempPathFactory) -> Path:
    """The folder of this run, which its workers share."""
    base = factory.getbasetemp()
    return base.parent if IN_WORKER else base


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of this worker with what `make` wrote into it, by this worker or another.

    Args:
        make: fills the folder it is given, which does not exist, and leaves nothing open in it.
    """
    shared = of_all_workers(factory) / f"once {name}"
    with FileLock(f"{shared}.lock"):
        if not shared.exists():
            begun = shared.with_suffix(".begun")
            shutil.rmtree(begun, ignore_errors=True)  # of a worker that failed
            make(begun)
            begun.rename(shared)
    own: Path = factory.mktemp(name) / "data"
    shutil.copytree(shared, own)
    return own
