"""What all tests share: isolation from the machine's settings and network, and ready workspaces."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from core.domain.encoder import Encoder
from core.encoders.factory import make_encoder
from core.encoders.sentence_transformer import BUNDLED, BundledEncoder
from core.settings import Settings, load_settings
from core.workspace import Workspace, open_workspace
from tests.support.once import RememberingEncoder, made_once, of_all_workers
from tests.support.pdfs import make_pdf

# Fixtures of all tests, and what a test needs of the machine.
pytest_plugins = [
    "tests.support.needs",
    "tests.support.workers",
    "tests.support.neo4j_server",
    "tests.support.scale.s3_server",
    "tests.support.answering",
]

# A model hub is never asked; read when its client is imported.
os.environ["HF_HUB_OFFLINE"] = "1"

ROOT = Path(__file__).resolve().parents[1]
_FOREIGN = ("MATERIA_", "OPENAI_", "CHROMA_", "NEO4J_", "DEEPSEEK_", "GEMINI_", "AWS_")

settings.register_profile(
    "materia",
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("materia")


# -- no network ------------------------------------------------------------------------------------

_real_connect = socket.socket.connect
_real_connect_ex = socket.socket.connect_ex
_outside: list[str] = []


def _is_here(family: int, address: Any) -> bool:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = str(address[0]).partition("%")[0]
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _guarded_connect(self: socket.socket, address: Any) -> None:
    if not _is_here(self.family, address):
        _outside.append(str(address))
        raise ConnectionRefusedError(f"tests do not reach the network: {address}")
    _real_connect(self, address)


def _guarded_connect_ex(self: socket.socket, address: Any) -> int:
    if not _is_here(self.family, address):
        _outside.append(str(address))
        raise ConnectionRefusedError(f"tests do not reach the network: {address}")
    return _real_connect_ex(self, address)


@pytest.fixture(scope="session", autouse=True)
def _guard_sockets() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", _guarded_connect)
    patch.setattr(socket.socket, "connect_ex", _guarded_connect_ex)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def _no_network(_guard_sockets: None) -> Iterator[None]:
    """Fails a test that opened a connection to another machine, even when the code swallowed it."""
    _outside.clear()
    yield
    assert not _outside, f"the test reached for the network: {_outside}"


# -- settings and workspaces -----------------------------------------------------------------------


@pytest.fixture
def workspace_dir(tmp_path: Path) -> Path:
    """An empty data folder."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No settings but the defaults: foreign environment removed, an empty working directory."""
    for name in list(os.environ):
        if name.upper().startswith(_FOREIGN):
            monkeypatch.delenv(name)
    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="session")
def onnx_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which a copy of the bundled model would be made, were the shipped one not whole."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def encoder(
    onnx_models: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RememberingEncoder]:
    """The real embedding model, loaded once for all tests, which reads each text once."""
    path = of_all_workers(tmp_path_factory) / "vectors.db"
    with closing(RememberingEncoder(make_encoder(BUNDLED, onnx_models), path)) as opened:
        yield opened


@pytest.fixture
def make_settings(
    isolated: Path, workspace_dir: Path, onnx_models: Path
) -> Callable[..., Settings]:
    """Settings with the given fields changed, independent of the machine."""

    def make(**fields: object) -> Settings:
        usual = {"data_dir": workspace_dir, "models_dir": onnx_models}
        return load_settings(
            **{**usual, "sample": False, "warm_up": False, "reserve_mb": 0, **fields}
        )

    return make


@pytest.fixture
def make_workspace(
    make_settings: Callable[..., Settings], encoder: Encoder
) -> Iterator[Callable[..., Workspace]]:
    """Opens fresh small workspaces, and closes them after the test."""
    opened: list[Workspace] = []

    def make(*, writer: bool = True, **fields: object) -> Workspace:
        workspace = open_workspace(make_settings(**fields), writer=writer)
        workspace._encoders[BUNDLED] = encoder
        opened.append(workspace)
        return workspace

    yield make
    for workspace in reversed(opened):
        workspace.close()


@pytest.fixture(scope="session")
def open_sample(onnx_models: Path, encoder: Encoder) -> Callable[[Path], Workspace]:
    """Opens a data folder as an analyst's machine without any settings would, with the remembered model."""

    def opened(folder: Path) -> Workspace:
        with pytest.MonkeyPatch.context() as patch:
            for name in list(os.environ):
                if name.upper().startswith(_FOREIGN):
                    patch.delenv(name)
            patch.chdir(onnx_models)
            workspace = open_workspace(
                load_settings(data_dir=folder, models_dir=onnx_models, warm_up=False, reserve_mb=0)
            )
        workspace._encoders[BUNDLED] = encoder
        return workspace

    return opened


@pytest.fixture(scope="session")
def copy_sample(
    tmp_path_factory: pytest.TempPathFactory, open_sample: Callable[[Path], Workspace]
) -> Callable[[], Path]:
    """Makes a data folder with the whole sample, which is loaded once a run."""

    def load(folder: Path) -> None:
        with closing(open_sample(folder)) as workspace:
            workspace.sample.load()

    return lambda: made_once(tmp_path_factory, "sample", load)


@pytest.fixture(scope="session")
def sample_workspace(
    open_sample: Callable[[Path], Workspace], copy_sample: Callable[[], Path]
) -> Iterator[Workspace]:
    """The whole sample, loaded once. For reading only: conversations may be added, nothing else."""
    with closing(open_sample(copy_sample())) as workspace:
        yield workspace


@pytest.fixture(scope="session")
def bundled_encoder() -> BundledEncoder:
    """The real model; its weights load with the first text (several seconds)."""
    return BundledEncoder()


# -- files -----------------------------------------------------------------------------------------


@pytest.fixture
def pdf(tmp_path: Path) -> Callable[..., Path]:
    """Makes PDFs: ``pdf("a.pdf", "text of page 1", "text of page 2", password=None)``."""
    folder = tmp_path / "pdfs"
    folder.mkdir()

    def make(name: str, *pages: str, password: str | None = None) -> Path:
        return make_pdf(folder / name, *pages, password=password)

    return make
