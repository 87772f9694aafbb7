"""Reading PDFs in a child process: text, refusals, limits, and marks on page pictures."""

from __future__ import annotations

import csv
import io
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import fpdf
import pypdf
import pytest
from PIL import Image

from core.child_process import child_environment
from core.documents.reading import extract as extract_module
from core.documents.reading.drawing.render_child import moved_marks
from core.documents.reading.extract import ExtractLimits, extract, render_page
from core.documents.reading.processes import starting
from core.errors import Cancelled, DocumentError, NotFound, TooLarge
from tests.support.needs import REAL_DATA, REAL_FILES

REAL = REAL_DATA / "pdfs"
SCALE = 2.0


def make_pdf(path: Path, *pages: str, password: str | None = None, owner: str = "owner") -> Path:
    """A PDF with one line of text at (20 mm, 30 mm) on each page."""
    pdf = fpdf.FPDF()
    pdf.set_title("A made file")
    pdf.set_author("Nobody")
    pdf.set_font("Helvetica", size=14)
    if password is not None:
        pdf.set_encryption(owner_password=owner, user_password=password)
    for text in pages:
        pdf.add_page()
        if text:
            pdf.set_xy(20, 30)
            pdf.multi_cell(0, 8, text)
    pdf.output(str(path))
    return path


def turned(source: Path, target: Path, degrees: int) -> Path:
    """A copy whose pages are shown turned."""
    writer = pypdf.PdfWriter(clone_from=source)
    for page in writer.pages:
        page.rotate(degrees)
    writer.write(target)
    return target


def code_of(path: Path, password: str = "", limits: ExtractLimits | None = None) -> str:
    with pytest.raises(DocumentError) as caught:
        extract(path, password=password, limits=limits)
    assert caught.value.message and caught.value.advice
    assert str(path.parent) not in str(caught.value)
    return caught.value.code


def test_text_and_metadata_of_every_page(tmp_path: Path) -> None:
    found = extract(make_pdf(tmp_path / "a.pdf", "First page.\nSecond line", "Page two: 5 mg"))
    assert [page.number for page in found.pages] == [1, 2]
    assert found.pages[0].text.split() == ["First", "page.", "Second", "line"]
    assert "\r" not in found.pages[0].text and "\n" in found.pages[0].text
    assert "5 mg" in found.pages[1].text
    assert found.metadata["title"] == "A made file" and found.metadata["author"] == "Nobody"


