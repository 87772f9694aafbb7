"""Two dashboards serve one library, and one of them is killed in the middle of a job."""

from __future__ import annotations

import io
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.settings import load_settings
from core.workspace import Workspace
from tests.support.neo4j_server import PASSWORD, USER, Neo4jServer
from tests.support.pdfs import leaflet_text, make_pdf
from tests.support.scale.replicas import Server, chroma_server, replicas
from tests.support.scale.s3_server import ACCESS, Bucket

_WAIT_SECONDS = 90
_FILES = 40
"""Many enough that the first cannot be seen as stored when all are, however fast the machine."""


def archive(folder: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        for number in range(_FILES):
            name = f"Drug{number}.pdf"
            pages = [leaflet_text(f"Drug{number} page {page}", 12) for page in range(3)]
            opened.write(make_pdf(folder / name, *pages), name)
    return packed.getvalue()


def soon(found: Callable[[], Any]) -> Any:
    until = time.monotonic() + _WAIT_SECONDS
    while not (value := found()):
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.1)
    return value


def leader(folder: Path, opened: list[tuple[str, Server]]) -> str:
    """The address of the one that works on jobs."""
    logs = [folder / name / "data" / "logs" / "materia.log" for name in ("a", "b")]

    def found() -> str | None:
        taken = [log.exists() and "lease_taken" in log.read_text() for log in logs]
        return next((address for (address, _), has in zip(opened, taken, strict=True) if has), None)

    return str(soon(found))


def test_what_a_killed_replica_had_begun_the_other_finishes(
    isolated: Path,
    tmp_path: Path,
    neo4j: object,
    neo4j_server: Neo4jServer,
    bucket: Bucket,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with chroma_server(tmp_path) as chroma:
        settings = {
            **ACCESS,
            "AWS_ENDPOINT_URL": bucket.endpoint,
            "NEO4J_URI": neo4j_server.uri,
            "NEO4J_USER": USER,
            "NEO4J_PASSWORD": PASSWORD,
            "CHROMA_HOST": "127.0.0.1",
            "CHROMA_PORT": str(chroma),
            "MATERIA_DOCUMENTS_IN_NEO4J": "true",
            "MATERIA_FILES_URL": bucket.url,
            "MATERIA_SAMPLE": "false",
            "MATERIA_WARM_UP": "false",
            "MATERIA_RESERVE_MB": "0",
        }
        with (
            replicas(tmp_path / "a", tmp_path / "b", settings=settings) as opened,
            httpx.Client(timeout=_WAIT_SECONDS) as client,
        ):
            processes = dict(opened)
            first = leader(tmp_path, opened)
            (second,) = processes.keys() - {first}
            leaflet = make_pdf(tmp_path / "Zolvetrin.pdf", leaflet_text("Zolvetrin"))
            sent = client.post(
                f"{second}/api/upload", files={"file": (leaflet.name, leaflet.read_bytes())}
            )
            assert sent.status_code == 200, sent.text
            for address in (first, second):
                question = {"question": "How much Zolvetrin do adults take?"}
                answer = client.post(f"{address}/api/chat", json=question).json()
                assert "Zolvetrin" in answer["answer"], answer

            def send() -> None:
                with suppress(httpx.TransportError):
                    packed = ("stack.zip", archive(tmp_path))
                    httpx.post(f"{first}/api/upload", files={"file": packed}, timeout=_WAIT_SECONDS)

            sending = threading.Thread(target=send)
            sending.start()

            def stack() -> Any:
                jobs = client.get(f"{second}/api/jobs").json()["jobs"]
                return next((job for job in jobs if job["name"] == "stack.zip"), None)

            soon(lambda: (job := stack()) and job["progress"]["done"] >= 1)
            processes[first].kill()
            sending.join()
            assert stack()["state"] == "running"
            soon(lambda: stack()["state"] == "done")
            listed = client.get(f"{second}/api/documents").json()["documents"]
            wanted = sorted(["Zolvetrin.pdf", *(f"Drug{number}.pdf" for number in range(_FILES))])
            assert sorted(one["filename"] for one in listed) == wanted
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        with closing(
            Workspace(load_settings(data_dir=tmp_path / "third"), writer=False)
        ) as workspace:
            report = workspace.verifier.run()
            assert report.consistent, report.findings
            assert report.documents == report.files == _FILES + 1
