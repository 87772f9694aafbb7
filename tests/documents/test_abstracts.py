"""Abstracts in arXiv's form: taken as they are, and every malformed file named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.abstracts import ingest_abstracts, read_abstracts
from core.documents.library import ABSTRACTS, Progress
from core.errors import InputError, MateriaError, NotFound
from tests.shelf import open_shelf

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "abstracts" / "arxivData.json"
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


@pytest.mark.req("AX-1")
@given(data=st.lists(records, min_size=1, max_size=5))
def test_title_and_summary_are_taken_without_change(tmp_path: Path, data: list[Any]) -> None:
    found, malformed = read_abstracts(write(tmp_path, data))
    assert malformed == 0
    assert [(one.paper_id, one.title, one.summary) for one in found] == [
        (record["id"], record["title"], record["summary"]) for record in data
    ]


@pytest.mark.req("AX-5")
@given(data=st.lists(records, max_size=12), limit=st.integers(1, 15), broken=st.integers(0, 3))
def test_a_limit_takes_exactly_that_many_or_all(
    tmp_path: Path, data: list[Any], limit: int, broken: int
) -> None:
    found, _ = read_abstracts(write(tmp_path, [{"title": "x"}] * broken * bool(data) + data), limit)
    assert len(found) == min(limit, len(data))
    assert [one.title for one in found] == [record["title"] for record in data[:limit]]


@given(link=st.text(max_size=80) | st.none() | st.integers(), author=st.text(max_size=80))
def test_any_link_or_author_field_is_survived(tmp_path: Path, link: Any, author: str) -> None:
    record = {"id": "1", "title": "T", "summary": "S", "link": link, "author": author}
    found, malformed = read_abstracts(write(tmp_path, [record]))
    assert len(found) == 1 and malformed == 0
    assert found[0].url == "" or found[0].url.startswith(
        ("http://arxiv.org/", "https://arxiv.org/")
    )


@pytest.mark.parametrize(
    "literal",
    ["{[]: 1}", "[" * 3000, "9" * 5000, "__import__('os').getcwd()", "[{'name': ", "\x00", "1e999"],
)
def test_hostile_literals_are_empty(tmp_path: Path, literal: str) -> None:
    record = {"id": "1", "title": "T", "summary": "S", "link": literal, "author": literal}
    (found,), malformed = read_abstracts(write(tmp_path, [record]))
    assert (found.url, found.authors, malformed) == ("", (), 0)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("http://arxiv.org/abs/1", "http://arxiv.org/abs/1"),
        ("javascript:alert(1)", ""),
        ("https://arxiv.org.evil.example/abs/1", ""),
    ],
)
def test_only_links_to_arxiv_are_kept(tmp_path: Path, href: str, url: str) -> None:
    links = str([{"rel": "alternate", "href": href}])
    record = {"id": "1", "title": "T", "summary": "S", "link": links}
    assert read_abstracts(write(tmp_path, [record]))[0][0].url == url


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
def test_a_malformed_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "arxivData.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_abstracts(path)
    assert caught.value.code == "ABSTRACTS_FORMAT" and caught.value.advice
    assert str(tmp_path) not in str(caught.value)


def test_missing_file_folder_and_bad_limit(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_abstracts(tmp_path / "nowhere.json")
    with pytest.raises(MateriaError) as caught:
        read_abstracts(tmp_path)
    assert caught.value.code == "FILE_UNREADABLE" and str(tmp_path) not in str(caught.value)
    for limit in (0, -1):
        with pytest.raises(InputError) as bad:
            read_abstracts(SAMPLE, limit)
        assert bad.value.code == "INVALID_LIMIT"


def test_malformed_records_are_left_out_and_counted(tmp_path: Path) -> None:
    good = {"id": "1", "title": "T", "summary": "S"}
    data = [good, {"id": 7, "title": "T", "summary": "S"}, "text", {**good, "summary": ""}]
    found, malformed = read_abstracts(write(tmp_path, data))
    assert len(found) == 1 and malformed == 3


def test_an_empty_list_is_no_error(tmp_path: Path) -> None:
    assert read_abstracts(write(tmp_path, [])) == ([], 0)


@pytest.mark.req("AX-1", "AX-5")
def test_stored_abstracts_are_the_records(workspace_dir: Path) -> None:
    shelf = open_shelf(workspace_dir)
    abstracts, malformed = read_abstracts(SAMPLE, limit=12)
    assert len(abstracts) == 12 and malformed == 0
    seen: list[Progress] = []
    assert ingest_abstracts(shelf.library, abstracts, seen.append) == 12
    assert [progress.pages for progress in seen] == list(range(12))
    raw = {record["title"]: record["summary"] for record in json.loads(SAMPLE.read_text("utf-8"))}
    documents = shelf.store.documents(ABSTRACTS)
    assert len(documents) == 12
    for document in documents:
        page = shelf.store.page(document.id, 1)
        assert page is not None and page.text == raw[document.metadata["title"]]
        assert document.metadata["url"].startswith("http://arxiv.org/abs/")
    assert ingest_abstracts(shelf.library, abstracts) == 0, "what is there is not added again"
    assert len(shelf.store.documents(ABSTRACTS)) == 12


@pytest.mark.req("AX-1")
def test_the_real_file(shared_data: Path) -> None:
    path = shared_data / "arxiv" / "arxivData_sample1500.json"
    raw = json.loads(path.read_text("utf-8"))
    found, malformed = read_abstracts(path)
    assert malformed == 0 and len(found) == len(raw) == 1500
    assert all(
        (one.title, one.summary) == (record["title"], record["summary"])
        for one, record in zip(found, raw, strict=True)
    )
    assert all(one.url.startswith("http") and one.authors for one in found)


def test_a_file_of_another_form_is_refused(shared_data: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_abstracts(shared_data / "arxiv" / "wrong_schema.json")
    assert caught.value.code == "ABSTRACTS_FORMAT"
