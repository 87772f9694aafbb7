"""A library with a graph and a few files, made by the commands themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runner import ROOT, CommandLine, Ended
from tests.encoders.models import make_sentence_transformer
from tests.support.pdfs import make_pdf


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> CommandLine:
    return CommandLine(tmp_path_factory.mktemp("cli"), onnx_models)


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of sentence-transformers, of 32 dimensions."""
    return make_sentence_transformer(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def imported(cli: CommandLine) -> Ended:
    return cli.run("import-graph", str(ROOT / "data" / "graph"), "--json")


@pytest.fixture(scope="module")
def ingested(cli: CommandLine, imported: Ended) -> Ended:
    """A folder with good files, a bad one and a locked one, and a file that is not there."""
    files = cli.folder / "files"
    files.mkdir()
    leaflet = (ROOT / "data" / "leaflets" / "Metformin.pdf").read_bytes()
    (files / "Metformin.pdf").write_bytes(leaflet)
    (files / "a <b>bad.pdf").write_bytes(b"<html>no leaflet</html>")
    make_pdf(files / "locked.pdf", "Secret", password="x")
    make_pdf(files / "Zyxomab.pdf", "Zyxomab is taken with water.")
    (files / "notes.odt").write_text("not asked for")
    return cli.run("ingest", str(files), str(files / "nowhere.pdf"), "--json")
