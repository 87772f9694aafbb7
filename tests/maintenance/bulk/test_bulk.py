"""What workers make is what the library makes, and what becomes of it where something else is there by then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.documents.library.outcomes import Source
from core.domain.documents import IngestResult, OnConflict
from core.domain.encoder import Encoder
from core.errors import DiskFull, MateriaError
from core.maintenance.bulk.cluster import Cluster, connected
from core.maintenance.bulk.ingestion import BulkIngestion
from core.maintenance.bulk.making import Maker, Recipe, digest_of
from core.maintenance.bulk.stack import StackedFile, in_store
from core.maintenance.bulk.worker import Marks, WorkedOut, is_marked, marks, read_row
from core.workspace import Workspace
from tests.support.pdfs import leaflet_text, make_pdf
from tests.support.scale.s3_server import Bucket


class _Here(Cluster):
    """A cluster whose only worker is this process; `lost` files never come back."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.workers = 1
        self.lost: set[str] = set()
        self.asked: list[str] = []
        self.meanwhile: Callable[[str], None] = lambda _name: None

    def outcomes(  # type: ignore[override]
        self,
        items: Sequence[StackedFile],
        recipe: Recipe,
        names: Sequence[tuple[str, str, str]],
        known: Marks,
    ) -> Iterator[tuple[int, WorkedOut]]:
        maker = Maker(recipe, self.encoder, names)
        for place, item in enumerate(items):
            if item.name in self.lost:
                continue
            yield place, self._worked_out(maker, item, known)

    def _worked_out(self, maker: Maker, item: StackedFile, known: Marks) -> WorkedOut:
        sha256 = digest_of(Path(item.where))
        if is_marked(known, sha256):
            return WorkedOut(sha256, known=True)
        self.asked.append(item.name)
        try:
            made: Any = maker.make(Path(item.where), item.name)
        except MateriaError as error:
            made = error
        self.meanwhile(item.name)
        return WorkedOut(sha256, made=made)


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace], tmp_path: Path) -> Workspace:
    """An empty library beside a graph of two entities."""
    opened = make_workspace()
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "nodes.csv").write_text("id,type,name\nA,Drug,Zolvetrin\nB,Disease,gout\n")
    (graph / "relationships.csv").write_text("source,type,target\nA,TREATS,B\n")
    opened.graph_tasks.import_folder(graph)
    return opened


@pytest.fixture
def stack(tmp_path: Path) -> Path:
    folder = tmp_path / "stack"
    folder.mkdir()
    make_pdf(folder / "first.pdf", leaflet_text("Zolvetrin"), "Zolvetrin is for gout.")
    make_pdf(folder / "second.pdf", leaflet_text("Quolvane", 2))
    make_pdf(folder / "locked.pdf", leaflet_text("Moxatrin", 2), password="open")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    return folder


def ingested(
    workspace: Workspace, cluster: _Here, stack: Path, **options: Any
) -> dict[str, IngestResult]:
    items = [
        StackedFile.of(Source(path, path.name))
        for path in sorted(stack.iterdir())
        if path.is_file()
    ]
    bulk = BulkIngestion(workspace.library, workspace.links)
    with closing(bulk.ingest(cluster, items, index="leaflets", **options)) as results:
        return {one.file: one for one in results}


@pytest.mark.req("KB-10")
def test_what_workers_make_is_what_the_library_makes(
    workspace: Workspace, encoder: Encoder, stack: Path
) -> None:
    cluster = _Here(encoder)
    done = ingested(workspace, cluster, stack, password="open")
    assert {name: (one.state, one.code) for name, one in done.items()} == {
        "broken.pdf": ("refused", "CORRUPT"),
        "first.pdf": ("ready", "OK"),
        "locked.pdf": ("ready", "OK"),
        "second.pdf": ("ready", "OK"),
    }
    workspace.indexes.create("beside")
    store, vectors = workspace.library_store, workspace.vectors
    for name in ("first.pdf", "locked.pdf", "second.pdf"):
        here = workspace.library.ingest(stack / name, index="beside", password="open")
        assert (here.message, here.pages, here.chunks) == (
            done[name].message,
            done[name].pages,
            done[name].chunks,
        )
        made, read = (store.document(one.document_id) for one in (done[name], here))
        assert made is not None and read is not None
        assert replace(made, id="", index="", created_at=read.created_at) == replace(
            read, id="", index=""
        )
        assert store.pages(made.id) == store.pages(read.id)
        pairs = list(
            zip(store.document_chunks(made.id), store.document_chunks(read.id), strict=True)
        )
        for one, other in pairs:
            assert replace(one, id="", document_id="") == replace(other, id="", document_id="")
            assert store.mentions_of_chunks([one.id]).get(one.id) == store.mentions_of_chunks(
                [other.id]
            ).get(other.id)
        found = vectors.vectors("leaflets", [one.id for one, _ in pairs])
        beside = vectors.vectors("beside", [other.id for _, other in pairs])
        assert all(np.allclose(found[one.id], beside[other.id]) for one, other in pairs)
    report = workspace.verifier.run()
    assert report.consistent and not report.findings, report.findings
    assert not workspace.links.mixed

    # Again: nothing that is there is read, what had another fault is.
    cluster.asked.clear()
    again = ingested(workspace, cluster, stack)
    assert cluster.asked == ["broken.pdf"]
    assert {one.code for name, one in again.items() if name != "broken.pdf"} == {"ALREADY_PRESENT"}


