"""Text recognition for pages that are only pictures, in the reading process.

Tesseract makes a page of invisible text; it is laid over the picture as a form object, so that the
page looks the same and its text is read and marked like that of any other page.
"""

from __future__ import annotations

import csv
import math
import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.documents.reading.child import ProgressFile

_SCALE = 300 / 72  # pixels per point: 300 dpi, for which Tesseract is trained
_LARGEST_PICTURE = 25e6  # pixels; larger pages are recognised at fewer dpi
_PAGE_SECONDS = 60.0  # a dense A4 page takes 2 to 5
_LANGUAGES = ("eng", "deu", "nld", "fra")
# Mean confidence by characters, of 100: upright pages reach 90 to 96, upside-down ones 39.
_LEAST_CONFIDENCE = 60.0
_TURNS = (0, 180, 90, 270)  # Tesseract itself sees one of the two sideways directions


def installed() -> bool:
    return shutil.which("tesseract") is not None


def add_text_layers(
    pdf: Any, indexes: Sequence[int], request: Mapping[str, Any], progress: ProgressFile
) -> list[int]:
    """Lay recognised text over those of the pages `indexes` (from 0) that show something.

    The document is changed in memory only. Pages for which the time does not suffice, and those on
    which nothing is recognised with confidence, stay as they are.

    Returns:
        Indexes of the pages that now have text.
    """
    import pypdfium2 as pdfium

    if not installed():
        return []
    drawn = [index for index in indexes if _shows_something(pdf, index)]
    languages = str(request["ocr_languages"]) or _installed_languages()
    if not drawn or not languages:
        return []
    total = len(pdf)
    progress.tell("ocr", total - len(drawn), total)
    deadline = time.monotonic() + float(request["ocr_seconds"])
    read: list[int] = []
    for done, index in enumerate(drawn, start=1):
        if time.monotonic() >= deadline:
            break
        page = pdf[index]
        try:
            if _add_text_layer(pdf, page, Path(request["work"]), languages, deadline):
                read.append(index)
        except (pdfium.PdfiumError, subprocess.TimeoutExpired, OSError):
            continue  # one page without text must not cost the others
        finally:
            page.close()
            progress.tell("ocr", total - len(drawn) + done, total)
    return read


def _installed_languages() -> str:
    """Those of the languages that leaflets here are written in, as Tesseract's argument."""
    answer = subprocess.run(
        ["tesseract", "--list-langs"], capture_output=True, timeout=_PAGE_SECONDS, check=False
    )
    found = answer.stdout.decode(errors="replace").split()
    return "+".join(language for language in _LANGUAGES if language in found)


def _shows_something(pdf: Any, index: int) -> bool:
    """Whether anything is drawn on the page: a picture, or letters as outlines."""
    import pypdfium2 as pdfium

    try:
        page = pdf[index]
    except pdfium.PdfiumError:
        return False
    try:
        return next(iter(page.get_objects(max_depth=1)), None) is not None
    finally:
        page.close()


def _add_text_layer(pdf: Any, page: Any, work: Path, languages: str, deadline: float) -> bool:
    """Recognise the page, turned until its words make sense; False when they never do."""
    import pypdfium2 as pdfium

    width, height = page.get_size()
    scale = min(_SCALE, math.sqrt(_LARGEST_PICTURE / max(width * height, 1.0)))
    for turn in _TURNS:
        seconds = min(_PAGE_SECONDS, deadline - time.monotonic())
        if seconds <= 0:
            return False
        bitmap = page.render(scale=scale, rotation=turn, grayscale=True)
        picture, dpi = work / "ocr.png", round(scale * 72)
        bitmap.to_pil().save(picture, format="PNG", dpi=(dpi, dpi), compress_level=1)
        confidence = _recognise(picture, dpi, languages, seconds)
        if confidence is None:
            return False  # nothing that looks like a word: no turn will change that
        if confidence >= _LEAST_CONFIDENCE:
            layer = pdfium.PdfDocument(work / "ocr.pdf")
            _lay_over(pdf, page, bitmap, layer)
            layer.close()
            # Shown upright: so a person can read it, and pdfium sees the words in their order.
            page.set_rotation((page.get_rotation() + turn) % 360)
            return True
    return False


def _recognise(picture: Path, dpi: int, languages: str, seconds: float) -> float | None:
    """Make ocr.pdf beside the picture; the mean confidence of its words, None without words.

    Raises:
        OSError: Tesseract failed.
        TimeoutExpired: it took longer than `seconds`.
    """
    output = picture.with_suffix("")
    command = ["tesseract", str(picture), str(output), "-l", languages, "--dpi", str(dpi)]
    ended = subprocess.run(
        [*command, "-c", "textonly_pdf=1", "pdf", "tsv"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=seconds,
        # One thread is as fast for a page, and leaves the other processors to the application.
        env=os.environ | {"OMP_THREAD_LIMIT": "1"},
        check=False,
    )
    if ended.returncode != 0:
        raise OSError("Tesseract failed.")
    with output.with_suffix(".tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    words = [
        (float(row["conf"]), sum(map(str.isalnum, row["text"])))
        for row in rows
        if row["level"] == "5" and row["text"]
    ]
    characters = sum(length for _, length in words)
    if not characters:
        return None
    return sum(confidence * length for confidence, length in words) / characters


def _lay_over(pdf: Any, page: Any, bitmap: Any, layer: Any) -> None:
    """Put the layer on the page so that its words lie on those of the picture."""
    import pypdfium2 as pdfium

    converter = bitmap.get_posconv(page)
    # Where the layer's lower left corner and its two neighbours are in the page's own points.
    left, bottom = converter.to_page(0, bitmap.height)
    right = converter.to_page(bitmap.width, bitmap.height)
    top = converter.to_page(0, 0)
    width, height = layer[0].get_size()
    item = layer.page_as_xobject(0, pdf).as_pageobject()
    item.set_matrix(
        pdfium.PdfMatrix(
            (right[0] - left) / width,
            (right[1] - bottom) / width,
            (top[0] - left) / height,
            (top[1] - bottom) / height,
            left,
            bottom,
        )
    )
    page.insert_obj(item)
    page.gen_content()
