"""References as RIS: a tag and a value on each line; a line has no end within its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.search.references.records import Reference


def to_ris(references: Iterable[Reference]) -> str:
    """A record for each reference: ``UNPB`` (a preprint) for papers, ``GEN`` for any other document."""
    return "".join(f"{line}\r\n" for one in references for line in _record(one))


def _record(one: Reference) -> Iterator[str]:
    values = [
        ("TY", "UNPB" if one.is_paper else "GEN"),
        ("ID", one.key),
        ("TI", one.title),
        *(("AU", name) for name in one.authors),
        ("PY", one.year),
        ("DO", one.doi),
        ("UR", one.url),
        ("AN", one.arxiv or one.pmid),
        ("N1", "" if one.is_paper else one.file),
        ("SP", str(one.pages[0]) if one.pages else ""),
        ("EP", str(one.pages[-1]) if one.pages else ""),
        ("AB", one.abstract),
    ]
    for tag, value in values:
        told = " ".join("".join(c for c in value if c.isprintable() or c.isspace()).split())
        if told:
            yield f"{tag}  - {told}"
    yield "ER  - "