def test_a_blank_page_among_others_keeps_its_number(tmp_path: Path) -> None:
    found = extract(make_pdf(tmp_path / "a.pdf", "One", "", "Three"))
    assert [page.text.strip() for page in found.pages] == ["One", "", "Three"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "EMPTY_FILE"),
        (b"<!doctype html><html><body>Not found</body></html>", "NOT_A_PDF"),
        (b"PK\x03\x04 a word document", "NOT_A_PDF"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 40, "CORRUPT"),
        (b"%PDF-1.7\n", "CORRUPT"),
    ],
)
def test_broken_files_are_refused_by_name(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "leaflet.pdf"
    path.write_bytes(content)
    assert code_of(path) == code


def test_a_file_that_is_cut_off_is_refused_unless_only_its_last_line_is_gone(
    tmp_path: Path,
) -> None:
    whole = make_pdf(tmp_path / "whole.pdf", *["Some text"] * 5).read_bytes()
    for part in (3, 5, 9):
        path = tmp_path / f"{part}.pdf"
        path.write_bytes(whole[: len(whole) * part // 10])
        assert code_of(path) == "CORRUPT", part
    (tmp_path / "almost.pdf").write_bytes(whole.removesuffix(b"%%EOF\n"))
    assert [page.text for page in extract(tmp_path / "almost.pdf").pages] == ["Some text"] * 5


def test_blank_pages_need_text_recognition(tmp_path: Path) -> None:
    assert code_of(make_pdf(tmp_path / "a.pdf", "", "")) == "NO_TEXT"


def test_passwords(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", "Secret text", password="open")
    assert code_of(path) == "PASSWORD_REQUIRED"
    assert code_of(path, "wrong") == "WRONG_PASSWORD"
    assert "Secret text" in extract(path, password="open").pages[0].text


def test_a_protected_file_gets_a_copy_that_opens(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", "Secret text", "Page two", password="open")
    copy = tmp_path / "copy.pdf"
    found = extract(path, password="open", copy=copy)
    assert found.has_copy and extract(copy).pages == found.pages
    assert not pypdf.PdfReader(copy).is_encrypted
    start = found.pages[0].text.index("text")
    mark = [(start, start + 4)]
    assert render_page(copy, 1, mark) == render_page(path, 1, mark, password="open")
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []


def test_files_that_open_for_everybody_need_no_copy(tmp_path: Path) -> None:
    copy = tmp_path / "copy.pdf"
    for password in (None, ""):
        path = make_pdf(tmp_path / "a.pdf", "Open text", password=password)
        assert not extract(path, password="needless", copy=copy).has_copy
        assert not copy.exists()


@pytest.mark.parametrize("password", ["", "needless"])
def test_an_empty_user_password_opens_for_everybody(tmp_path: Path, password: str) -> None:
    path = make_pdf(tmp_path / "a.pdf", "Open text", password="")
    assert "Open text" in extract(path, password=password).pages[0].text


def test_limits(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", "One", "Two", "Three")
    with pytest.raises(TooLarge) as caught:
        extract(path, limits=ExtractLimits(max_pages=2))
    assert caught.value.code == "TOO_MANY_PAGES"
    started = time.monotonic()
    assert code_of(path, limits=ExtractLimits(seconds=0.01)) == "EXTRACTION_TIMEOUT"
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("import os; os.abort()", "CORRUPT"),
        ("import sys; sys.exit(3)", "CORRUPT"),
        ("print('no JSON')", "CORRUPT"),
        ("raise MemoryError", "EXTRACTION_MEMORY"),
        ("import os; os.kill(os.getpid(), 9)", "EXTRACTION_MEMORY"),
        ("print('x' * 5_000_000)", "CORRUPT"),  # more than a pipe holds
        ("import time; time.sleep(60)", "EXTRACTION_TIMEOUT"),
    ],
)
def test_every_end_of_the_child_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, code: str
) -> None:
    """A child that behaves like this takes the place of the reader."""
    (tmp_path / "stand_in.py").write_text(program)
    monkeypatch.setattr(extract_module, "_CHILD", "stand_in")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert code_of(tmp_path / "any.pdf", limits=ExtractLimits(seconds=2)) == code


def _runs(pid: str) -> bool:
    try:
        return "State:\tZ" not in (Path("/proc") / pid / "status").read_text()
    except OSError:
        return False


def test_cancelling_kills_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that never ends, and has started a process of its own that does not end either."""
    mark = tmp_path / "pids"
    (tmp_path / "stand_in.py").write_text(
        "import os, pathlib, subprocess, sys, time\n"
        "other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"part = pathlib.Path({str(mark) + '.part'!r})\n"
        "part.write_text(f'{os.getpid()} {other.pid}')\n"
        f"part.rename({str(mark)!r})\n"
        "time.sleep(600)\n"
    )
    monkeypatch.setattr(extract_module, "_CHILD", "stand_in")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(Cancelled) as caught:
        extract(tmp_path / "any.pdf", cancelled=mark.exists)
    assert caught.value.code == "CANCELLED"
    for pid in mark.read_text().split():
        for _ in range(100):  # a killed process needs a moment to be gone
            if not _runs(pid):
                break
            time.sleep(0.05)
        assert not _runs(pid)


@pytest.mark.parametrize("end", ["os.abort()", "raise MemoryError", "time.sleep(60)"])
def test_a_recognition_that_breaks_leaves_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """A reader that comes to a bad end over a picture, and reads the text when it may leave it out."""
    (tmp_path / "stand_in.py").write_text(
        "import json, os, pathlib, sys, time\n"
        "request = json.load(sys.stdin)\n"
        "if request['ocr']:\n"
        "    pathlib.Path(request['progress']).write_text('ocr 1 2\\n')\n"
        f"    {end}\n"
        "pages = [{'number': 1, 'text': 'Typed'}, {'number': 2, 'text': ''}]\n"
        "print(json.dumps({'pages': pages, 'metadata': {}, 'blank': [2], 'ocr': [], 'copy': False}))\n"
    )
    monkeypatch.setattr(extract_module, "_CHILD", "stand_in")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = extract(tmp_path / "any.pdf", limits=ExtractLimits(seconds=1, ocr_seconds=1))
    assert [page.text for page in found.pages] == ["Typed", ""] and found.blank_pages == (2,)


def test_a_request_larger_than_a_pipe_holds_arrives(tmp_path: Path) -> None:
    """A pipe holds 64 kB, and takes the rest only once the child has started and reads."""
    path = make_pdf(tmp_path / "one.pdf", "The page.")
    assert render_page(path, 1, text="other words " * 50_000, scale=0.2).startswith(b"\x89PNG")


def test_a_reader_is_started_whatever_became_of_the_process_that_forks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_pdf(tmp_path / "one.pdf", "The page.")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("LC_NAME", "made-anew")
    before = extract(path)
    first = starting._forking
    assert first is not None and first.is_there
    environment = Path(f"/proc/{first._process.pid}/environ").read_bytes()
    assert b"made-anew" in environment and b"sk-secret" not in environment
    first._process.kill()
    assert extract(path) == before and starting._forking is not first
    monkeypatch.setattr(starting, "_FORKING", "no_such_module")
    monkeypatch.setenv("LC_NAME", "made-once-more")
    assert extract(path) == before, "by a process that loads all its modules itself"


def test_the_child_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "OPENAI_API_KEY" not in child_environment()


def real_files() -> Iterator[dict[str, str]]:
    with (REAL / "MANIFEST.csv").open(encoding="utf-8") as file:
        yield from csv.DictReader(file)


@pytest.mark.needs(REAL_FILES)
def test_real_files_give_text_or_a_named_code() -> None:
    expected = {
        "opens, text ok": {""},
        "opens, some pages without text": {""},
        "encrypted, opens with empty password": {""},
        "encrypted, password needed": {"", "PASSWORD_REQUIRED"},
        # Scans are read where Tesseract is installed; blank pages and drawings never are.
        "opens, no extractable text (scan/blank/graphics)": {"NO_TEXT", ""},
        "corrupt (pypdf cannot open)": {"CORRUPT"},
    }
    rows = list(real_files())
    assert len(rows) >= 60
    recognised = 0
    for row in rows:
        code = ""
        try:
            found = extract(REAL / row["file"], password=row["password"])
            assert "no extractable text" not in row["kind"] or found.ocr_pages, row["file"]
            assert not row["pages"] or len(found.pages) == int(row["pages"]), row["file"]
            assert found.blank_pages == tuple(
                page.number for page in found.pages if not page.text.strip()
            )
            assert not any("\x00" in page.text or "\r" in page.text for page in found.pages)
        except DocumentError as error:
            code = error.code
        assert code in expected[row["kind"]], row["file"]
        recognised += code == "" and "no extractable text" in row["kind"]
        if row["password"]:
            assert code == "", row["file"]
    assert recognised == (5 if shutil.which("tesseract") else 0)


def yellow(png: bytes) -> tuple[int, int, int, int] | None:
    """The box around all yellow pixels of a picture."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    _, _, blue = image.split()
    red = image.split()[0]
    mask = Image.eval(blue, lambda value: 255 if value < 140 else 0)
    bright = Image.eval(red, lambda value: 255 if value > 200 else 0)
    return Image.composite(mask, Image.new("L", image.size, 0), bright).getbbox()


def dark(png: bytes) -> tuple[int, int, int, int] | None:
    """The box around all ink."""
    image = Image.open(io.BytesIO(png)).convert("L")
    return Image.eval(image, lambda value: 255 if value < 100 else 0).getbbox()


def holds(outer: tuple[int, ...], inner: tuple[int, ...], margin: int) -> bool:
    return all(outer[i] <= inner[i] + margin for i in (0, 1)) and all(
        outer[i] >= inner[i] - margin for i in (2, 3)
    )


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_mark_lies_on_its_word(tmp_path: Path, degrees: int) -> None:
    """The word alone on a page of the same layout tells where its ink is."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=14)
    for words in (((20, "Take with"), (80, "WATER"), (120, "only")), ((80, "WATER"),)):
        pdf.add_page()
        for x, word in words:
            pdf.text(x, 100, word)
    pdf.output(str(tmp_path / "straight.pdf"))
    path = turned(tmp_path / "straight.pdf", tmp_path / "turned.pdf", degrees)
    start = extract(path).pages[0].text.index("WATER")
    marked = yellow(render_page(path, 1, [(start, start + 5)], scale=SCALE))
    ink = dark(render_page(path, 2, scale=SCALE))
    assert marked and ink
    assert holds(marked, ink, margin=2)
    assert holds(ink, marked, margin=14)  # a line's height around it, not the next word


def test_a_mark_over_two_lines_leaves_the_rest_white(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", "One line here\nAnd one more line\nLast line of all")
    text = extract(path).pages[0].text
    png = render_page(path, 1, [(text.index("here"), text.index("And") + 3)], scale=SCALE)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    box = yellow(png)
    assert box is not None
    middle = (box[0] + box[2]) // 2
    colours = {image.getpixel((middle, y)) for y in range(box[1] + 10, box[3])}
    assert (255, 255, 255) in colours


def test_marks_outside_the_text_are_ignored(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", "Short")
    assert yellow(render_page(path, 1, [(900, 950), (3, 3)])) is None


def test_pages_that_do_not_exist(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", "One")
    for number in (0, 2):
        with pytest.raises(NotFound) as caught:
            render_page(path, number)
        assert caught.value.code == "PAGE_NOT_FOUND"


def test_marks_go_to_their_words_where_the_page_is_read_otherwise_than_it_was_stored() -> None:
    stored = "Dose\nTake 5 mg daily. Take 5 mg\nwith food."
    now = "Take 5 mg with food.\nDose: take 5 mg daily."
    quoted = stored.index("Take 5 mg\nwith")
    (mark,) = moved_marks([(quoted, len(stored))], stored, now)
    assert now[slice(*mark)] == "Take 5 mg with food."
    assert moved_marks([(0, 20)], stored, now) == [], "other words are never marked"
