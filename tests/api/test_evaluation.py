"""An evaluation over HTTP: begun as a job, its report read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx

from core.workspace import Workspace, share_workspace

SET = (
    '{"id": "1", "question": "How is Zolvetrin taken?", "answer": ["water"], "document": "z.txt"}\n'
    '{"id": "2", "question": "Who is the king of Norway?", "answerable": false}\n'
)


def test_an_evaluation_is_a_job_and_its_report_is_kept(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "mine.jsonl").write_text(SET)
    (root / "wrong.jsonl").write_text("{}")
    workspace = make_workspace(folder_roots=str(root))
    share_workspace(workspace)
    client.post("/api/upload", files={"file": ("z.txt", b"Zolvetrin is taken with water.")})
    nothing = client.get("/api/evaluation")
    assert (nothing.status_code, nothing.json()["code"]) == (404, "NOT_EVALUATED")
    for path, status, code in (
        (str(root / "wrong.jsonl"), 400, "EVALUATION_FORMAT"),
        (str(root / "no.jsonl"), 404, "FILE_NOT_FOUND"),
        ("/etc/passwd", 403, "PATH_NOT_ALLOWED"),
    ):
        refused = client.post("/api/evaluation", json={"path": path})
        assert (refused.status_code, refused.json()["code"]) == (status, code)
    begun = client.post("/api/evaluation", json={"path": str(root / "mine.jsonl")})
    assert begun.status_code == 202
    workspace.jobs.wait(begun.json()["job_id"])
    job = client.get(begun.json()["status"]).json()
    assert (job["state"], job["kind"]) == ("done", "evaluate") and "2 questions" in job["message"]
    report = client.get("/api/evaluation").json()
    assert report["questions"] == "mine" and report["scores"]["questions"] == 2
    assert report["scores"]["refusal_recall"] == {"part": 1, "of": 1, "value": 1.0}
    assert client.get("/api/conversations").json() == {"conversations": [], "more": False}
    # The set that comes along is begun as well, and can be cancelled.
    begun = client.post("/api/evaluation", json={}).json()
    client.delete(begun["status"])
    workspace.jobs.wait(begun["job_id"])
    assert client.get(begun["status"]).json()["state"] == "cancelled"
    assert client.get("/api/evaluation").json() == report
