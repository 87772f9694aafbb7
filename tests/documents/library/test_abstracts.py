"""Abstracts in arXiv's form: taken as they are, in batches, and every malformed one named."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.cutting.filling import EMBED_BATCH
from core.documents.library.abstracts import import_abstracts
from core.documents.library.shelves import ABSTRACTS
from core.domain.documents import Kind
from core.domain.jobs import JobProgress
from core.errors import Cancelled, InputError, NotFound, StoreError
from tests.support.fakes import FailingEncoder
from tests.support.shelf import NOTHING, Shelf, open_shelf

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "abstracts" / "arxivData.json"
words = st.text(min_size=1, max_size=200).filter(lambda text: text.strip())
records = st.fixed_dictionaries(
    {"id": words, "title": words, "summary": words},
    optional={
        "author": st.text(max_size=20) | st.just("[{'name': 'A. Author'}]"),
        "link": st.text(max_size=20) | st.none(),
        "year": st.integers(1990, 2030),
        "tag": st.text(max_size=10),
    },
)


def write(folder: Path, data: Any) -> Path:
    path = folder / "arxivData.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def numbered(count: int) -> list[dict[str, str]]:
    return [
        {"id": f"1802.{n:05}v1", "title": f"Title {n}", "summary": f"Summary {n} of warfarin."}
        for n in range(count)
    ]


def stored(shelf: Shelf) -> list[tuple[str, str, str]]:
    """Name, title and text of each abstract that is ready."""
    found = []
    for document in shelf.store.documents(ABSTRACTS):
        (page,) = shelf.store.pages(document.id)
        assert (page.number, document.pages, document.kind) == (0, 0, Kind.ABSTRACT)
        found.append((document.file, document.metadata["title"], page.text))
    return sorted(found)


def expected(data: list[Any]) -> list[tuple[str, str, str]]:
    return sorted({(f"arXiv {one['id']}", one["title"], one["summary"]) for one in data})


@pytest.mark.req("AX-1")
@given(data=st.lists(records, min_size=1, max_size=5))
def test_title_and_summary_are_kept_without_change(data: list[Any]) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shelf = open_shelf(Path(folder))
        done = import_abstracts(shelf.library, write(Path(folder), data))
        assert (done.added + done.repeated, done.malformed) == (len(data), 0)
        assert stored(shelf) == expected(data)
        shelf.database.close()


@pytest.mark.req("AX-5")
@given(data=st.lists(records, max_size=8), limit=st.integers(1, 10), broken=st.integers(0, 3))
def test_a_limit_takes_exactly_that_many_or_all(data: list[Any], limit: int, broken: int) -> None:
    distinct = list({(one["id"], one["title"], one["summary"]): one for one in data}.values())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        shelf = open_shelf(Path(folder))
        path = write(Path(folder), [{"title": "x"}] * broken * bool(data) + data)
        for again in (False, True):
            done = import_abstracts(shelf.library, path, limit)
            taken = min(limit, len(distinct))
            assert (done.added, done.known) == ((0, taken) if again else (taken, 0))
            assert done.read == done.added + done.known + done.repeated + done.malformed
        assert stored(shelf) == expected(distinct[:limit])
        shelf.database.close()


@pytest.mark.req("AX-1", "AX-5")
def test_the_sample_is_stored_as_it_is(workspace_dir: Path) -> None:
    shelf = open_shelf(workspace_dir)
    assert import_abstracts(shelf.library, SAMPLE, 12).added == 12
    assert stored(shelf) == expected(json.loads(SAMPLE.read_text("utf-8"))[:12])
    for document in shelf.store.documents(ABSTRACTS):
        assert document.metadata["url"].startswith("http://arxiv.org/abs/")
    rows = shelf.rows()
    again = import_abstracts(shelf.library, SAMPLE, 12)
    assert again.message == "0 abstracts added, 12 were there before."
    assert shelf.rows() == rows and rows["vectors"] == rows["chunks"] == rows["full text"]


def test_progress_covers_the_file(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    seen: list[JobProgress] = []
    import_abstracts(shelf.library, write(tmp_path, numbered(450)), report=seen.append)
    assert [one.fraction for one in seen] == sorted(one.fraction for one in seen)
    assert [one.chunks for one in seen] == sorted(one.chunks for one in seen)
    assert (seen[-1].done, seen[-1].chunks, seen[-1].fraction) == (450, 450, 1.0)


def test_a_cancelled_import_goes_on_where_it_stopped(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    data = numbered(450)
    path = write(tmp_path, data)
    with pytest.raises(Cancelled) as caught:
        import_abstracts(
            shelf.library, path, cancelled=lambda: shelf.store.count_index(ABSTRACTS).documents > 0
        )
    assert "200 abstracts added before" in str(caught.value)
    assert stored(shelf) == expected(data[:200])
    done = import_abstracts(shelf.library, path)
    assert (done.added, done.known) == (250, 200)
    assert stored(shelf) == expected(data)


def test_a_cancelled_batch_leaves_nothing(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    stages: list[str] = []
    with pytest.raises(Cancelled) as caught:
        import_abstracts(
            shelf.library,
            write(tmp_path, numbered(150)),
            report=lambda progress: stages.append(progress.stage),
            cancelled=lambda: "embedding abstracts" in stages,
        )
    assert "0 abstracts added before" in str(caught.value)
    assert shelf.rows() == NOTHING


def test_a_failed_batch_is_added_by_the_next_run(workspace_dir: Path, tmp_path: Path) -> None:
    failing = FailingEncoder(200 // EMBED_BATCH + 2, StoreError("The disk is full."))
    data = numbered(450)
    path = write(tmp_path, data)
    with pytest.raises(StoreError):
        import_abstracts(open_shelf(workspace_dir, encoder=failing).library, path)
    shelf = open_shelf(workspace_dir)
    assert stored(shelf) == expected(data[:200])
    assert import_abstracts(shelf.library, path).added == 250
    assert stored(shelf) == expected(data)


def test_what_a_crash_left_does_not_pass_for_known(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    data = numbered(3)
    path = write(tmp_path, data)
    import_abstracts(shelf.library, path)
    shelf.store.mark_deleting([shelf.store.documents(ABSTRACTS)[0].id])
    assert len(stored(shelf)) == 2
    done = import_abstracts(shelf.library, path)
    assert (done.added, done.known) == (1, 2)
    assert stored(shelf) == expected(data)


def test_versions_and_repetitions(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    first = {"id": "1v1", "title": "T", "summary": "S"}
    data = [first, {**first, "year": 2018}, {**first, "summary": "Other"}, {**first, "id": "1v2"}]
    done = import_abstracts(shelf.library, write(tmp_path, data))
    assert (done.added, done.repeated) == (3, 1)
    assert stored(shelf) == expected(data)


def test_malformed_records_are_left_out_and_named(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    good = {"id": "1", "title": "T", "summary": "S"}
    data = [
        good,
        {**good, "id": 7},
        "text",
        {**good, "summary": " \u2003"},
        {**good, "title": "\ud83dA"},
        {**good, "title": "\udc00"},
        *[[]] * 120,
    ]
    done = import_abstracts(shelf.library, write(tmp_path, data))
    assert (done.added, done.malformed, done.read) == (1, 125, 126)
    assert [(one.record, one.reason) for one in done.problems[:5]] == [
        ("record 2", "no id"),
        ("record 3", "not a record"),
        ("record 4", "no summary"),
        ("record 5", "damaged characters in the title"),
        ("record 6", "damaged characters in the title"),
    ]
    assert len(done.problems) == 100
    assert done.message == (
        "1 abstract added, 125 malformed records left out (record 2: no id, record 3: not a record, "
        "record 4: no summary, ...)."
    )


def test_a_file_that_breaks_off_keeps_what_was_complete(
    workspace_dir: Path, tmp_path: Path
) -> None:
    shelf = open_shelf(workspace_dir)
    data = numbered(250)
    path = write(tmp_path, data)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError) as caught:
        import_abstracts(shelf.library, path)
    assert caught.value.code == "ABSTRACTS_FORMAT" and "not added twice" in caught.value.advice
    assert "breaks off after record 249" in str(caught.value) and "249 added" in str(caught.value)
    assert stored(shelf) == expected(data[:249])
    done = import_abstracts(shelf.library, write(tmp_path, data))
    assert (done.added, done.known) == (1, 249)


def test_a_bad_byte_costs_its_record_only(workspace_dir: Path, tmp_path: Path) -> None:
    shelf = open_shelf(workspace_dir)
    data = numbered(3)
    path = write(tmp_path, data)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"Title 1", b"Title \xff"))
    done = import_abstracts(shelf.library, path)
    assert (done.added, done.problems[0].record) == (2, "record 2")
    assert stored(shelf) == expected([data[0], data[2]])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"not json",
        b'{"title": "one record, no list"}',
        b'["text", 1, null]',
        b'[{"title": "no id", "summary": "x"}]',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"[" + b"1" * 5000 + b"]",
        b"null",
        b'[{"id": "1", "title": "\\ud800", "summary": "half a character"}]',
        b'[{"id": "1", "title": " ", "summary": "x"}]',
    ],
)
def test_a_malformed_file_is_named(workspace_dir: Path, tmp_path: Path, content: bytes) -> None:
    shelf = open_shelf(workspace_dir)
    path = tmp_path / "arxivData.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        import_abstracts(shelf.library, path)
    assert caught.value.code == "ABSTRACTS_FORMAT" and caught.value.advice
    assert str(tmp_path) not in str(caught.value)
    assert shelf.store.index(ABSTRACTS) is None, "such a file leaves no index behind"


def test_missing_file_folder_and_bad_limit(workspace_dir: Path, tmp_path: Path) -> None:
    run = partial(import_abstracts, open_shelf(workspace_dir).library)
    with pytest.raises(NotFound):
        run(tmp_path / "nowhere.json")
    with pytest.raises(InputError) as caught:
        run(tmp_path)
    assert caught.value.code == "FILE_UNREADABLE" and str(tmp_path) not in str(caught.value)
    for limit in (0, -1):
        with pytest.raises(InputError) as bad:
            run(SAMPLE, limit)
        assert bad.value.code == "INVALID_LIMIT"


def test_an_empty_list_is_no_error(workspace_dir: Path, tmp_path: Path) -> None:
    done = import_abstracts(open_shelf(workspace_dir).library, write(tmp_path, []))
    assert (done.read, done.message) == (0, "0 abstracts added.")


def test_a_file_of_another_form_is_refused(workspace_dir: Path, shared_data: Path) -> None:
    shelf = open_shelf(workspace_dir)
    with pytest.raises(InputError) as caught:
        import_abstracts(shelf.library, shared_data / "arxiv" / "wrong_schema.json")
    assert caught.value.code == "ABSTRACTS_FORMAT"
    assert shelf.rows() == NOTHING
