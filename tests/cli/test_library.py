"""Files, archives, indexes and deletions on the command line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.documents.library.outcomes import Progress
from core.workspace import Workspace
from tests.cli.runner import ROOT, CommandLine, Ended, check_failure, the_json
from tests.support.pdfs import leaflet_text, make_pdf


@pytest.fixture(scope="module")
def files(cli: CommandLine) -> Path:
    folder = cli.folder / "stack"
    (folder / "deep").mkdir(parents=True)
    make_pdf(folder / "deep" / "Zolvetrin.pdf", "The usual dose of Zolvetrin is 37 mg a day.")
    (folder / "notes.txt").write_text("Zolvetrin is stored in the fridge.", encoding="utf-8")
    (folder / "sheet.xlsx").write_bytes(b"not read")
    return folder


def test_a_folder_an_archive_and_a_conflict(cli: CommandLine, files: Path) -> None:
    first = cli.run("ingest", str(files))
    assert first.returncode == 0, first.stderr
    assert "2 of 2 files in the library, 1 of other formats left out." in first.stdout
    archive = cli.folder / "more.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(files / "deep" / "Zolvetrin.pdf", "a/same.pdf")
        other = make_pdf(cli.folder / "other.pdf", "The usual dose of Zolvetrin is 41 mg a day.")
        packed.write(other, "b/Zolvetrin.pdf")
    asked = cli.run("ingest", str(archive), "--json")
    lines = [json.loads(line) for line in asked.stdout.splitlines()]
    assert [(line["state"], line["code"]) for line in lines] == [
        ("ready", "ALREADY_PRESENT"),
        ("question", "NAME_EXISTS"),
    ]
    assert asked.returncode == 1 and "--on-conflict" in asked.stderr
    assert str(cli.folder) not in asked.stdout
    replaced = cli.run("ingest", str(archive), "--on-conflict", "replace")
    assert replaced.returncode == 0
    found = the_json(cli.run("search", "Zolvetrin dose", "--mode", "lexical", "--json"))["hits"]
    assert "41 mg" in found[0]["text"] and not any("37 mg" in hit["text"] for hit in found)
    listed = the_json(cli.run("documents", "--name", "zolv", "--json"))["documents"]
    assert [document["file"] for document in listed] == ["Zolvetrin.pdf"]


def test_what_holds_no_document(cli: CommandLine) -> None:
    empty = cli.folder / "empty"
    empty.mkdir()
    (cli.folder / "broken.zip").write_bytes(b"PK nonsense")
    stored = "s3://bucket/folder"  # which only a cluster reads
    ended = cli.run("ingest", str(empty), str(cli.folder / "broken.zip"), stored, "--json")
    codes = [json.loads(line)["code"] for line in ended.stdout.splitlines()]
    assert ended.returncode == 1 and codes == ["NO_FILES", "NOT_A_ZIP", "RAY_NEEDED"]


def test_an_index_from_its_making_to_its_end(
    cli: CommandLine, files: Path, tiny_model: Path
) -> None:
    made = cli.run("index", "create", "papers", "--profile", "semantic", "--json")
    assert made.returncode == 0 and the_json(made)["profile"] == "semantic"
    check_failure(cli.run("index", "create", "papers", "--json"), "INDEX_EXISTS")
    check_failure(cli.run("index", "create", "1st", "--json"), "INVALID_INDEX_NAME")
    check_failure(cli.run("index", "show", "nobody", "--json"), "INDEX_NOT_FOUND")
    check_failure(cli.run("ingest", str(files), "--index", "nobody", "--json"), "INDEX_NOT_FOUND")
    assert cli.run("ingest", str(files), "--index", "papers").returncode == 0
    shown = the_json(cli.run("index", "show", "papers", "--json"))
    assert shown["documents"] == 2 and shown["vectors"] == shown["chunks"] > 0
    assert "papers" in [
        one["name"] for one in the_json(cli.run("index", "list", "--json"))["indexes"]
    ]
    anew = cli.run("re-embed", "papers", "--json")
    assert anew.returncode == 0 and the_json(anew)["vectors"] == shown["vectors"]
    own = the_json(cli.run("re-embed", "papers", "--model", str(tiny_model), "--json"))
    assert own["dimension"] == 32 and own["vectors"] == own["chunks"] > 0
    assert the_json(cli.run("search", "water", "--index", "papers", "--json"))["hits"]
    check_failure(
        cli.run("re-embed", "papers", "--model", "no/such-model", "--json"),
        "EMBEDDING_MODEL_MISSING",
    )
    cli.run("index", "create", "archive")
    (moved, other) = the_json(cli.run("documents", "--index", "papers", "--json"))["documents"]
    there = the_json(cli.run("index", "move", moved["id"], "--to", "archive", "--json"))
    assert [one["code"] for one in there["documents"]] == ["MOVED"]
    copied = cli.run("index", "move", other["id"], "--to", "archive", "--copy")
    assert copied.returncode == 0 and "The index archive has it too" in copied.stdout
    check_failure(
        cli.run("index", "move", other["id"], "--to", "nobody", "--json"), "INDEX_NOT_FOUND"
    )
    check_failure(cli.run("index", "rename", "archive", "papers", "--json"), "INDEX_EXISTS")
    renamed = the_json(cli.run("index", "rename", "archive", "shelf", "--json"))
    assert renamed["name"] == "shelf" and renamed["documents"] == 2
    back = cli.run("index", "move", moved["id"], "--to", "papers")
    assert back.returncode == 0 and "It is in the index papers now" in back.stdout
    assert cli.run("index", "delete", "shelf", "--yes").returncode == 0
    gone = cli.run("delete", "--index", "papers", "--yes")
    assert gone.returncode == 0 and "2 documents" in gone.stdout
    assert "checked: 0 left" in gone.stdout
    check_failure(cli.run("index", "delete", "papers", "--yes", "--json"), "INDEX_NOT_FOUND")


def test_verify_finds_and_mends_a_lost_file(cli: CommandLine, files: Path) -> None:
    cli.run("ingest", str(files))
    whole = cli.run("verify", "--json")
    assert whole.returncode == 0 and the_json(whole)["consistent"] is True
    stray = cli.data / "files" / ("0" * 32 + ".pdf")
    stray.write_bytes(b"of no document")
    found = cli.run("verify", "--json")
    report = the_json(found)
    assert found.returncode == 1 and report["consistent"] is False
    assert [finding["kind"] for finding in report["findings"]] == ["orphan_file"]
    assert "--repair" in found.stderr
    mended = cli.run("verify", "--repair")
    assert mended.returncode == 0 and "Repaired" in mended.stdout and not stray.exists()


def test_abstracts_and_the_end_of_everything(cli: CommandLine) -> None:
    source = str(ROOT / "data" / "abstracts" / "arxivData.json")
    ended = cli.run("arxiv", "--input", source, "--limit", "2", "--json")
    assert ended.returncode == 0 and the_json(ended)["added"] == 2
    missing = cli.run("arxiv", "--input", "nowhere.json", "--json")
    assert missing.returncode == 1 and the_json(missing)["error"]["code"]
    gone = cli.run("delete", "--everything", "--yes", "--json")
    receipt = the_json(gone)
    assert gone.returncode == 0 and receipt["left"] == 0 and receipt["documents"] >= 2
    assert the_json(cli.run("documents", "--json")) == {"documents": []}


def test_verify_reads_beside_a_process_that_writes(
    cli: CommandLine, make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]
) -> None:
    """The dashboard holds the folder, and is in the middle of a file: neither is in the other's way."""
    with closing(make_workspace(data_dir=cli.data)) as dashboard:
        pages = [leaflet_text("warfarin", 18) for _ in range(20)]
        seen: list[Ended] = []

        def look(progress: Progress) -> None:
            if progress.chunks and not seen:
                seen.append(cli.run("verify", "--json"))

        assert dashboard.library.ingest(pdf("long.pdf", *pages), report=look).state == "ready"
        (ended,) = seen
        assert ended.returncode == 0 and the_json(ended)["findings"] == []
        after = cli.run("verify")
        assert after.returncode == 0 and "Materia is running" in after.stdout
        assert cli.run("verify", "--repair").returncode == 1
        # What is wrong is found all the same.
        document = dashboard.catalogue.documents()[0]
        original = dashboard.library.original(document.id)
        assert original is not None
        kept = original.read_bytes()
        original.unlink()
        assert [one["kind"] for one in the_json(cli.run("verify", "--json"))["findings"]] == [
            "missing_file"
        ]
        original.write_bytes(kept)
        dashboard.deletion.documents([document.id], quotes=False)


@pytest.mark.req("PR-5")
def test_a_deletion_that_has_to_wait_is_said_and_listed(
    cli: CommandLine, pdf: Callable[..., Path]
) -> None:
    cli.run("ingest", str(pdf("leaving.pdf", leaflet_text("warfarin"))))
    (document,) = the_json(cli.run("documents", "--name", "leaving", "--json"))["documents"]
    away = {"MATERIA_CHROMA_HOST": "127.0.0.1", "MATERIA_CHROMA_PORT": "9"}
    ended = cli.run("delete", document["id"], **away)
    assert ended.returncode == 1 and "leaving.pdf: is being removed." in ended.stdout
    assert "is being removed" in cli.run("documents", "--name", "leaving").stdout
    (listed,) = the_json(cli.run("documents", "--name", "leaving", "--json"))["documents"]
    assert listed["state"] == "deleting"
    assert the_json(cli.run("verify", "--json"))["consistent"]  # it finishes first
    assert the_json(cli.run("documents", "--name", "leaving", "--json"))["documents"] == []
