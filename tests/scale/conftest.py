"""The command line with a data folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runner import CommandLine


@pytest.fixture
def cli(tmp_path: Path, onnx_models: Path) -> CommandLine:
    return CommandLine(tmp_path, onnx_models)
