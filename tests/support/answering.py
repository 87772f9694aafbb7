"""Fixtures: a library with the sample graph and three sample leaflets, made once, and workspaces upon it.

The embedding model is the real one. Settings come from no environment and no `.env`; what is kept
lies in pytest's temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from core.domain.encoder import Encoder
from core.encoders.sentence_transformer import BUNDLED
from core.graph.importing.importer import import_graph
from core.logs import configure
from core.maintenance.sample import SAMPLE
from core.settings import Settings
from core.workspace import Workspace
from tests.support.fake_openai import FakeOpenAI, fake_openai
from tests.support.once import made_once

LEAFLETS = ("Metformin", "Warfarin", "Ibuprofen")
KEY = "sk-answers-test-0123456789abcdef"

Open = Callable[..., Workspace]


def settings_without_environment(**values: object) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.upper().startswith(("MATERIA_", "OPENAI_", "CHROMA_")):
                patch.delenv(name)
        return Settings(_env_file=None, **values)


@contextmanager
def _opener(encoder: Encoder) -> Iterator[Open]:
    """Opens workspaces that share the one loaded embedding model; closes them at the end."""
    opened: list[Workspace] = []

    def open_one(root: Path, *, writer: bool = False, **values: object) -> Workspace:
        settings = settings_without_environment(data_dir=root, sample=False, **values)
        opened.append(Workspace(settings, writer=writer))
        opened[-1]._encoders[BUNDLED] = encoder  # its weights are loaded once for all tests
        return opened[-1]

    try:
        yield open_one
    finally:
        for workspace in reversed(opened):
            workspace.close()


@pytest.fixture
def open_workspace(encoder: Encoder) -> Iterator[Open]:
    """Opens workspaces for one test."""
    with _opener(encoder) as opens:
        yield opens


@pytest.fixture(scope="session")
def open_shared(encoder: Encoder) -> Iterator[Open]:
    """Opens workspaces for many tests."""
    with _opener(encoder) as opens:
        yield opens


@pytest.fixture(scope="session")
def workspace(open_shared: Open, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The library that tests read and none of them changes; extractive answers."""

    def fill(folder: Path) -> None:
        with closing(open_shared(folder, writer=True)) as made:
            import_graph(SAMPLE / "graph", made.graph.store)
            for name in LEAFLETS:
                assert made.library.ingest(SAMPLE / "leaflets" / f"{name}.pdf").state == "ready"

    return open_shared(made_once(tmp_path_factory, "answers", fill), writer=True)


@pytest.fixture
def own_workspace(open_workspace: Open, tmp_path: Path) -> Workspace:
    """A library of the test's own, with the sample graph and no document."""
    found = open_workspace(tmp_path / "data", writer=True)
    import_graph(SAMPLE / "graph", found.graph.store)
    return found


@pytest.fixture(scope="session")
def _server() -> Iterator[FakeOpenAI]:
    with fake_openai() as fake:
        yield fake


@pytest.fixture
def provider(_server: FakeOpenAI) -> FakeOpenAI:
    """The provider, with nothing recorded and nothing held back."""
    _server.play(*FakeOpenAI().script)
    _server.released.clear()
    return _server


@pytest.fixture
def model_settings(provider: FakeOpenAI, tmp_path: Path) -> Callable[..., Settings]:
    """Settings that point the language model to the provider."""

    def make(**values: object) -> Settings:
        return settings_without_environment(data_dir=tmp_path, **(with_model(provider) | values))

    return make


@pytest.fixture
def with_provider(open_workspace: Open, workspace: Workspace, provider: FakeOpenAI) -> Workspace:
    """The library that tests read, answered by the provider's model."""
    return open_workspace(workspace.settings.root, **with_model(provider))


def with_model(provider: FakeOpenAI) -> dict[str, object]:
    return {
        "llm_provider": "custom",
        "llm_model": "fake-model",
        "llm_api_key": KEY,
        "llm_base_url": provider.url,
        "llm_connect_seconds": 2.0,
        "llm_first_token_seconds": 5.0,
    }


@pytest.fixture
def log_text(tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Sends the log to a file at its most talkative; returns what was written."""
    configure(tmp_path / "logs", "DEBUG")
    yield lambda: "".join(path.read_text("utf-8") for path in (tmp_path / "logs").glob("*.log*"))
    configure(None, "ERROR")
