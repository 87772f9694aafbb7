"""A file's text, chunks and vectors from its bytes, an index's settings and the graph's names alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from core.documents.cutting.filling import Made, described, embed, filled
from core.documents.library.names import display_name, title_from_name
from core.documents.reading.extract import ExtractLimits, extract
from core.documents.reading.formats import kind_of
from core.domain.documents import Document, DocumentState, Index, Profile
from core.domain.encoder import Encoder
from core.graph.names.linker import EntityLinker, count_mentions

_NOBODY = "made"  # an id that no document has


@dataclass(frozen=True, slots=True)
class Recipe:
    """How files are read and cut, and what they are embedded with; no key is in it."""

    limits: ExtractLimits
    model: str
    profile: Profile

    @classmethod
    def of(cls, index: Index, limits: ExtractLimits) -> Recipe:
        """For files that come into an index."""
        return cls(limits, index.model, index.profile)


class Maker:
    """Works files out; for one thread.

    Args:
        encoder: the model that `recipe` names.
        names: all names of the graph, see `EntityLinker`.
    """

    def __init__(
        self, recipe: Recipe, encoder: Encoder, names: Iterable[tuple[str, str, str]]
    ) -> None:
        self._recipe = recipe
        self._encoder = encoder
        self._drugs: dict[str, str] = {}
        known = list(names)
        for name, entity_id, entity_type in known:
            if entity_type == "Drug":
                self._drugs.setdefault(entity_id, name)  # an entity's name comes first
        self._linker = EntityLinker(known)

    def make(self, path: Path, name: str) -> Made:
        """What the library would make of a file.

        Raises:
            DocumentError, TooLarge: it cannot be read, see `extract`.
            ModelError: the embedding model fails.
        """
        shown = display_name(name)
        kind = kind_of(path, shown)
        document = Document(
            id=_NOBODY,
            index="",
            file=shown,
            title=title_from_name(shown),
            sha256=digest_of(path),
            bytes=path.stat().st_size,
            pages=0,
            chunks=0,
            state=DocumentState.INGESTING,
            created_at=datetime.now(UTC),
            kind=kind,
        )
        with TemporaryDirectory(prefix="materia-") as folder:
            copy = Path(folder) / "copy.pdf"
            extracted = extract(path, kind=kind, limits=self._recipe.limits, copy=copy)
            copied = copy.read_bytes() if extracted.has_copy else None
        read = described(
            document, extracted.pages, extracted.metadata, self._count, self._medicines
        )
        read = replace(
            read, blank_pages=len(extracted.blank_pages), ocr_pages=len(extracted.ocr_pages)
        )
        recipe = self._recipe
        filling = filled(read, extracted.pages, recipe.profile, self._encoder, self._count)
        vectors = embed(self._encoder, filling.chunks)
        return Made(shown, recipe.model, recipe.profile, filling, vectors, copied)

    def _count(self, text: str) -> Mapping[str, int]:
        return count_mentions(self._linker.find(text))

    def _medicines(self, ids: Iterable[str]) -> Mapping[str, str]:
        return {one: self._drugs[one] for one in ids if one in self._drugs}


def digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
