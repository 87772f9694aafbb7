"""Reads one file in a process of its own: ``python -m core.documents.reading.extract_child``.

A hostile file can crash pdfium, loop in it or eat memory; here that costs a process and not the
application. The process limits itself first, reads one JSON request from stdin and prints one JSON
object to stdout. Only this process imports what reads files: pypdfium2, pypdf, PIL, mammoth, ...

Requests (`action` is ``extract`` or ``render``; both carry path, memory_mb, seconds):
    extract: kind, password, max_pages, max_characters, progress (a file, see `ProgressFile`), work (a
             folder), copy (whether a reading copy is wanted), ocr, ocr_seconds, ocr_languages.
             Answer: ``{"pages": [{"number", "text"}], "metadata": {name: text}, "blank": [number],
             "ocr": [number], "copy": whether work/copy.pdf was written}``.
    render:  password, page (from 1), marks ([[start, end, [red, green, blue]], ...] in `text`, the
             page's stored text, or null for the text as it is read now), around ([start, end] of the
             passage that is shown with its surroundings, or null for the whole page), scale (pixels
             per point), width (pixels, in place of scale, or null).
             Answer: ``{"png": base64, "width", "height"}``, pixels.
Failure: ``{"error": {"code", "message", "advice", ...}}`` and exit status 0.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import MateriaError

try:
    import resource
except ImportError:  # not on Windows; the parent's clock still holds there
    resource = None  # type: ignore[assignment]

# What somebody waits for goes before what is read; enough is left for it to end within its limits.
_NICE = 5
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LARGEST_RESULT = 256 * 2**20  # bytes a run may write: text of 1,500 pages is about 10 MB


def main() -> None:
    """Serve the one request on stdin."""
    die_with_parent()
    request = json.load(sys.stdin)
    limit_resources(int(request["memory_mb"]), _processor_seconds(request), _largest_file(request))
    try:
        answer = _serve(request)
    except MateriaError as refusal:
        answer = {"error": vars(refusal)}
    sys.stdout.write(json.dumps(answer))


def _serve(request: Mapping[str, Any]) -> dict[str, Any]:
    if request["action"] == "render":
        from core.documents.reading.drawing.render_child import render

        return render(request)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICE)
    if request["kind"] == "pdf":
        from core.documents.reading.pdf_child import extract_pdf

        return extract_pdf(request)
    from core.documents.reading.formats_child import extract_text

    return extract_text(request)


def _processor_seconds(request: Mapping[str, Any]) -> int:
    """One more second than the parent's clock, which explains itself better than a signal, allows."""
    recognition = float(request.get("ocr_seconds", 0)) if request.get("ocr") else 0.0
    return math.ceil(float(request["seconds"]) + recognition) + 1


def _largest_file(request: Mapping[str, Any]) -> int:
    """Bytes that one written file may have: a reading copy can be larger than its original."""
    try:
        return _LARGEST_RESULT + 2 * Path(request["path"]).stat().st_size
    except OSError:
        return _LARGEST_RESULT


def die_with_parent() -> None:
    """End when the application is killed: nobody would take the answer, and OCR can run for minutes."""
    if sys.platform != "linux":
        return
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    # A sandbox may forbid it; the reading ends by itself then.
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_resources(memory_mb: int, processor_seconds: int, largest_file: int) -> None:
    """Cap address space, processor time and written bytes, where the platform can."""
    if resource is None:
        return
    wanted = {
        resource.RLIMIT_AS: memory_mb * 2**20,
        resource.RLIMIT_CPU: processor_seconds,
        resource.RLIMIT_FSIZE: largest_file,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError):  # macOS refuses RLIMIT_AS
            continue


if __name__ == "__main__":
    main()
