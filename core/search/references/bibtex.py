r"""References as BibTeX.

Signs that LaTeX reads are written as commands. A brace in a value is one too (``\textbraceleft``): BibTeX
counts braces even where a backslash is before them. Everything else stays as it is, in UTF-8, and so do
identifiers and addresses, which styles print verbatim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.search.references.records import Reference

_COMMANDS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "$&%#_"},
    }
)


def to_bibtex(references: Iterable[Reference]) -> str:
    """An entry for each reference: ``@misc``, which arXiv itself gives, with the file it stands in."""
    return "\n".join(map(_entry, references))


def _entry(one: Reference) -> str:
    fields = {
        "title": f"{{{_text(one.title)}}}",  # twice in braces: capital letters stay
        "author": _authors(one.authors),
        "year": _text(one.year),
        "eprint": one.arxiv,
        "archiveprefix": "arXiv" if one.arxiv else "",
        "doi": one.doi,
        "url": one.url,
        "howpublished": "" if one.is_paper else _text(one.file),
        "pages": ", ".join(map(str, one.pages)),
        "note": f"PMID {one.pmid}" if one.pmid else "",
        "abstract": _text(one.abstract),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@misc{{{one.key},\n" + ",\n".join(lines) + "\n}\n"


def _authors(names: Sequence[str]) -> str:
    """Joined by "and"; a name that has this word or a comma is kept together."""
    return " and ".join(
        f"{{{_text(name)}}}" if "," in name or " and " in f" {name.casefold()} " else _text(name)
        for name in names
    )


def _text(text: str) -> str:
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split()).translate(
        _COMMANDS
    )
