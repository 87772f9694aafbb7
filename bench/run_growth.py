"""One size of the growth benchmark: ``python -m bench.run_growth JOB REPORT``.

JOB: ``folder`` (of the library; what is in it already is kept), ``passages`` (it is filled up to so many),
``collection`` (BEIR folder whose texts are recombined and whose questions are asked), ``questions``.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.children import own_peak_mb
from bench.quality import load_collection
from core.domain.vectors import Vectors

if TYPE_CHECKING:
    from core.documents.library.library import Library
    from core.domain.documents import Document, Page

_INDEX = "passages"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_WORD = re.compile(r"\w+")
_SENTENCES = 6_000  # that are embedded, to know what words are near to each other
_OF_DOCUMENT = 80  # sentences
_TOGETHER = 8  # documents of one transaction
_DELETED = 5
_WANTED = 20  # candidates, as MATERIA_CANDIDATES has it
_SEED = 19

Times = tuple[float, float]


class MixedEncoder:
    """Vectors of recombined texts at next to no cost: the mean of what the model makes of the sentences
    that a word is in, summed over a text's words, rare ones more."""

    name, max_tokens = "mixed", 256

    def __init__(self, sentences: Sequence[str], vectors: Vectors) -> None:
        self.spent = [0.0, 0.0]  # seconds, and those of them that this process's threads worked
        self.dimension = vectors.shape[1]
        self._places: dict[str, int] = {}
        of = [
            [self._places.setdefault(word, len(self._places)) for word in _words(sentence)]
            for sentence in sentences
        ]
        sums = np.zeros((len(self._places), self.dimension), dtype=np.float32)
        counts = np.zeros(len(self._places), dtype=np.float32)
        middle = vectors.mean(axis=0)
        for places, vector in zip(of, vectors, strict=True):
            sums[places] += vector - middle
            counts[places] += 1
        self._vectors = sums / counts[:, None] * np.log(1 + len(of) / counts)[:, None]

    def encode(self, texts: Sequence[str]) -> Vectors:
        started = time.perf_counter(), time.process_time()
        rows = np.stack([self._sum(text) for text in texts])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
        self.spent[0] += time.perf_counter() - started[0]
        self.spent[1] += time.process_time() - started[1]
        return unit

    def _sum(self, text: str) -> Vectors:
        places = [self._places[word] for word in _words(text) if word in self._places]
        summed: Vectors = self._vectors[places].sum(axis=0) + np.float32(1e-6)
        return summed

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 for text in texts]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def measure(job: Mapping[str, Any]) -> dict[str, Any]:
    """Fill the library up to the size wanted, then open it anew and time what is asked of it."""
    folder = Path(job["folder"])
    collection = load_collection(Path(job["collection"]), job["questions"])
    sentences = [
        sentence
        for _, text in collection.texts.values()
        for sentence in _SENTENCE.split(text)
        if len(sentence) > 20
    ]
    encoder = MixedEncoder(*_embedded(sentences, folder / "sentences.npz"))
    library, close = _open(folder, encoder)
    before = library.store.count_chunks([_INDEX])
    encoder.spent = [0.0, 0.0]
    started, worked = time.perf_counter(), time.process_time()
    draw = random.Random(_SEED + before)
    while (passages := library.store.count_chunks([_INDEX])) < job["passages"]:
        library.add_texts([_document(draw, sentences) for _ in range(_TOGETHER)], _INDEX)
    # Beside the model's time, for which the stand-in's own is no measure.
    seconds = time.perf_counter() - started - encoder.spent[0]
    worked = time.process_time() - worked - encoder.spent[1]
    close()
    opened: list[tuple[Library, Callable[[], None]]] = []
    opening = _timed(lambda _: opened.append(_open(folder, encoder)), [""])
    library, close = opened.pop()
    steps = _searches(library, encoder, list(collection.queries.values()))
    ids = [one.id for one in library.store.documents(_INDEX)]
    steps["delete a document"] = _timed(library.delete, draw.sample(ids, _DELETED))
    close()
    size = sum(one.stat().st_size for one in (folder / "data").rglob("*") if one.is_file())
    return {
        "passages": passages,
        "steps": steps,
        "loaded": [(passages - before) / one for one in (seconds, worked)],
        "opening": opening,
        "disk_mb": size / 1e6,
    }


