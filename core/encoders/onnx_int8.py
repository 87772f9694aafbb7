"""all-MiniLM-L6-v2 as an int8 ONNX copy, several times as fast as torch on a CPU.

The copy comes with Materia. Where that file is not whole, a child process makes one from the bundled
weights, once, which is kept with its hash. Where that fails, torch takes over.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.child_process import ROOT, child_environment, module_command
from core.domain.vectors import TokenVectors, Vectors
from core.encoders.batches import failures_told, unit_rows
from core.encoders.exact import exact_options
from core.encoders.sentence_transformer import BUNDLED, BUNDLED_SHA256, BundledEncoder
from core.encoders.turns import Turns
from core.logs import get_logger

if TYPE_CHECKING:
    from tokenizers import Encoding

_CHILD = "core.encoders.onnx_child"
_RECIPE = 3  # raised with every change of how the copy is made; then `make int8`, and its hash here
# Raised where the vectors change, too: what is kept of texts is read anew then. Copy 3 gives those of copy 2.
_VECTORS = f"{BUNDLED}-int8-{BUNDLED_SHA256[:12]}-2"
SHIPPED = Path(__file__).parent / "int8" / f"{BUNDLED}-int8-{BUNDLED_SHA256[:12]}-{_RECIPE}.onnx"
SHIPPED_SHA256 = "ae5f78ee60c4a539b8be1ea4f1093361f01acd2d6879509667cd020a2097ac2b"
# Texts that were read alone, the latest: a question is embedded to find passages and read to rate statements.
_LATEST = 16
# Its kernel takes four times as long as those of the nodes that it fuses.
_SLOWER = ["SkipLayerNormFusion"]
_MAKING_SECONDS = 600  # takes 10 to 30
_log = get_logger("encoders")
_Made = TypeVar("_Made")


class OnnxSession:
    """One loaded copy and its tokenizer.

    Args:
        threads: that work at once, each on a text of its own; 0: one a core.
    """

    def __init__(self, path: Path, tokenizer: Path, max_tokens: int, threads: int = 0) -> None:
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer

        options = exact_options()
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self._threads = threads or cores or 1
        self._turns = Turns(self._threads)
        # Two texts at once take a third less than one after the other with two threads for each.
        options.intra_op_num_threads = 1
        self._pool = ThreadPoolExecutor(self._threads, "embedding")
        # A pattern for each new shape would be kept for ever.
        options.enable_mem_pattern = False
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(max_tokens)
        # Its file asks for 128 tokens always: a question of eight would take as long as a page's chunk.
        self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), 384).

        Each text by itself: activations are quantised over whatever is computed together, so that in
        a batch the same text would get another vector each time (cosines differ by up to .04). It is
        no slower for chunks, as nothing is padded.
        """
        return np.concatenate(self._each(self._encode, texts))

    def read(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The texts with the vectors of their tokens."""
        return self._each(self._read, texts)

    def scores(self, question: str, texts: Sequence[str]) -> Vectors:
        """What a copy that reads pairs says of each text beside a question, shape (len(texts), outputs)."""
        return np.concatenate(self._each(self._score, texts, question))

    def _each(
        self, make: Callable[[Encoding], _Made], texts: Sequence[str], beside: str | None = None
    ) -> list[_Made]:
        """What is made of each text, or of each behind a text that is beside all.

        Whoever asks works, and others beside it where there are more texts. Between two texts there is a turn
        for whoever waits for one, first for a question, which is one text alone.
        """
        # The shortest last, so that nobody has much left to do when the others have nothing.
        left = deque(sorted(range(len(texts)), key=lambda place: -len(texts[place])))
        made: dict[int, _Made] = {}

        def work() -> None:
            try:
                while (place := _next(left)) is not None:
                    pair = (texts[place],) if beside is None else (beside, texts[place])
                    with self._turns.held(first=len(texts) == 1):
                        made[place] = make(self._tokenizer.encode(*pair))
            finally:
                left.clear()  # nobody goes on where one has failed

        with failures_told():
            others = [self._pool.submit(work) for _ in range(min(self._threads, len(texts)) - 1)]
            try:
                work()
            finally:
                for one in others:
                    if not one.cancel():
                        one.result()
        return [made[place] for place in range(len(texts))]

    def _encode(self, item: Encoding) -> Vectors:
        return np.asarray(self._run(item, "embeddings")[0], dtype=np.float32)

    def _read(self, item: Encoding) -> TokenVectors:
        vectors, tokens = self._run(item, "embeddings", "tokens")
        words = slice(1, -1)  # without [CLS] and [SEP]
        return TokenVectors(vectors[0], unit_rows(tokens[0][words]), tuple(item.offsets[words]))

    def _score(self, item: Encoding) -> Vectors:
        inputs = {
            "input_ids": np.array([item.ids], dtype=np.int64),
            "token_type_ids": np.array([item.type_ids], dtype=np.int64),
        }
        return np.asarray(self._session.run(["scores"], inputs)[0], dtype=np.float32)

    def _run(self, item: Encoding, *outputs: str) -> list[Any]:
        inputs = {"input_ids": np.array([item.ids], dtype=np.int64)}
        found: list[Any] = self._session.run(list(outputs), inputs)
        return found


def _next(left: deque[int]) -> int | None:
    try:
        return left.popleft()
    except IndexError:
        return None


class OnnxEncoder:
    """The default model on ONNX Runtime.

    Vectors are interchangeable with `BundledEncoder`'s (cosine .993 on average), and depend on
    nothing but the text.

    Args:
        folder: where a copy is made, on the first `encode`, if the shipped one is not whole.
        threads: each works on a text of its own; 0: one a core.
    """

    def __init__(self, folder: Path, threads: int = 0) -> None:
        self._threads = threads
        self._original = BundledEncoder()
        self.name = BUNDLED
        self.dimension = self._original.dimension
        self.max_tokens = self._original.max_tokens
        self.path = folder / SHIPPED.name
        self._lock = threading.Lock()
        self._session: OnnxSession | None = None
        self._failed = False
        self._latest: OrderedDict[str, TokenVectors] = OrderedDict()

    @property
    def loaded(self) -> bool:
        """Whether the weights are in memory."""
        return self._session is not None or self._original.loaded

    @property
    def runtime(self) -> str:
        """``ONNX int8``, or ``torch`` once the copy could not be made or loaded."""
        return "torch" if self._failed else "ONNX int8"

    @property
    def recipe(self) -> str:
        """What the copy's vectors are known by, or the weights where torch has to do; loads them."""
        return self._original.recipe if self._load() is None else _VECTORS

    def encode(self, texts: Sequence[str]) -> Vectors:
        session = self._load()
        if session is None:
            return self._original.encode(texts)
        if len(texts) == 1:
            return self._read_alone(session, texts[0]).vector[None].copy()
        return session.encode(texts) if texts else np.zeros((0, self.dimension), np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        session = self._load()
        if session is None:
            return self._original.encode_tokens(texts)
        if len(texts) == 1:
            return [self._read_alone(session, texts[0])]
        return session.read(texts)

    def _read_alone(self, session: OnnxSession, text: str) -> TokenVectors:
        """One text, from what was read lately where it is there."""
        found = self._latest.get(text)
        if found is None:
            (found,) = session.read([text])
            with self._lock:
                self._latest[text] = found
                while len(self._latest) > _LATEST:
                    self._latest.popitem(last=False)
        return found

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._original.count_tokens(texts)

    def _load(self) -> OnnxSession | None:
        """The session; None where torch has to do."""
        with self._lock:
            if self._session is None and not self._failed:
                model = self._original.folder
                try:
                    self._session = OnnxSession(
                        self._copy(model),
                        model / "tokenizer.json",
                        self.max_tokens,
                        self._threads,
                    )
                except Exception as error:  # disk, child and onnxruntime errors share no root
                    self._failed = True
                    _log.warning("onnx_copy_failed", reason=str(error), used="torch")
            return self._session

    def _copy(self, model: Path) -> Path:
        """The shipped copy, or the one in the folder, which is made if need be."""
        if sha256_of(SHIPPED) == SHIPPED_SHA256:
            return SHIPPED
        _log.warning("onnx_copy_not_whole", file=SHIPPED.name)
        _ensure_copy(self.path, model)
        return self.path


def _ensure_copy(path: Path, model: Path) -> None:
    """Make the copy unless a whole one is there; one process makes it, others wait for it."""
    from filelock import FileLock

    if _is_whole(path):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock"), timeout=_MAKING_SECONDS):
        if _is_whole(path):
            return
        for left in path.parent.glob("making-*"):  # of a process that was killed
            shutil.rmtree(left, ignore_errors=True)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=path.parent, prefix="making-") as folder:
            made = Path(folder) / path.name
            _run_child(model, made)
            digest = Path(folder) / "sha256"
            digest.write_text(sha256_of(made), encoding="ascii")
            digest.replace(path.with_suffix(".sha256"))
            made.replace(path)
        _log.info("onnx_copy_made", seconds=round(time.perf_counter() - started, 1))


def _run_child(model: Path, target: Path) -> None:
    ended = subprocess.run(
        module_command(_CHILD, str(model), str(target.resolve())),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env=child_environment(),
        timeout=_MAKING_SECONDS,
        check=False,
    )
    if ended.returncode != 0:
        last = ended.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise RuntimeError(f"status {ended.returncode}: {last}")


def _is_whole(path: Path) -> bool:
    try:
        expected = path.with_suffix(".sha256").read_text(encoding="ascii")
        return expected != "" and expected == sha256_of(path)
    except (OSError, ValueError):
        return False


def sha256_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal; "" where there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
