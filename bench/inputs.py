"""What the benchmarks read: the PDFs, and the environment that child processes get."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data" / "leaflets"
REAL = (ROOT.parent / "shared/data/pdfs/drug", ROOT.parent / "shared/data/pdfs/papers")


def find_pdfs(paths: Sequence[Path] = ()) -> tuple[list[Path], list[str]]:
    """PDF files and those of folders, each content once; and a note for every copy left out.

    Without paths: the real leaflets and papers beside the project, or else the sample leaflets.
    """
    chosen = list(paths) or [folder for folder in REAL if folder.is_dir()] or [SAMPLE]
    found: dict[str, Path] = {}
    notes: list[str] = []
    for path in chosen:
        files = sorted(path.rglob("*.pdf")) if path.is_dir() else [path]
        for file in files:
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            first = found.setdefault(digest, file.resolve())
            if first != file.resolve():
                notes.append(f"{file.name} has the same bytes as {first.name}: left out")
    return list(found.values()), notes


def environment(**more: str) -> dict[str, str]:
    """This process's environment without settings and keys of Materia, and offline."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MATERIA_", "OPENAI_", "CHROMA_", "LANGCHAIN_", "LANGSMITH_"))
    }
    return {
        **kept,
        "HF_HUB_OFFLINE": "1",
        "TQDM_DISABLE": "1",
        "ANONYMIZED_TELEMETRY": "False",
        **more,
    }
