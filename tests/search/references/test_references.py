"""What a search found, as BibTeX, RIS and CSV, read back; and addresses that can exist."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Chunk, Document, DocumentState, Hit, Kind
from core.search.references.bibtex import to_bibtex
from core.search.references.links import arxiv_id, doi, links, pmid
from core.search.references.records import Reference, references
from core.search.references.ris import to_ris
from core.search.references.table import to_csv

WORDS = st.text(st.characters(codec="utf-8"), max_size=40)
NAMES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1).map(
        lambda name: f"A {name}"
    ),
    max_size=3,
)


def clean(text: str) -> str:
    """What can be kept of a text on one line."""
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())


def read_bibtex(text: str) -> list[tuple[str, dict[str, str]]]:
    """Entries with their fields, by BibTeX's own rule: a value ends where its braces are balanced."""
    entries = []
    at = 0
    while (found := re.compile(r"@misc\{([^,{}\s]+),\n").search(text, at)) is not None:
        assert text[at : found.start()].strip() == ""
        at, fields = found.end(), {}
        while text[at] != "}":
            head = re.compile(r"\s*(\w+) = \{").match(text, at)
            assert head is not None, text[at : at + 60]
            depth, end = 1, head.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            fields[head[1]] = text[head.end() : end - 1]
            at = re.compile(r",?\s*").match(text, end).end()  # type: ignore[union-attr]
        at += 1
        entries.append((found[1], fields))
    assert text[at:].strip() == ""
    return entries


def plain(value: str) -> str:
    """A value as LaTeX prints it."""
    names = {"backslash": "\\", "braceleft": "{", "braceright": "}"}
    names |= {"asciitilde": "~", "asciicircum": "^"}
    value = re.sub(r"^\{(.*)\}$", r"\1", value)
    return re.sub(r"\\text([a-z]+)\{\}|\\([$&%#_])", lambda m: names[m[1]] if m[1] else m[2], value)


def read_ris(text: str) -> list[dict[str, list[str]]]:
    """Records with the values of each tag."""
    records: list[dict[str, list[str]]] = []
    for line in text.split("\r\n")[:-1]:
        found = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line)
        assert found is not None, line
        if found[1] == "TY":
            records.append({})
        records[-1].setdefault(found[1], []).append(found[2])
    assert all(one.get("ER") == [""] for one in records)
    return records


def a_reference(**more: object) -> Reference:
    return replace(Reference("key-1", "Title", (), "2024", "a.pdf"), **more)  # type: ignore[arg-type]


@given(WORDS, NAMES, WORDS)
def test_any_text_comes_back_from_bibtex(title: str, names: list[str], abstract: str) -> None:
    one = a_reference(title=title, authors=tuple(names), abstract=abstract, is_paper=True)
    ((key, fields), (other, _)) = read_bibtex(to_bibtex([one, a_reference(key="key-2")]))
    assert (key, other) == ("key-1", "key-2")
    assert plain(fields.get("title", "{}")) == clean(title)
    assert plain(fields.get("abstract", "")) == clean(abstract)
    assert fields["year"] == "2024" and "howpublished" not in fields
    if names and not any("," in one for one in names):
        assert [plain(one) for one in fields["author"].split(" and ")] == [clean(n) for n in names]


@given(WORDS, NAMES, WORDS)
def test_any_text_comes_back_from_ris(title: str, names: list[str], abstract: str) -> None:
    one = a_reference(title=title, authors=tuple(names), abstract=abstract, is_paper=True)
    first, second = read_ris(to_ris([one, a_reference(pages=(2, 7))]))
    assert first.get("TI", [""]) == [clean(title)] and first.get("AB", [""]) == [clean(abstract)]
    assert first.get("AU", []) == [clean(name) for name in names]
    assert (first["TY"], second["TY"]) == (["UNPB"], ["GEN"])
    assert (second["SP"], second["EP"], second["N1"]) == (["2"], ["7"], ["a.pdf"])


