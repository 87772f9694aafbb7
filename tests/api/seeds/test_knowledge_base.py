"""The fifth design document's named indexes, at the root and under /api."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.workspace import Workspace, share_workspace
from tests.support.pdfs import make_pdf

at_both = pytest.mark.parametrize("prefix", ["", "/api"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder that may be read over HTTP."""
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture
def library(
    client: httpx.Client, make_workspace: Callable[..., Workspace], root: Path
) -> Workspace:
    """The server answers from an empty library."""
    workspace = make_workspace(folder_roots=str(root))
    share_workspace(workspace)
    return workspace


def problem(answered: httpx.Response, status: int, error: str, code: str) -> str:
    """The error has the document's fields; its detail."""
    body = answered.json()
    assert (answered.status_code, body["status_code"]) == (status, status), body
    assert (body["error"], body["code"]) == (error, code)
    assert body["detail"] == body["details"] and body["detail"]
    return str(body["detail"])


@pytest.mark.req("KB-1", "KB-2", "KB-5")
@at_both
def test_create_encode_and_query(
    client: httpx.Client, library: Workspace, root: Path, prefix: str
) -> None:
    made = client.post(f"{prefix}/create", json={"index_name": "test_index"})
    assert made.status_code == 201 and made.json()["message"]
    assert (made.json()["index_name"], made.json()["status"]) == ("test_index", "created")
    (root / "zolvetrin.txt").write_text("Zolvetrin is taken with water. " * 200)
    asked = {"document_path": str(root / "zolvetrin.txt"), "index_name": "test_index"}
    encoded = client.post(f"{prefix}/encode_doc", json=asked)
    assert encoded.status_code == 200
    body = encoded.json()
    index = library.indexes.describe("test_index")
    assert (body["status"], body["index_name"]) == ("success", "test_index")
    assert body["chunks_created"] == index.counts.chunks == index.vectors > 1
    assert index.index.profile == "semantic"
    assert (root / "zolvetrin.txt").exists()
    again = client.post(f"{prefix}/encode_doc", json=asked).json()
    assert (again["status"], again["chunks_created"]) == ("already_present", index.counts.chunks)
    query = {"query": "How is Zolvetrin taken?", "index_name": "test_index"}
    found = client.post(f"{prefix}/query", json=query)
    assert found.status_code == 200
    assert (found.json()["query"], found.json()["index_name"]) == (query["query"], "test_index")
    results = found.json()["results"]
    assert 1 <= len(results) <= 5 and {one["source_document"] for one in results} == {
        "zolvetrin.txt"
    }
    assert all(one["id"] and "Zolvetrin" in one["content"] for one in results)
    detail = problem(
        client.post(f"{prefix}/create", json={"index_name": "test_index"}),
        409,
        "Index already exists",
        "INDEX_EXISTS",
    )
    assert "test_index" in detail and library.indexes.describe("test_index") == index


@pytest.mark.req("KB-2")
def test_an_invalid_name_is_400(client: httpx.Client, library: Workspace) -> None:
    wrong = client.post("/create", json={"index_name": "123invalid"})
    problem(wrong, 400, "Invalid request", "INVALID_INDEX_NAME")
    for body in ({}, {"index_name": 7}, {"name": "papers"}):
        problem(client.post("/create", json=body), 400, "Invalid request", "INVALID_REQUEST")


@pytest.mark.req("KB-6")
@at_both
def test_what_does_not_exist_is_404(
    client: httpx.Client, library: Workspace, root: Path, prefix: str
) -> None:
    query = {"query": "test query", "index_name": "nonexistent_index"}
    detail = problem(
        client.post(f"{prefix}/query", json=query), 404, "Index not found", "INDEX_NOT_FOUND"
    )
    assert "nonexistent_index" in detail
    for path, field in (("encode_doc", "document_path"), ("encode_batch", "directory_path")):
        for place in (root, root / "nowhere", "/etc/passwd", ""):
            asked = {field: str(place), "index_name": "nonexistent_index"}
            answered = client.post(f"{prefix}/{path}", json=asked)
            problem(answered, 404, "Index not found", "INDEX_NOT_FOUND")
    client.post("/create", json={"index_name": "papers"})
    for place in (root / "no.pdf", root, root / ("x" * 300)):
        asked = {"document_path": str(place), "index_name": "papers"}
        answered = client.post(f"{prefix}/encode_doc", json=asked)
        problem(answered, 404, "Document not found", "FILE_NOT_FOUND")
    for name in ("no", "x" * 300):
        asked = {"directory_path": str(root / name), "index_name": "papers"}
        answered = client.post(f"{prefix}/encode_batch", json=asked)
        problem(answered, 404, "Directory not found", "FOLDER_NOT_FOUND")
    assert library.jobs.jobs() == []