def _embedded(sentences: Sequence[str], kept: Path) -> tuple[list[str], Vectors]:
    few = random.Random(_SEED).sample(list(sentences), min(_SENTENCES, len(sentences)))
    if not kept.exists():
        from core.encoders.onnx_int8 import OnnxEncoder

        np.savez(kept, vectors=OnnxEncoder(kept.parent / "models").encode(few))
    return few, np.load(kept)["vectors"]


def _open(folder: Path, encoder: MixedEncoder) -> tuple[Library, Callable[[], None]]:
    from core.documents.library.library import Library
    from core.documents.reading.extract import ExtractLimits
    from core.domain.documents import Profile
    from core.maintenance.stores import chunk_vectors, embedded_stores
    from core.settings import load_settings
    from core.stores.sqlite.database import Database

    settings = load_settings(data_dir=folder / "data", sample=False)
    database = Database(settings.root / "materia.db")
    stores, vectors = embedded_stores(settings, database), chunk_vectors(settings, database)
    library = Library(
        stores.library,
        vectors,
        lambda: encoder,
        lambda _text: {},
        settings.root,
        ExtractLimits(seconds=30, max_pages=50),
        1_000_000,
        tokens=stores.token_vectors,
    )
    library.ensure_index(_INDEX, Profile.ABSTRACT)

    def close() -> None:
        stores.close()
        vectors.close()
        database.close()

    return library, close


def _document(draw: random.Random, sentences: Sequence[str]) -> tuple[Document, list[Page]]:
    from core.domain.documents import Document, DocumentState, Page

    name = uuid.UUID(int=draw.getrandbits(128)).hex
    text = " ".join(draw.choices(sentences, k=_OF_DOCUMENT))
    document = Document(
        id=name,
        index=_INDEX,
        file=f"{name}.txt",
        title="",
        sha256=name,
        bytes=len(text.encode()),
        pages=0,
        chunks=0,
        state=DocumentState.INGESTING,
        created_at=datetime.now(UTC),
    )
    return document, [Page(0, text)]


def _searches(
    library: Library, encoder: MixedEncoder, questions: Sequence[str]
) -> dict[str, list[Times]]:
    from core.search.options import SearchOptions
    from core.search.retriever import Retriever

    retriever = Retriever(library.store, library.vectors, lambda: encoder, 0.8)
    index = library.store.index(_INDEX)
    if index is None:
        raise SystemExit("There are no texts.")
    vectors = dict(zip(questions, encoder.encode(questions), strict=True))
    lexical, hybrid = (
        SearchOptions((_INDEX,), 2 * _WANTED, _WANTED, mode) for mode in ("lexical", "hybrid")
    )
    return {
        "full text": _timed(lambda one: retriever.search(one, lexical), questions),
        "vectors": _timed(
            lambda one: library.vectors.query(index.collection, vectors[one], 2 * _WANTED),
            questions,
        ),
        "hybrid": _timed(lambda one: retriever.search(one, hybrid, vectors[one]), questions),
    }


def _timed(call: Callable[[str], object], arguments: Sequence[str]) -> list[Times]:
    """Milliseconds of each call, and those of them that this process's threads worked; after three calls
    that are not counted where there are many."""
    return list(_times(call, arguments))[3 if len(arguments) > _DELETED else 0 :]


def _times(call: Callable[[str], object], arguments: Sequence[str]) -> Iterator[Times]:
    for argument in arguments:
        started, worked = time.perf_counter(), time.process_time()
        call(argument)
        ended = time.perf_counter(), time.process_time()
        yield (ended[0] - started) * 1000, (ended[1] - worked) * 1000


def main() -> None:
    """Do the job and write the report."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = measure(job) | {"own_peak_mb": own_peak_mb()}
    Path(sys.argv[2]).write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    main()
