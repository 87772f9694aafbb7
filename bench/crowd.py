"""Many people asking at once, beside uploads: ``make bench-crowd``."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from typing import Annotated

import httpx
import typer
from rich.console import Console
from rich.table import Table

from bench.children import memory_mb, processor_seconds
from bench.inputs import find_pdfs
from bench.server import Server, serving
from core.evaluation.questions import SAMPLE_SET, read_questions

_TARGET_RATE = 12.0  # questions a second, on two cores
_TARGET_SHARES = 3.0  # of the fair share, which is people / rate
_SAMPLE_SECONDS = 600
_LONGEST_SECONDS = 120.0  # an answer
_ASIDE_SECONDS = 60.0  # of the people alone, where uploads come after
_LOOK_SECONDS = 60.0  # between two looks at the memory
_SETTLED_SECONDS = 10  # after the sample is in, for what is worked out when nobody asks
console = Console(width=100)


@dataclass
class _Heard:
    """What one person got.

    Attributes:
        seconds: of each answer.
        errors: what came in place of one.
    """

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class _Phase:
    """What came of asking for a while.

    Attributes:
        people: one for each that asked.
        took: seconds from the first question to the last answer.
        pages: read in by the uploads.
        memory: MB of the server with its children, at the begin, each minute and at the end.
        processor: seconds that the server had of the processor, without its children.
    """

    people: list[_Heard]
    took: float
    pages: int = 0
    memory: list[float] = field(default_factory=list)
    processor: float = 0.0

    @property
    def seconds(self) -> list[float]:
        return sorted(value for one in self.people for value in one.seconds)

    @property
    def rate(self) -> float:
        return len(self.seconds) / self.took


def main(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="PDF files or folders to upload meanwhile; without any: the real ones."
        ),
    ] = None,
    people: Annotated[int, typer.Option(min=1, help="Asking without pause.")] = 20,
    uploads: Annotated[int, typer.Option(min=0, help="Files on their way at once.")] = 3,
    seconds: Annotated[float, typer.Option(min=1, help="How long they ask.")] = 60,
) -> None:
    """Time answers over HTTP without a language model: one person alone, then many, then many with uploads.

    The last phase takes as long as is asked for, those before it a minute at most.
    """
    files, notes = find_pdfs(paths or [])
    for note in notes:
        console.print(note)
    questions = [one.question for one in read_questions(SAMPLE_SET)]
    with (
        tempfile.TemporaryDirectory(prefix="materia-bench-") as folder,
        serving(Path(folder) / "data") as server,
    ):
        _wait_for_sample(server)
        _ask(server, questions, 1, min(seconds, 10))  # models and caches
        phases = {
            "1": _ask(server, questions, 1, min(seconds, 20)),
            f"{people}": _ask(
                server, questions, people, min(seconds, _ASIDE_SECONDS) if uploads else seconds
            ),
        }
        if uploads:
            name = f"{people}, {uploads} uploads"
            phases[name] = _ask(server, questions, people, seconds, files, uploads)
    _print(phases)


def _wait_for_sample(server: Server) -> None:
    deadline = time.monotonic() + _SAMPLE_SECONDS
    with httpx.Client(base_url=server.address, timeout=30) as client:
        while time.monotonic() < deadline:
            found = client.get("/api/documents").json()
            if len(found["documents"]) >= 10:
                time.sleep(_SETTLED_SECONDS)
                return
            time.sleep(1)
    raise SystemExit("The sample did not come in.")


def _ask(
    server: Server,
    questions: Sequence[str],
    people: int,
    seconds: float,
    files: Sequence[Path] = (),
    uploads: int = 0,
) -> _Phase:
    """Let so many people ask for so long; each begins at another question."""
    end = time.monotonic() + seconds
    turns: Iterator[Path] = cycle(files)
    lock = threading.Lock()
    pages = 0

    def person(number: int) -> _Heard:
        heard = _Heard()
        mine = cycle([*questions[number::people], *questions[:number]])
        with httpx.Client(base_url=server.address, timeout=_LONGEST_SECONDS) as client:
            while time.monotonic() < end:
                _one(client, next(mine), heard)
        return heard

    def upload(number: int) -> None:
        nonlocal pages
        with httpx.Client(base_url=server.address, timeout=_LONGEST_SECONDS) as client:
            for copy in range(1_000):
                if time.monotonic() > end:
                    return
                with lock:
                    path = next(turns)
                # No content is taken twice: what follows a PDF's end is not read.
                content = path.read_bytes() + f"\n% {number} {copy}".encode()
                name = f"{path.stem} {number} {copy}.pdf"
                said = client.post("/api/upload", files={"file": (name, content)}).json()
                with lock:
                    pages += said.get("pageCount") or 0

    begun, processor = time.monotonic(), processor_seconds(server.pid)
    memory = [memory_mb(server.pid)]
    with ThreadPoolExecutor(people + uploads) as pool:
        asking = [pool.submit(person, number) for number in range(people)]
        for number in range(uploads):
            pool.submit(upload, number)
        while time.monotonic() < end:
            time.sleep(max(0.0, min(_LOOK_SECONDS, end - time.monotonic())))
            memory.append(memory_mb(server.pid))
        heard = [one.result() for one in asking]
        took = time.monotonic() - begun
        processor = processor_seconds(server.pid) - processor
    return _Phase(heard, took, pages, memory, processor)


def _one(client: httpx.Client, question: str, heard: _Heard) -> None:
    begun = time.monotonic()
    try:
        response = client.post("/api/chat", json={"question": question})
    except httpx.HTTPError as error:
        heard.errors.append(type(error).__name__)
        return
    if response.status_code == 200:
        heard.seconds.append(time.monotonic() - begun)
    else:
        heard.errors.append(f"{response.status_code} {response.json().get('code', '')}")


def _print(phases: dict[str, _Phase]) -> None:
    table = Table(title="People asking without pause")
    table.add_column("")
    for name in phases:
        table.add_column(name, justify="right")
    cut = {name: quantiles(phase.seconds, n=20) for name, phase in phases.items()}
    rows = {
        "answers a second": [f"{phase.rate:.1f}" for phase in phases.values()],
        "p50, ms": [f"{1000 * cut[name][9]:,.0f}" for name in phases],
        "p95, ms": [f"{1000 * cut[name][18]:,.0f}" for name in phases],
        "longest, ms": [f"{1000 * phase.seconds[-1]:,.0f}" for phase in phases.values()],
        "longest, in fair shares": [f"{_shares(phase):.1f}" for phase in phases.values()],
        "fewest and most answers of one": [_spread(phase) for phase in phases.values()],
        "processor ms for an answer": [
            f"{1000 * phase.processor / len(phase.seconds):.0f}" for phase in phases.values()
        ],
        "pages read in a second": [f"{phase.pages / phase.took:.1f}" for phase in phases.values()],
        "memory, MB: first, last": [
            f"{phase.memory[0]:,.0f}, {phase.memory[-1]:,.0f}" for phase in phases.values()
        ],
        "errors": [str(sum(len(one.errors) for one in phase.people)) for phase in phases.values()],
    }
    for name, values in rows.items():
        table.add_row(name, *values)
    console.print(table)
    for name, phase in phases.items():
        curve = ", ".join(f"{megabytes:,.0f}" for megabytes in phase.memory)
        console.print(f"Memory of {name}, MB, each minute: {curve}")
    last = list(phases.values())[-1]
    rate = "met" if last.rate >= _TARGET_RATE else "missed"
    shares = "met" if _shares(last) <= _TARGET_SHARES else "missed"
    console.print(f"At least {_TARGET_RATE:.0f} answers a second: {rate}")
    console.print(f"Nobody waits more than {_TARGET_SHARES:.0f} fair shares: {shares}")
    for error in sorted({error for one in last.people for error in one.errors}):
        console.print(f"Error: {error}")


def _shares(phase: _Phase) -> float:
    """The longest wait, as a multiple of what each waits where all are served in turn."""
    return phase.seconds[-1] * phase.rate / len(phase.people)


def _spread(phase: _Phase) -> str:
    counts = [len(one.seconds) for one in phase.people]
    return f"{min(counts)}, {max(counts)}"


if __name__ == "__main__":
    typer.run(main)
