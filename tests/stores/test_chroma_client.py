"""Clients of one Chroma folder that are opened at the same moment, as a warm-up and a first question do."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.stores.chroma.client import ChromaClient


def test_clients_that_open_one_folder_at_once_can_all_be_used(tmp_path: Path) -> None:
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        together = threading.Barrier(3)

        def collections(folder: Path = folder, together: threading.Barrier = together) -> int:
            client = ChromaClient(folder)
            together.wait()
            return len(client.open().list_collections())

        with ThreadPoolExecutor(3) as pool:
            found = [pool.submit(collections) for _ in range(3)]
        assert [one.result() for one in found] == [0, 0, 0]
