"""Text recognition: scanned pages get text, a copy shows it where it stands, noise stays blank."""

from __future__ import annotations

import io
import random
import subprocess
from pathlib import Path

import fpdf
import pypdf
import pytest
from PIL import Image, ImageDraw

from core.documents.reading.extract import ExtractLimits, extract, render_page
from core.errors import Cancelled, DocumentError
from tests.support.needs import TESSERACT

needs_tesseract = pytest.mark.needs(TESSERACT)
LEAFLET = (
    "4.2 Posology",
    "Adults take one tablet of 5 mg once a day.",
    "Do not take more than 10 mg in one day.",
    "Children under 12 years must not use it.",
)


def printed(path: Path, *pages: tuple[str, ...]) -> Path:
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=14)
    for lines in pages:
        pdf.add_page()
        for place, line in enumerate(lines):
            pdf.text(20, 40 + 12 * place, line)
    pdf.output(str(path))
    return path


def scanned(path: Path, *pictures: Image.Image) -> Path:
    """An A4 page filled by each picture, as a scanner makes it; None is a page without anything."""
    pdf = fpdf.FPDF(orientation="P", unit="mm", format="A4")
    for picture in pictures:
        wide = picture.width > picture.height
        pdf.add_page(orientation="L" if wide else "P")
        pdf.image(picture, 0, 0, pdf.w, pdf.h)
    pdf.output(str(path))
    return path


@pytest.fixture
def picture(tmp_path: Path) -> Image.Image:
    """What a scanner sees of the leaflet."""
    png = render_page(printed(tmp_path / "printed.pdf", LEAFLET), 1, scale=200 / 72)
    return Image.open(io.BytesIO(png)).convert("L")


def words(text: str) -> list[str]:
    return text.split()


@needs_tesseract
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("rotate", [0, 90])
def test_scans_are_read_however_they_lie(
    tmp_path: Path, picture: Image.Image, turn: int, rotate: int
) -> None:
    """The picture may lie turned on the page, and the page may be shown turned."""
    source = scanned(tmp_path / "scan.pdf", picture.rotate(turn, expand=True))
    writer = pypdf.PdfWriter(clone_from=source)
    writer.pages[0].rotate(rotate)
    writer.write(source)
    copy = tmp_path / "copy.pdf"
    found = extract(source, copy=copy)
    assert words(found.pages[0].text) == words(" ".join(LEAFLET))
    assert found.ocr_pages == (1,) and found.blank_pages == () and found.has_copy
    assert extract(copy).pages == found.pages


@needs_tesseract
def test_a_mark_lies_on_its_word_in_the_picture(tmp_path: Path, picture: Image.Image) -> None:
    source, copy = scanned(tmp_path / "scan.pdf", picture), tmp_path / "copy.pdf"
    text = extract(source, copy=copy).pages[0].text
    start = text.index("Children")
    plain = Image.open(io.BytesIO(render_page(copy, 1, scale=2))).convert("RGB")
    marked = Image.open(
        io.BytesIO(render_page(copy, 1, [(start, start + len("Children"))], scale=2))
    ).convert("RGB")
    blue = marked.split()[2].point(lambda value: 255 if value < 140 else 0)
    bright = marked.split()[0].point(lambda value: 255 if value > 200 else 0)
    box = Image.composite(blue, Image.new("L", blue.size, 0), bright).getbbox()
    assert box is not None
    # The line stands at 76 mm from 20 mm; two pixels a point.
    millimetre = 2 * 72 / 25.4
    assert abs(box[0] - 20 * millimetre) < 8 and box[1] < 76 * millimetre < box[3] + 8
    assert box[3] - box[1] < 60 and box[2] < 50 * millimetre
    # Nothing else changed: the copy shows what the scan shows.
    original = Image.open(io.BytesIO(render_page(source, 1, scale=2))).convert("RGB")
    assert original.tobytes() == plain.tobytes()


@needs_tesseract
def test_only_pages_without_text_are_recognised(tmp_path: Path, picture: Image.Image) -> None:
    parts = [
        printed(tmp_path / "a.pdf", ("Typed page",), ()),
        scanned(tmp_path / "b.pdf", picture),
    ]
    writer = pypdf.PdfWriter()
    for part in parts:
        writer.append(part)
    source = tmp_path / "mixed.pdf"
    writer.write(source)
    told: list[tuple[int, int]] = []
    found = extract(source, report=lambda done, total: told.append((done, total)))
    assert [page.text.strip()[:12] for page in found.pages] == ["Typed page", "", "4.2 Posology"]
    assert found.blank_pages == (2,) and found.ocr_pages == (3,) and not found.has_copy
    assert told == sorted(told) and all(total == 3 for _, total in told)


@needs_tesseract
def test_noise_does_not_become_text(tmp_path: Path) -> None:
    chance = random.Random(7)
    noise = Image.frombytes("L", (800, 1100), chance.randbytes(800 * 1100))
    scribble = Image.new("L", (800, 1100), 255)
    pen = ImageDraw.Draw(scribble)
    for _ in range(60):
        pen.line([(chance.randrange(800), chance.randrange(1100)) for _ in range(4)], 0, 4)
    with pytest.raises(DocumentError) as caught:
        extract(scanned(tmp_path / "noise.pdf", noise, scribble))
    assert caught.value.code == "NO_TEXT"


@needs_tesseract
def test_without_time_left_pages_stay_blank(tmp_path: Path, picture: Image.Image) -> None:
    writer = pypdf.PdfWriter()
    writer.append(printed(tmp_path / "a.pdf", ("Typed page",)))
    writer.append(scanned(tmp_path / "b.pdf", picture))
    writer.write(tmp_path / "mixed.pdf")
    for limits in (ExtractLimits(ocr_seconds=0.01), ExtractLimits(ocr=False)):
        found = extract(tmp_path / "mixed.pdf", limits=limits, copy=tmp_path / "copy.pdf")
        assert found.blank_pages == (2,) and found.ocr_pages == () and not found.has_copy
        assert not (tmp_path / "copy.pdf").exists()


def test_without_tesseract_a_scan_is_refused_with_the_way_out(
    tmp_path: Path, picture: Image.Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = scanned(tmp_path / "scan.pdf", picture)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DocumentError) as caught:
        extract(source)
    assert caught.value.code == "NO_TEXT" and "Tesseract" in caught.value.advice


@needs_tesseract
def test_cancelling_ends_the_recognition_and_leaves_nothing(
    tmp_path: Path, picture: Image.Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    source, copy = scanned(tmp_path / "scan.pdf", *[picture] * 20), tmp_path / "copy.pdf"
    begun: list[int] = []
    with pytest.raises(Cancelled) as caught:
        extract(
            source,
            copy=copy,
            cancelled=lambda: bool(begun),
            report=lambda done, total: begun.append(done),
        )
    assert caught.value.code == "CANCELLED" and caught.value.status == 409
    assert not copy.exists() and not list(temporary.iterdir())
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(temporary) not in running.stdout