def a_hit(text: str, page: int = 0, **more: object) -> Hit:
    document = Document(
        id="0123456789abcdef",
        index="abstracts",
        file="arXiv 1802.00209v1",
        title="=cmd()",
        sha256="x",
        bytes=1,
        pages=0,
        chunks=1,
        state=DocumentState.READY,
        created_at=datetime(2026, 11, 23, tzinfo=UTC),
        metadata={
            "authors": "Ada Lovelace, Alan Turing",
            "year": "2018",
            "url": "http://arxiv.org/abs/1802.00209v1",
        },
        kind=Kind.ABSTRACT,
    )
    chunk = Chunk(f"c:{page}", document.id, 0, page, "", "", 0, len(text), text, "")
    return Hit(chunk, replace(document, **more), 0.5, 0.5)  # type: ignore[arg-type]


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_any_passage_comes_back_from_csv_and_none_is_a_formula(texts: list[str]) -> None:
    data = to_csv([a_hit(text, number) for number, text in enumerate(texts)], lambda _: "")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert len(rows) == len(texts)
    for row, text in zip(rows, texts, strict=True):
        told = " ".join(text.split())
        assert row["text"] in (told, f"'{told}") and row["text"][:1] not in tuple("=+-@\t\r")
        assert row["title"] == "'=cmd()" and row["authors"] == "Ada Lovelace; Alan Turing"


def test_a_document_is_one_reference_with_the_pages_that_were_found() -> None:
    hits = [a_hit("b", 7), a_hit("a", 2), a_hit("c", 7)]
    (one,) = references(hits, lambda _: "The  whole\nabstract")
    assert one.key == "arXiv-1802-00209v1-01234567" and one.pages == (2, 7)
    assert (one.arxiv, one.url) == ("1802.00209v1", "https://arxiv.org/abs/1802.00209v1")
    assert one.abstract == "The whole abstract" and one.year == "2018"
    # Of a file with several products it names each that something was found about.
    products = [
        a_hit("b", 2, title="Bemol"),
        a_hit("a", 9, title="Alol"),
        a_hit("c", title="Bemol"),
    ]
    assert [one.title for one in references(products, lambda _: "")] == ["Bemol; Alol"]
    file = a_hit("x", 1, kind=Kind.PDF, metadata={}, file="Ä & Ö.pdf")
    (one,) = references([file], lambda _: "")
    assert (one.year, one.url, one.authors, one.is_paper) == ("", "", (), False)
    assert one.key.isascii() and re.fullmatch(r"[A-Za-z0-9-]+", one.key)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("http://arxiv.org/abs/1802.00209v1", "1802.00209v1"),
        ("https://arxiv.org/abs/hep-th/9901001", "hep-th/9901001"),
        ("arXiv:0704.0001", "0704.0001"),
        ("http://arxiv.org/abs/0000.00001v1", ""),
        ("1813.00209", ""),
        ("1802.00000", ""),
        ("0703.0001", ""),
        ("http://arxiv.org.evil.example/abs/1802.00209", ""),
        ("https://evil.example/1802.00209", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_an_arxiv_identifier_is_one_or_none(text: str, found: str) -> None:
    assert arxiv_id(text) == found


def test_a_doi_and_a_pubmed_number_are_one_or_none() -> None:
    assert doi("https://doi.org/10.1000/182") == doi("doi:10.1000/182.") == "10.1000/182"
    assert [doi(text) for text in ("10.1/x", "11.1000/182", "10.1000/a b", "10.1000/<x>")] == [
        ""
    ] * 4
    assert pmid("PMID: 123") == pmid("https://pubmed.ncbi.nlm.nih.gov/123/") == "123"
    assert [pmid(text) for text in ("0", "012", "123456789", "12a", "")] == [""] * 5
    found = links({"DOI": "10.1000/a(b)_c", "pmid": "77", "url": "https://evil.example/x"})
    assert found == [
        ("DOI", "https://doi.org/10.1000/a(b)_c"),
        ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/77/"),
    ]