def test_what_changed_meanwhile_is_read_here(
    workspace: Workspace, encoder: Encoder, stack: Path
) -> None:
    cluster = _Here(encoder)
    cluster.lost = {"locked.pdf"}

    def changed(name: str) -> None:
        if name == "second.pdf":
            make_pdf(stack / name, leaflet_text("Other", 2))

    cluster.meanwhile = changed
    (stack / "empty.txt").write_bytes(b"")
    done = ingested(workspace, cluster, stack)
    assert done["locked.pdf"].state == "failed" and done["locked.pdf"].code == "RAY_WORKER_LOST"
    assert done["empty.txt"].code == "EMPTY_FILE" and "empty.txt" not in cluster.asked
    (found,) = workspace.library_store.documents_named("leaflets", "second.pdf")
    assert found.sha256 == digest_of(stack / "second.pdf")
    texts = [page.text for page in workspace.library_store.pages(found.id)]
    assert "Other" in texts[0] and "Quolvane" not in texts[0]

    def full() -> None:
        raise DiskFull("The disk is full.")

    make_pdf(stack / "first.pdf", leaflet_text("Newer", 2))
    with pytest.MonkeyPatch.context() as patch, pytest.raises(DiskFull) as refused:
        patch.setattr(workspace.library, "ask_room", full)
        cluster.asked.clear()
        ingested(workspace, cluster, stack)
    assert "same command again" in str(refused.value)
    assert len(cluster.asked) < 2, "nobody goes on reading"
    cluster.lost = set()
    assert ingested(workspace, cluster, stack)["first.pdf"].code == "NAME_EXISTS"
    kept = ingested(workspace, cluster, stack, on_conflict=OnConflict.KEEP_EARLIER)
    assert kept["first.pdf"].code == "OK" and kept["first.pdf"].earlier_id
    report = workspace.verifier.run()
    assert report.consistent and not report.findings, report.findings


def test_files_of_a_bucket(bucket: Bucket, tmp_path: Path) -> None:
    for key in ("stack/a/One two.pdf", "stack/.hidden.pdf", "stack/sheet.xlsx", "other/x.pdf"):
        bucket.put(key, b"%PDF")
    (one,), others = in_store(f"{bucket.url}/stack")
    assert (one.name, one.where, one.size, others) == ("One two.pdf", "a/One two.pdf", 4, 1)
    assert one.fetch(tmp_path).read_bytes() == b"%PDF"
    assert len(in_store(f"s3://{bucket.name}")[0]) == 2
    for url, code in (
        (f"{bucket.url}/nothing", "NO_FILES"),
        ("s3://", "INVALID_URL"),
        ("s3://no-such-bucket/x", "FILES_REFUSED"),
    ):
        with pytest.raises(MateriaError) as refused:
            in_store(url)
        assert refused.value.code == code and "MATERIA_FILES_URL" not in str(refused.value)


def test_marks_and_rows(tmp_path: Path) -> None:
    known = marks([f"{number:064x}".replace("0" * 8, "f" * 8, 1) for number in range(20)])
    assert is_marked(known, "f" * 8 + "0" * 56) and not is_marked(known, "e" * 64)
    assert not is_marked(marks([]), "0" * 64)
    (tmp_path / "file").write_bytes(b"bytes")
    row = {"url": "", "where": str(tmp_path / "file")}
    assert read_row(row)["data"] == b"bytes"
    assert read_row({**row, "where": str(tmp_path / "gone")})["data"] is None


def test_without_ray_or_a_cluster_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ray", "ray.data"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    with pytest.raises(MateriaError) as away, connected("127.0.0.1:9"):
        pass
    assert away.value.code == "RAY_UNREACHABLE" and "(Connection refused)" in str(away.value)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MateriaError) as missing, connected("auto"):
        pass
    assert missing.value.code == "RAY_MISSING" and "requirements-ray.txt" in str(missing.value)
