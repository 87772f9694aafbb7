"""Abstracts from a file in the form of the Kaggle data set ``arxivData.json``.

One JSON list of records; `author`, `link` and `tag` hold Python literals as text. Title and summary
are taken as they are.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.documents.library import ABSTRACTS, Library, Progress, Report
from core.domain.documents import Document, DocumentState, Page, Profile
from core.errors import InputError, NotFound


@dataclass(frozen=True, slots=True)
class Abstract:
    """One record: `title` and `summary` unchanged, `url` of the paper's page."""

    paper_id: str
    title: str
    summary: str
    authors: tuple[str, ...]
    url: str
    year: str


def read_abstracts(path: Path, limit: int | None = None) -> tuple[list[Abstract], int]:
    """The first `limit` records (all when None), and how many malformed ones were left out.

    Raises:
        NotFound: no such file.
        InputError: not a JSON list of such records (``ABSTRACTS_FORMAT``), or a bad limit.
    """
    if limit is not None and limit < 1:
        raise InputError("The limit must be 1 or more.", code="INVALID_LIMIT")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound("The abstracts file does not exist.", advice="Check its name.") from None
    except OSError as error:
        raise InputError(
            f"The abstracts file cannot be read ({error.strerror}).",
            advice="Check that it is a file and its permissions.",
            code="FILE_UNREADABLE",
        ) from error
    # ValueError: no JSON, no UTF-8, or a number too long to be one.
    except (ValueError, RecursionError) as error:
        raise _wrong_format("it is not JSON") from error
    if not isinstance(data, list):
        raise _wrong_format("it is not a list of records")
    abstracts: list[Abstract] = []
    malformed = 0
    for record in data:
        if limit is not None and len(abstracts) == limit:
            break
        abstract = _abstract(record)
        if abstract is None:
            malformed += 1
        else:
            abstracts.append(abstract)
    if data and not abstracts:
        raise _wrong_format("no record has a title, a summary and an id")
    return abstracts, malformed


def ingest_abstracts(
    library: Library, abstracts: Sequence[Abstract], report: Report | None = None
) -> int:
    """Add abstracts that the library does not have yet; how many were added."""
    library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    added = 0
    for number, abstract in enumerate(abstracts):
        if report is not None:
            report(Progress("embedding", number, number, len(abstracts)))
        digest = hashlib.sha256(
            json.dumps([abstract.paper_id, abstract.title, abstract.summary]).encode()
        ).hexdigest()
        if library.store.document_by_hash(ABSTRACTS, digest) is not None:
            continue
        document = Document(
            id=uuid.uuid4().hex,
            index=ABSTRACTS,
            file=f"arXiv {abstract.paper_id}",
            title=" ".join(abstract.title.split()),
            sha256=digest,
            bytes=len(abstract.summary.encode()),
            pages=0,
            chunks=0,
            state=DocumentState.INGESTING,
            created_at=datetime.now(UTC),
            metadata={
                "title": abstract.title,
                "authors": ", ".join(abstract.authors),
                "url": abstract.url,
                "year": abstract.year,
            },
        )
        library.add_text(document, [Page(1, abstract.summary)], Profile.ABSTRACT)
        added += 1
    return added


def _abstract(record: Any) -> Abstract | None:
    if not isinstance(record, dict):
        return None
    title, summary, paper_id = (record.get(name) for name in ("title", "summary", "id"))
    if not all(_is_text(value) for value in (title, summary, paper_id)):
        return None
    authors = tuple(
        str(item["name"])
        for item in _literal(record.get("author"))
        if isinstance(item, dict) and "name" in item
    )
    links = [item for item in _literal(record.get("link")) if isinstance(item, dict)]
    urls = [str(item.get("href", "")) for item in links if item.get("rel") == "alternate"]
    url = next((u for u in urls if u.startswith(("http://arxiv.org/", "https://arxiv.org/"))), "")
    return Abstract(
        str(paper_id), str(title), str(summary), authors, url, str(record.get("year", ""))
    )


def _is_text(value: Any) -> bool:
    # JSON can hold half of a surrogate pair, which no store takes.
    return (
        isinstance(value, str) and bool(value.strip()) and not re.search("[\ud800-\udfff]", value)
    )


def _literal(value: Any) -> list[Any]:
    """A list from a Python literal in text; empty when it is none. Nothing is executed."""
    if isinstance(value, list):
        return value
    try:
        parsed = ast.literal_eval(value) if isinstance(value, str) else None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return []
    return parsed if isinstance(parsed, list) else []


def _wrong_format(reason: str) -> InputError:
    return InputError(
        f"The file is not an arXiv abstracts file: {reason}.",
        advice="Expected is a JSON list of records with id, title and summary.",
        code="ABSTRACTS_FORMAT",
    )
