"""The stores of a library, and the indexes that documents can be added to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from core.documents.cutting.filling import CountMentions, Medicines
from core.documents.index_model import require_same_model
from core.documents.library.files import FileStore
from core.documents.library.in_work import InWork
from core.documents.library.loaded_encoders import LoadedEncoders
from core.documents.library.removal import Removal
from core.documents.reading.extract import ExtractLimits
from core.documents.store.library import LibraryStore
from core.documents.store.registry import Registry
from core.documents.store.token_vectors import NoTokenVectors, TokenVectorStore
from core.documents.store.vectors import VectorStore
from core.domain.documents import Index, Profile
from core.domain.encoder import Encoder
from core.errors import NotFound

LEAFLETS = "leaflets"
ABSTRACTS = "abstracts"
EARLIER = "earlier-versions"  # kept to be compared and read; searched only where it is asked for


def _none(_ids: Iterable[str]) -> Mapping[str, str]:
    return {}


def searched_in(registry: Registry) -> tuple[str, ...]:
    """Where a search looks that names no index: everywhere but among earlier versions, whose doses may be
    outdated."""
    return tuple(index.name for index in registry.indexes() if index.name != EARLIER)


def answered_from(registry: Registry) -> tuple[str, ...]:
    """Answers come from every index that is searched but the abstracts, which have a page of their own; from
    these too where there is nothing else."""
    names = searched_in(registry)
    return tuple(name for name in names if name != ABSTRACTS) or names


@dataclass(eq=False)
class Shelves:
    """What every part of a library works on.

    Args:
        encoder: called when vectors or token counts are needed.
        count_mentions: entities named in a text, with counts.
        folder: data folder, where originals go to ``files/``, unfinished uploads to ``incoming/``; or what
            keeps them elsewhere.
        max_bytes: largest file taken.
        medicines: of entity ids those that are medicines, id -> name.
        tokens: statements as the model has read them; goes with their documents.
        ask_room: raises DiskFull when nothing new can be taken in.
        models: embedding models by name, of indexes that have another one than the configured; without
            them such indexes take nothing.
    """

    store: LibraryStore
    vectors: VectorStore
    encoder: Callable[[], Encoder]
    count_mentions: CountMentions
    folder: InitVar[Path | FileStore]
    limits: ExtractLimits
    max_bytes: int
    medicines: Medicines = _none
    tokens: TokenVectorStore = field(default_factory=NoTokenVectors)
    ask_room: Callable[[], None] = lambda: None
    models: LoadedEncoders | None = None

    def __post_init__(self, folder: Path | FileStore) -> None:
        self.files = folder if isinstance(folder, FileStore) else FileStore(folder)
        self.removal = Removal(self.store, self.vectors, self.files, self.tokens)
        self.in_work = InWork()

    def encoder_for(self, index: Index) -> Encoder:
        """The model that an index was made with.

        Raises:
            EmbeddingMismatch: it is not the configured one and cannot be loaded.
        """
        configured = self.encoder()
        own = configured if self.models is None else self.models.of_index(index, configured)
        require_same_model(index, own)
        return own

    def model_named(self, name: str) -> Encoder:
        """An embedding model by name; the configured one for "".

        Raises:
            ModelError: it cannot be loaded.
        """
        configured = self.encoder()
        if not name or name == configured.name or self.models is None:
            return configured
        return self.models.get(name)

    def ensure_index(self, name: str, profile: Profile) -> Index:
        """The index, made with the configured embedding model if it is missing.

        Raises:
            EmbeddingMismatch: it was made with another model, which cannot be loaded.
        """
        encoder = self.encoder()
        with self.in_work.lock:
            index = self.store.index(name)
            if index is None:
                index = Index(name, profile, encoder.name, encoder.dimension, datetime.now(UTC))
                with self.files.rebuilding():
                    self.vectors.ensure(index.collection, encoder.dimension, encoder.name)
                    self.store.create_index(index)
        self.encoder_for(index)
        return index

    def index_for_adding(self, name: str) -> Index:
        """An index that documents can be added to, by its name or the one that it had before; the default
        one is made when it is missing.

        Raises:
            NotFound: no such index.
            EmbeddingMismatch: it was made with another model, which cannot be loaded.
        """
        index = self.store.index(name) or self.store.index(self.store.present_name(name) or "")
        if index is None and name == LEAFLETS:
            return self.ensure_index(name, Profile.LEAFLET)
        if index is None:
            raise NotFound(
                f"There is no index “{name}”.",
                advice="Create it in the Library first.",
                code="INDEX_NOT_FOUND",
            )
        self.encoder_for(index)
        return index
