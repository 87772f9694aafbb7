"""What runs on the machines of a cluster: files in, what becomes of them out; no store of Materia is opened."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.documents.cutting.filling import Made
from core.documents.reading.formats import SUFFIXES
from core.encoders.factory import make_encoder
from core.errors import MateriaError
from core.logs import configure
from core.maintenance.bulk.making import Maker, Recipe, digest_of
from core.stores.objects.s3 import S3Objects

Marks = NDArray[np.uint64]
_MARK = 16  # hexadecimal digits of a SHA-256


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What became of a file.

    Attributes:
        sha256: of its bytes; empty where they could not be had.
        known: the library seemed to have them already, so that they were not read.
        made: what it becomes, or why it cannot be read; None where it was not read.
    """

    sha256: str = ""
    known: bool = False
    made: Made | MateriaError | None = None


class Worker:
    """Works files out, one after the other; the model is loaded once.

    Args:
        shared: a reference to all names of the graph and the marks of what the library has; in a list,
            where Ray leaves it a reference.
    """

    def __init__(self, recipe: Recipe, shared: list[Any]) -> None:
        import ray

        configure(None, "ERROR")
        names, self._known = ray.get(shared[0])
        models = Path(tempfile.gettempdir()) / "materia-models"
        self._maker = Maker(recipe, make_encoder(recipe.model, models, threads=1), names)

    def __call__(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The place of a row with what became of it, in bytes: Ray would try a table first, and log it."""
        with tempfile.TemporaryDirectory(prefix="materia-") as folder:
            outcome = self._outcome(row, Path(folder))
        return {"place": row["place"], "outcome": pickle.dumps(outcome)}

    def _outcome(self, row: Mapping[str, Any], folder: Path) -> WorkedOut:
        ending = Path(row["name"]).suffix.lower()
        path = folder / f"file{ending if ending in SUFFIXES else ''}"
        try:
            if row["url"]:
                if not S3Objects(row["url"]).get(row["where"], path):
                    return WorkedOut()
            elif row.get("data") is None:
                return WorkedOut()
            else:
                path.write_bytes(row["data"])
        except (MateriaError, OSError):
            return WorkedOut()  # whoever commits it tries for itself, and says why it cannot be had
        sha256 = digest_of(path)
        if is_marked(self._known, sha256):
            return WorkedOut(sha256, known=True)
        try:
            return WorkedOut(sha256, made=self._maker.make(path, row["name"]))
        except MateriaError as error:
            return WorkedOut(sha256, made=error)


def read_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the bytes of its file, on the machine that has it; None where they cannot be read."""
    data = None
    if not row["url"]:
        try:
            data = Path(row["where"]).read_bytes()
        except OSError:
            data = None
    return {**row, "data": data}


def marks(digests: Iterable[str]) -> Marks:
    """Eight bytes of each SHA-256, in order: some may stand for another, which whoever commits finds out."""
    return np.array(sorted(int(one[:_MARK], 16) for one in digests), dtype=np.uint64)


def is_marked(known: Marks, sha256: str) -> bool:
    """Whether a SHA-256 may be one of those that marks were made of."""
    mark = np.uint64(int(sha256[:_MARK], 16))
    place = int(np.searchsorted(known, mark))
    return place < len(known) and bool(known[place] == mark)
