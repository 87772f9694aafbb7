"""What the modules of the reading process share: refusals and the word about progress."""

from __future__ import annotations

from pathlib import Path

# What a file of a text format may unpack or decode to, in bytes; real ones are far below.
LARGEST_CONTENT = 200 * 2**20


class Refusal(Exception):
    """The file cannot be served; `code`, `message` and `advice` reach the user."""

    def __init__(self, code: str, message: str, advice: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.advice = advice


def corrupt() -> Refusal:
    return Refusal(
        "CORRUPT",
        "The file is damaged and cannot be read.",
        "Open it in the program it was made with, save it again and upload the new copy.",
    )


def unsupported() -> Refusal:
    return Refusal("UNSUPPORTED_FORMAT", UNSUPPORTED_MESSAGE, UNSUPPORTED_ADVICE)


UNSUPPORTED_MESSAGE = "Materia reads PDF, Word (.docx), text, Markdown and HTML files."
UNSUPPORTED_ADVICE = "Save or print the file as one of these and upload that."


class ProgressFile:
    """Lines "stage done total" at the end of a file, which the parent reads while it waits.

    Stages are ``text`` and ``ocr``; the first ``ocr`` line also starts the time of recognition.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def tell(self, stage: str, done: int, total: int) -> None:
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{stage} {done} {total}\n")
