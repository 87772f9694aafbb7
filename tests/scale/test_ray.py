"""A cluster of two nodes reads a bucket; a worker is killed, then who commits, and then it is cancelled."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from core.settings import load_settings
from core.workspace import Workspace
from tests.cli.runner import CommandLine
from tests.support.needs import RAY_PYTHON
from tests.support.pdfs import leaflet_text, make_pdf
from tests.support.scale.ray_cluster import RayCluster, ray_cluster
from tests.support.scale.s3_server import ACCESS, Bucket

_FILES = 10
_WAIT_SECONDS = 600


@pytest.fixture
def cluster(bucket: Bucket) -> Iterator[RayCluster]:
    """Its machines have the credentials of the bucket in their environment."""
    folder = Path(mkdtemp(prefix="ray-"))
    with ray_cluster(RAY_PYTHON, folder) as running:
        yield running
    shutil.rmtree(folder)


class _Ingestion:
    """The command in a process of its own."""

    def __init__(self, cli: CommandLine, bucket: Bucket, *arguments: str) -> None:
        environment = cli.environment(**ACCESS, AWS_ENDPOINT_URL=bucket.endpoint)
        self.process = subprocess.Popen(
            [str(RAY_PYTHON), "-m", "core", "ingest", "--json", *arguments],
            cwd=cli.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def results(self, count: int) -> list[Mapping[str, Any]]:
        """The next so many results."""
        assert self.process.stdout is not None
        found = []
        while len(found) < count and (line := self.process.stdout.readline()):
            found.append(json.loads(line))
        return found

    def ended(self) -> tuple[list[Mapping[str, Any]], str]:
        said, told = self.process.communicate(timeout=_WAIT_SECONDS)
        return [json.loads(line) for line in said.splitlines()], told


def leaflet(folder: Path, name: str) -> Path:
    return make_pdf(folder / f"{name}.pdf", *(leaflet_text(f"{name} {page}", 8) for page in "ab"))


@pytest.mark.req("KB-10")
def test_workers_and_drivers_may_be_killed(
    cli: CommandLine, cluster: RayCluster, bucket: Bucket, tmp_path: Path
) -> None:
    names = [f"Drug{number:02}" for number in range(_FILES)]
    for name in names:
        bucket.put(f"stack/{name}.pdf", leaflet(tmp_path, name).read_bytes())
    bucket.put("stack/empty.pdf", b"%PDF-1.4 nothing")
    bucket.put("stack/other.xlsx", b"not read")
    url = f"{bucket.url}/stack"

    killed = _Ingestion(cli, bucket, "--ray", cluster.address, url)
    first = killed.results(2)
    cluster.kill_worker()
    first += killed.results(2)
    killed.process.kill()
    first += killed.ended()[0]
    assert len(first) >= 4

    again = _Ingestion(cli, bucket, "--ray", cluster.address, url)
    results, told = again.ended()
    assert "Traceback" not in told and "read here" not in told, told
    states = {one["file"]: (one["state"], one["code"]) for one in results}
    assert states.pop("empty.pdf") == ("refused", "CORRUPT")
    assert sorted(states) == [f"{name}.pdf" for name in names]
    before = {one["file"] for one in first if one["state"] == "ready"}
    for file, state in states.items():
        assert state == ("ready", "ALREADY_PRESENT" if file in before else "OK"), file

    more = tmp_path / "more"
    more.mkdir()
    for number in range(_FILES):
        leaflet(more, f"Other{number:02}")
    cancelled = _Ingestion(cli, bucket, "--ray", cluster.address, str(more))
    taken = cancelled.results(1)
    cancelled.process.send_signal(signal.SIGINT)
    rest, told = cancelled.ended()
    assert cancelled.process.returncode == 1 and "Cancelled: " in told and "Traceback" not in told
    taken += rest
    assert all(one["code"] == "OK" for one in taken) and len(taken) < _FILES

    folder = load_settings(data_dir=cli.data, sample=False)
    with closing(Workspace(folder, writer=True)) as workspace:
        files = sorted(one.file for one in workspace.catalogue.documents())
        assert files == sorted([*(f"{name}.pdf" for name in names), *(t["file"] for t in taken)])
        report = workspace.verifier.run()
        assert report.consistent and not report.findings, report.findings
        assert report.documents == report.files == len(files)
