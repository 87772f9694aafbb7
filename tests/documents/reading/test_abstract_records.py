"""Records of an arXiv file: one after the other, unchanged, whatever else the file holds."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.reading.abstract_records import Abstract, read_abstracts
from core.errors import InputError

RECORD = {"id": "1", "title": "T", "summary": "S"}
ARXIV = ("http://arxiv.org/", "https://arxiv.org/")


def abstracts(path: Path, content: Any) -> list[Abstract]:
    """The well-formed records of a file; `content` is its bytes, or what its JSON says."""
    path = path / "arxivData.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return [record for record, _ in read_abstracts(path) if isinstance(record, Abstract)]


@given(
    numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(), max_size=30),
    length=st.integers(65_480, 65_560),
    indent=st.none() | st.integers(0, 3),
)
def test_any_value_may_lie_across_the_windows_edge(
    tmp_path: Path, numbers: list[float], length: int, indent: int | None
) -> None:
    long = {**RECORD, "summary": "é" * length}
    data: list[Any] = [long, *numbers, RECORD]
    content = json.dumps(data, indent=indent, ensure_ascii=False).encode()
    assert [len(one.summary) for one in abstracts(tmp_path, content)] == [length, 1]
    content = json.dumps(numbers, indent=indent).encode().rjust(length)
    path = tmp_path / "arxivData.json"
    path.write_bytes(content)
    assert len(list(read_abstracts(path))) == len(numbers)


@given(cut=st.integers(0, 400))
def test_records_before_a_break_are_given(tmp_path: Path, cut: int) -> None:
    content = json.dumps([RECORD] * 10).encode()
    path = tmp_path / "arxivData.json"
    path.write_bytes(content[:cut])
    found = 0
    if cut < len(content):
        with pytest.raises(InputError) as caught:
            for found, _ in enumerate(read_abstracts(path), 1):  # noqa: B007
                pass
        assert caught.value.code == "ABSTRACTS_FORMAT"
    else:
        found = len(list(read_abstracts(path)))
    assert found == content[:cut].count(b"}")


@given(link=st.text(max_size=80) | st.none() | st.integers(), author=st.text(max_size=80))
def test_any_link_or_author_field_is_survived(tmp_path: Path, link: Any, author: str) -> None:
    (found,) = abstracts(tmp_path, [{**RECORD, "link": link, "author": author}])
    assert found.url == "" or found.url.startswith(ARXIV)


@pytest.mark.parametrize(
    "literal",
    [
        "{[]: 1}",
        "[" * 3000,
        "9" * 5000,
        "[{'name': 0x" + "f" * 9000 + "}]",
        "__import__('os').getcwd()",
        "[{'name': ",
        "\x00",
        "\ud800",
        "1e999",
    ],
)
def test_hostile_literals_are_empty(tmp_path: Path, literal: str) -> None:
    (found,) = abstracts(tmp_path, [{**RECORD, "link": literal, "author": literal}])
    assert (found.url, found.authors) == ("", ())


def test_halves_of_characters_do_not_reach_the_store(tmp_path: Path) -> None:
    link = "[{'rel': 'alternate', 'href': 'http://arxiv.org/\\ud800'}]"
    record = {**RECORD, "author": "[{'name': 'A\\ud800'}]", "link": link, "year": "\ud800"}
    (found,) = abstracts(tmp_path, [record])
    assert (found.authors, found.url, found.year) == (("A?",), "http://arxiv.org/?", "?")


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
    assert abstracts(tmp_path, [{**RECORD, "link": links}])[0].url == url


def test_a_large_file_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "arxivData.json"
    record = json.dumps({**RECORD, "summary": "warfarin " * 160})
    with path.open("w", encoding="utf-8") as file:
        file.write("[" + record)
        for _ in range(20_000):
            file.write(", " + record)
        file.write("]")
    assert path.stat().st_size > 29_000_000
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_abstracts(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 20_001
    assert peak < 10_000_000


@pytest.mark.parametrize(
    "content", [b"[" * 30_000_000, b'["' + b"a" * 30_000_000, b" " * 30_000_000]
)
def test_a_hostile_file_needs_little_memory(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "arxivData.json"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(InputError):
            list(read_abstracts(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_the_real_file_is_read_unchanged(shared_data: Path) -> None:
    path = shared_data / "arxiv" / "arxivData_sample1500.json"
    raw = json.loads(path.read_text("utf-8"))
    found = [record for record, _ in read_abstracts(path) if isinstance(record, Abstract)]
    assert [(one.paper_id, one.title, one.summary) for one in found] == [
        (record["id"], record["title"], record["summary"]) for record in raw
    ]
    assert all(one.url.startswith(ARXIV) and one.authors for one in found)
