"""Files without pages: which kind they are, and that their text is what a reader sees."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.reading.extract import ExtractLimits, extract
from core.documents.reading.formats import SUFFIXES, kind_of
from core.documents.reading.html_text import html_text
from core.domain.documents import Kind
from core.errors import DocumentError, TooLarge

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def written(path: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def text_of(path: Path, kind: Kind) -> str:
    found = extract(path, kind=kind)
    (page,) = found.pages
    assert page.number == 0 and found.kind is kind
    assert not found.has_copy and found.blank_pages == () == found.ocr_pages
    return page.text


def paragraph(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


def item(text: str) -> str:
    numbered = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    return f"<w:p>{numbered}<w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*rows: tuple[str, ...]) -> str:
    cells = (
        "".join(f"<w:tc>{paragraph(cell) if cell else '<w:p/>'}</w:tc>" for cell in row)
        for row in rows
    )
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def make_docx(path: Path, body: str, *, prolog: str = "", core: str = "", **more: str) -> Path:
    """A Word file of the parts that Word itself writes."""
    kinds = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kinds}.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'{prolog}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{WORD}"><w:style w:type="paragraph" '
        'w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>',
        "word/numbering.xml": f'<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="0">'
        '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="s" Type="{OFFICE}/styles" Target="styles.xml"/>'
        f'<Relationship Id="n" Type="{OFFICE}/numbering" Target="numbering.xml"/></Relationships>',
    }
    if core:
        parts["docProps/core.xml"] = core
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | more).items():
            archive.writestr(name, content)
    return path


# -- kinds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.pdf", b"%PDF-1.7\n", Kind.PDF),
        ("a.txt", b"%PDF-1.7\n", Kind.PDF),
        ("a", b"\n%PDF-1.7\n", Kind.PDF),
        ("a.TXT", "5 µg".encode(), Kind.TEXT),
        ("a.text", "5 µg".encode("utf-16"), Kind.TEXT),
        ("a.md", b"# How %PDF files begin", Kind.MARKDOWN),
        ("a.htm", b"<p>text</p>", Kind.HTML),
        ("a.txt", b"\n<!DOCTYPE html><p>text</p>", Kind.HTML),
    ],
)
def test_kinds_by_content_then_by_name(
    tmp_path: Path, name: str, content: bytes, kind: Kind
) -> None:
    assert kind_of(written(tmp_path / "upload", content), name) is kind


def test_a_word_file_is_known_by_its_parts(tmp_path: Path) -> None:
    path = make_docx(tmp_path / "upload", paragraph("Text"))
    assert {kind_of(path, name) for name in ("a.docx", "a.txt", "a")} == {Kind.DOCX}
    assert set(SUFFIXES.values()) == set(Kind) - {Kind.ABSTRACT}


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.txt", b"", "EMPTY_FILE"),
        ("a.pdf", b"<html>not found</html>", "NOT_A_PDF"),
        ("a.pdf", b"PK\x03\x04 word/document.xml", "NOT_A_PDF"),
        ("a.png", b"\x89PNG\r\n\x1a\n\x00\x00", "UNSUPPORTED_FORMAT"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "UNSUPPORTED_FORMAT"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "UNSUPPORTED_FORMAT"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "UNSUPPORTED_FORMAT"),
        ("a.xlsx", b"PK\x03\x04 xl/workbook.xml", "UNSUPPORTED_FORMAT"),
        ("a.docx", b"just text", "UNSUPPORTED_FORMAT"),
        ("a.txt", b"{\\rtf1 text}", "UNSUPPORTED_FORMAT"),
        ("a.csv", b"a,b", "UNSUPPORTED_FORMAT"),
        ("a", b"text without a name", "UNSUPPORTED_FORMAT"),
    ],
)
def test_everything_else_is_refused(tmp_path: Path, name: str, content: bytes, code: str) -> None:
    with pytest.raises(DocumentError) as caught:
        kind_of(written(tmp_path / "upload", content), name)
    assert caught.value.code == code and caught.value.advice


# -- plain text ------------------------------------------------------------------------------------

GERMAN = "Nehmen Sie 5 µg täglich. Größe: 10 mg ± 2 – nicht für Kinder."
FRENCH = "Comprimés à 5 mg, à conserver à l'abri de la lumière. Ne pas dépasser la dose prescrite."
RUSSIAN = "Таблетки 5 мг принимать внутрь один раз в день, запивая водой."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *[(text, "utf-8") for text in (GERMAN, FRENCH, RUSSIAN)],
        *[(text, "utf-8-sig") for text in (GERMAN, RUSSIAN)],
        *[(text, "utf-16") for text in (GERMAN, RUSSIAN)],
        *[(text, "utf-32") for text in (GERMAN, RUSSIAN)],
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        ("5 µg", "cp1252"),
        (RUSSIAN, "cp1251"),
    ],
)
def test_plain_text_in_its_encoding(tmp_path: Path, text: str, encoding: str) -> None:
    assert text_of(written(tmp_path / "a.txt", text, encoding), Kind.TEXT) == text


def test_line_ends_are_one_kind_and_lines_stay(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "One\r\nTwo\rThree\n\nFour\x0cFive\x07")
    assert text_of(path, Kind.TEXT) == "One\nTwo\nThree\n\nFour\n\nFive"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"text\n" * 2000 + b"\x00", "UNSUPPORTED_FORMAT"),
        (bytes(range(1, 32)) * 40, "UNSUPPORTED_FORMAT"),
        (b" \n --- \n", "NO_TEXT"),
        (b"", "EMPTY_FILE"),
        (b"word " * 30, "TEXT_TOO_LONG"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    limits = ExtractLimits(max_characters=20_000 if code != "TEXT_TOO_LONG" else 100)
    with pytest.raises(DocumentError) as caught:
        extract(written(tmp_path / "a.txt", content), kind=Kind.TEXT, limits=limits)
    assert caught.value.code == code
    assert isinstance(caught.value, TooLarge) == (code == "TEXT_TOO_LONG")


# -- Markdown, HTML, Word --------------------------------------------------------------------------


def test_markdown(tmp_path: Path) -> None:
    source = (
        "# 4.2 Posology\n\nTake **5 mg**\nonce a day &amp; with water.\n\n- one\n- two\n\n"
        "| Age | Dose |\n|---|---|\n| 12 | |\n| < 18 | 5 mg |\n\n<script>x</script>Last\n"
    )
    assert text_of(written(tmp_path / "a.md", source), Kind.MARKDOWN) == (
        "4.2 Posology\n\nTake 5 mg once a day & with water.\n\n• one\n• two\n\n"
        "Age | Dose\n12 |\n< 18 | 5 mg\n\nLast"
    )


def test_html(tmp_path: Path) -> None:
    source = (
        "<html><head><title>A &amp; B</title><style>p{}</style></head><body><h2>4.3 Who</h2>Not for"
        "<b> children</b><!-- no --><script>no</script><div hidden>no</div>"
        "<div style='color:red; display: none'>no</div><p>10<sup>9</sup>/L of CO<sub>2</sub><br>x"
        "<ol><li><p>Open</p><li>Close<ul><li>Well</ul></ol><table><tr><td>a<td>b</tr><tr><td>"
        "<td><p>5&nbsp;mg</p><p>daily</p></table>Para&shy;cetamol<svg><title>no</title></svg>"
    )
    found = extract(written(tmp_path / "a.html", source), kind=Kind.HTML)
    assert found.metadata == {"title": "A & B"}
    assert found.pages[0].text == (
        "4.3 Who\n\nNot for children\n\n10⁹/L of CO2\nx\n\n• Open\n• Close\n• Well\n\n"
        "a | b\n| 5 mg daily\n\nParacetamol"
    )


def test_html_says_its_encoding(tmp_path: Path) -> None:
    source = "<meta charset=iso-8859-5><p>Таблетки 5 мг</p>"
    assert text_of(written(tmp_path / "a.html", source, "iso-8859-5"), Kind.HTML) == "Таблетки 5 мг"


def test_deep_html_does_not_break_the_reader(tmp_path: Path) -> None:
    path = written(tmp_path / "a.html", "<div><b>" * 20_000 + "deep")
    assert text_of(path, Kind.HTML) == "deep"


def test_word(tmp_path: Path) -> None:
    core = (
        '<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Leaflet</dc:title>'
        "<dc:creator>Nobody</dc:creator></p>"
    )
    body = (
        paragraph("4.2 Posology", "berschrift1")
        + paragraph("Take 5 mg &amp; water.")
        + item("one")
        + item("two")
        + table(("Age", "Dose"), ("", "5 mg"))
        + paragraph("Last")
    )
    found = extract(make_docx(tmp_path / "a.docx", body, core=core), kind=Kind.DOCX)
    assert found.metadata == {"title": "Leaflet", "author": "Nobody"}
    assert found.pages[0].text == (
        "4.2 Posology\n\nTake 5 mg & water.\n\n• one\n• two\n\nAge | Dose\n| 5 mg\n\nLast"
    )


def test_word_files_reach_nothing_outside(tmp_path: Path) -> None:
    secret = written(tmp_path / "secret.txt", "TOP SECRET")
    prolog = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    body = paragraph("Before &x; after")
    path = make_docx(tmp_path / "a.docx", body, prolog=prolog)
    try:
        assert "SECRET" not in text_of(path, Kind.DOCX)
    except DocumentError as error:
        assert error.code == "CORRUPT"


def test_bombs_hit_a_limit(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    laughs = make_docx(
        tmp_path / "laughs.docx",
        paragraph("&e11;"),
        prolog=f'<!DOCTYPE d [<!ENTITY e0 "ha">{entities}]>',
    )
    zipped = make_docx(tmp_path / "zipped.docx", paragraph("x" * 210_000_000))
    assert zipped.stat().st_size < 1_000_000
    for path in (laughs, zipped):
        with pytest.raises(DocumentError) as caught:
            extract(path, kind=Kind.DOCX)
        assert caught.value.code in {"CORRUPT", "EXTRACTION_MEMORY", "EXTRACTION_TIMEOUT"}


def test_a_damaged_word_file_is_refused(tmp_path: Path) -> None:
    whole = make_docx(tmp_path / "a.docx", paragraph("Text")).read_bytes()
    with pytest.raises(DocumentError) as caught:
        extract(written(tmp_path / "b.docx", whole[: len(whole) // 2]), kind=Kind.DOCX)
    assert caught.value.code == "CORRUPT"


WORDS = st.lists(st.from_regex(r"[a-zA-Z0-9µ]{1,8}", fullmatch=True), min_size=1, max_size=4)
BLOCKS = st.lists(
    st.tuples(st.sampled_from("p div li td h1 span pre".split()), WORDS), min_size=1, max_size=12
)


@given(BLOCKS)
def test_every_visible_word_stays_in_its_order(blocks: list[tuple[str, list[str]]]) -> None:
    html = "".join(f"<{tag}>{' '.join(words)} </{tag}>" for tag, words in blocks)
    text, _ = html_text(html)
    expected = [word for _, words in blocks for word in words]
    assert [word for word in text.split() if word not in "•|"] == expected
