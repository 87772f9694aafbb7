"""What the modules that read files share: refusals and the word about progress."""

from __future__ import annotations

from pathlib import Path

from core.errors import DocumentError

# What a file of a text format may unpack or decode to, in bytes; real ones are far below.
LARGEST_CONTENT = 200 * 2**20


def empty() -> DocumentError:
    return DocumentError("The file is empty.", advice="Upload the file again.", code="EMPTY_FILE")


def not_a_pdf() -> DocumentError:
    advice = "Save or print it as a PDF and upload that."
    return DocumentError("The file is not a PDF.", advice=advice, code="NOT_A_PDF")


def corrupt() -> DocumentError:
    return DocumentError(
        "The file is damaged and cannot be read.",
        advice="Open it in the program it was made with, save it again and upload the new copy.",
        code="CORRUPT",
    )


def unsupported() -> DocumentError:
    return DocumentError(
        "Materia reads PDF, Word (.docx), text, Markdown and HTML files.",
        advice="Save or print the file as one of these and upload that.",
        code="UNSUPPORTED_FORMAT",
    )


class ProgressFile:
    """Lines "stage done total" at the end of a file, which the parent reads while it waits.

    Stages are ``text`` and ``ocr``; the first ``ocr`` line also starts the time of recognition.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def tell(self, stage: str, done: int, total: int) -> None:
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{stage} {done} {total}\n")
