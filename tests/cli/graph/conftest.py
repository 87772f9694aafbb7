"""Commands in this process, and a data folder with a graph."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.domain.documents import Chunk, Document, DocumentState, Filling, Index, Page, Profile
from core.settings import load_settings
from core.workspace import open_workspace
from tests.cli.graph.commands import METFORMIN, Run, strange_graph
from tests.cli.runner import ROOT
from tests.domain.answers import an_answer


@pytest.fixture
def run(isolated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, on an empty data folder unless another is named."""

    def invoke(
        *arguments: str, data: Path | None = None, stdin: bytes = b"", **settings: str
    ) -> Result:
        known = {
            "MATERIA_DATA_DIR": str(data or tmp_path / "data"),
            "MATERIA_SAMPLE": "false",
        }
        for name, value in (known | settings).items():
            monkeypatch.setenv(name, value)
        ended = CliRunner().invoke(app, list(arguments), input=stdin)
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise ended.exception
        return ended

    return invoke


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the sample's graph, strange entities, and a document; for reading only."""
    folder = tmp_path_factory.mktemp("graph commands")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("MATERIA_", "NEO4J_", "OPENAI_", "CHROMA_")):
                patch.delenv(name)
        patch.chdir(folder)
        workspace = open_workspace(load_settings(data_dir=folder / "data", sample=False))
        workspace.graph_tasks.import_folder(ROOT / "data" / "graph")
        workspace.graph_tasks.import_folder(strange_graph(folder / "strange"))
        texts = ["Nothing on this page.", "Metformin; again metformin.", "metformin"]
        workspace.library_store.create_index(
            Index("leaflets", Profile.LEAFLET, "none", 3, datetime.now(UTC))
        )
        document = Document(
            "doc", "leaflets", "A.pdf", "A", "hash", 9, 3, 3, DocumentState.INGESTING,
            datetime.now(UTC),
        )  # fmt: skip
        workspace.library_store.begin_documents([document])
        workspace.library_store.finish_documents(
            [
                Filling(
                    document,
                    [Page(n, text) for n, text in enumerate(texts, 1)],
                    [
                        Chunk(f"doc:{n}", "doc", n, n + 1, "", "", 0, len(text), text, "")
                        for n, text in enumerate(texts)
                    ],
                    {"doc:1": {METFORMIN: 2}, "doc:2": {METFORMIN: 1}},
                )
            ]
        )
        session = workspace.conversations.open(None, "First?")[0]
        workspace.conversations.keep(session.id, an_answer("First?"))
        workspace.close()
    yield folder / "data"