def test_no_place_beyond_the_roots_is_read(
    client: httpx.Client, library: Workspace, root: Path, tmp_path: Path
) -> None:
    """There or not, by a link or not: all are told alike."""
    client.post("/create", json={"index_name": "papers"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("Zolvetrin is taken with water.")
    (root / "link").symlink_to(outside)
    (root / "link.txt").symlink_to(outside / "a.txt")
    (root / "loop").symlink_to(root / "loop")
    places = [outside, outside / "a.txt", root / "link", root / "link.txt", root / "link" / "a.txt"]
    places += [root / ".." / "outside" / "a.txt", root / "loop", Path("/etc/passwd"), Path("/no")]
    told = set()
    for place in [*map(str, places), "relative", "", "/nul\0", "~", str(tmp_path / "rooting")]:
        for path, field in (("encode_doc", "document_path"), ("encode_batch", "directory_path")):
            answered = client.post(f"/{path}", json={field: place, "index_name": "papers"})
            told.add(problem(answered, 403, "Forbidden", "PATH_NOT_ALLOWED"))
    assert len(told) == 1 and library.jobs.jobs() == []


@pytest.mark.req("KB-10")
def test_a_folder_is_one_job(client: httpx.Client, library: Workspace, root: Path) -> None:
    client.post("/create", json={"index_name": "papers"})
    make_pdf(root / "1.pdf", "Zolvetrin is taken with water.")
    (root / "2.pdf").write_bytes(b"no PDF")
    asked = {"directory_path": str(root), "index_name": "papers"}
    begun = client.post("/encode_batch", json=asked)
    assert begun.status_code == 200 and begun.json()["message"]
    assert (begun.json()["status"], begun.json()["index_name"]) == ("processing", "papers")
    library.jobs.wait(begun.json()["job_id"])
    job = client.get(f"/api/jobs/{begun.json()['job_id']}").json()
    assert {one["file"]: one["state"] for one in job["files"]} == {
        "1.pdf": "ready",
        "2.pdf": "refused",
    }


def test_files_that_cannot_be_documents(
    client: httpx.Client, library: Workspace, root: Path
) -> None:
    client.post("/create", json={"index_name": "papers"})
    (root / "x.pdf").write_bytes(b"hello")
    (root / "x.zip").write_bytes(b"PK")
    (root / "x.txt").write_text("Zolvetrin is taken with water.")

    def encode(name: str, **more: str) -> httpx.Response:
        asked = {"document_path": str(root / name), "index_name": "papers", **more}
        return client.post("/encode_doc", json=asked)

    problem(encode("x.pdf"), 400, "Invalid PDF file", "NOT_A_PDF")
    problem(encode("x.zip"), 400, "Invalid PDF file", "UNSUPPORTED_FORMAT")
    assert encode("x.txt").status_code == 200
    (root / "x.txt").write_text("Zolvetrin is taken with tea.")
    conflict = encode("x.txt")
    assert (conflict.status_code, conflict.json()["code"]) == (409, "NAME_EXISTS")
    problem(encode("x.txt", on_conflict="shrug"), 400, "Invalid request", "INVALID_ON_CONFLICT")
    assert encode("x.txt", on_conflict="replace").status_code == 200
    assert library.indexes.describe("papers").counts.documents == 1


@pytest.mark.req("KB-7", "KB-8")
def test_results_are_of_the_index_and_in_descending_score(
    client: httpx.Client, library: Workspace
) -> None:
    for index in ("one", "two"):
        client.post("/create", json={"index_name": index})
        for number in range(8):
            text = (
                f"Zolvetrin {number} is taken with {'water' if number % 2 else 'tea'} in {index}."
            )
            client.post(
                "/api/upload",
                files={"file": (f"{index}{number}.txt", text.encode())},
                data={"index": index},
            )

    @given(
        st.sampled_from(["Zolvetrin with water", "tea", "Zolvetrin 3", "the king of Norway"]),
        st.sampled_from(["one", "two"]),
        st.integers(1, 100),
    )
    def check(query: str, index: str, top_k: int) -> None:
        asked = {"query": query, "index_name": index, "top_k": top_k}
        results = client.post("/query", json=asked).json()["results"]
        scores = [one["score"] for one in results]
        assert len(scores) <= top_k and scores == sorted(scores, reverse=True)
        assert all(one["source_document"].startswith(index) for one in results)

    check()
    for top_k in (0, 101, -1, "5", 2.5, True, None):
        asked = {"query": "x", "index_name": "one", "top_k": top_k}
        problem(client.post("/query", json=asked), 400, "Invalid request", "INVALID_K")
    asked = {"query": " ", "index_name": "one"}
    problem(client.post("/query", json=asked), 400, "Invalid request", "EMPTY_QUERY")


@at_both
def test_another_page_cannot_ask(client: httpx.Client, library: Workspace, prefix: str) -> None:
    """What a form or a script of another page sends without asking first is refused."""
    good = {"index_name": "papers"}
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
    ):
        sent = client.post(
            f"{prefix}/create", content=b'{"index_name": "papers"}', headers={"Content-Type": kind}
        )
        problem(sent, 415, "Invalid request", "JSON_REQUIRED")
    assert client.post(f"{prefix}/create", content=b'{"index_name": "a"}').status_code == 415
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        sent = client.post(f"{prefix}/create", json=good, headers=headers)
        problem(sent, 403, "Foreign origin", "FOREIGN_ORIGIN")
    assert library.indexes.all() == []
    own = {"Origin": str(client.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert client.post(f"{prefix}/create", json=good, headers=own).status_code == 201
