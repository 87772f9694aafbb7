"""Libraries of one paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.workspace import Workspace
from tests.support.answering import Open

WithPaper = Callable[[str, str], Workspace]


@pytest.fixture(scope="module")
def with_paper(open_shared: Open, tmp_path_factory: pytest.TempPathFactory) -> WithPaper:
    """Opens a library that has a text as its one document."""

    def opened(name: str, text: str) -> Workspace:
        folder = tmp_path_factory.mktemp("paper")
        found: Workspace = open_shared(folder / "data", writer=True)
        path = folder / name
        path.write_text(text, encoding="utf-8")
        assert found.library.ingest(path).state == "ready"
        return found

    return opened
