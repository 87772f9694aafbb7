"""PDF: opens, says everything, and never fails for a character."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pypdf
import pypdfium2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from core.conversations.exporting import fonts
from core.conversations.exporting.outline import outline
from core.conversations.exporting.pdf import pdf
from core.domain.answers import Answer, DocumentCitation
from core.domain.plans import AnswerList, Member
from core.stores.sqlite.conversations import SqliteConversations
from tests.conversations.exporting.conversations import HOSTILE, a_full_answer, a_record

Print = Callable[..., list[str]]


@pytest.fixture
def machine_fonts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The only folder in which this machine has fonts; empty."""
    folder = tmp_path / "fonts"
    folder.mkdir()
    monkeypatch.setattr(fonts, "font_folders", lambda: [folder])
    return folder


@pytest.fixture
def printed(store: SqliteConversations, machine_fonts: Path) -> Print:
    """Prints a conversation; the text of each page, white space as single blanks."""

    def print_(*answers: Answer, title: str = "About metformin") -> list[str]:
        record = a_record(store, *answers, title=title)
        made = pdf(record, outline(record))
        document = pypdfium2.PdfDocument(made)
        try:
            pages = [page.get_textpage().get_text_range() for page in document]
        finally:
            document.close()
        read = pypdf.PdfReader(io.BytesIO(made))
        assert len(read.pages) == len(pages)
        assert not [page for page in read.pages if page.annotations], "nothing can be clicked"
        claims = any(not one.refused for one in answers)
        assert len(read.outline) == len(answers) + claims + 1, "questions, ledger, documents"
        return pages

    return print_


def _without_blanks(text: str) -> str:
    """Lines are broken anywhere in long words, and a soft hyphen may stand there."""
    return "".join(text.split()).replace("\u00ad", "").replace("\ufffe", "")


def _running(pages: list[str], head: str = "") -> str:
    """The text of all pages without feet and without `head`, blanks left out."""
    feet = re.compile(r"Page\d+of\d+Materia·conversation\w+·SHA-256\w{16}")
    whole = "".join(feet.sub("", _without_blanks(page)) for page in pages)
    return whole.replace(_without_blanks(head), "") if head else whole


@pytest.mark.req("KG-F")
def test_a_conversation_has_all_that_it_rests_on(printed: Print) -> None:
    pages = printed(a_full_answer(), a_full_answer(HOSTILE))
    text = _without_blanks(" ".join(pages))
    for part in (
        "RECORD OF A CONVERSATION", "About metformin", "1. How much of it may be taken?",
        "2. How much of it may be taken?", "At most 3,000 mg a day. [1]", "Rests on a document",
        "Rests on the graph", "Doubt: 35 mg is not in the evidence", "Metformin.pdf, page 3, Dose",
        "Do not exceed 3,000 mg a day.", HOSTILE, "Metformin treats type 2 diabetes", "TREATS",
        "source of fact: Hetionet (CC0)", "gpt-4o-mini", "c0ffee123456", "ec1099ed9d674bf49d7b831ea0126ace",
        "embedding_model = all-MiniLM-L6-v2", "2026-05-03 14:05:09 UTC", "Before reranking",
    ):  # fmt: skip
        assert _without_blanks(part) in text, part
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in " ".join(page.split())


def test_every_sort_of_character_is_printed_or_named(printed: Print) -> None:
    every = [chr(one) for one in range(0x20, sys.maxunicode, 331) if not 0xD800 <= one < 0xE000]
    quote = " ".join("".join(every[at : at + 12]) for at in range(0, len(every), 12))
    scripts = (
        "Ελληνικά Кириллица العربية עברית हिन्दी ไทย 中文 日本語 한국어 🙂 "
        "a\u0301 ﬁ \u202ereversed \x00 \ufffe"
    )
    text = _without_blanks(" ".join(printed(a_full_answer(quote), a_full_answer(scripts))))
    assert "Ελληνικά" in text and "Кириллица" in text
    for named in ("[U+4E2D]", "[U+D55C]", "[U+1F642]", "[U+202E]", "[U+0000]"):
        assert named in text, named


def _font_with(characters: str, path: Path) -> None:
    """A font whose every glyph is a square."""
    pen = TTGlyphPen(None)
    for move, point in (
        (pen.moveTo, (0, 0)),
        *((pen.lineTo, at) for at in ((0, 700), (600, 700), (600, 0))),
    ):
        move(point)
    pen.closePath()
    names = [".notdef", *(f"u{ord(one):04X}" for one in characters)]
    square = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(one): f"u{ord(one):04X}" for one in characters})
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (650, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.save(path)


def test_a_font_of_the_machine_helps_where_ours_have_no_glyph(
    printed: Print, machine_fonts: Path
) -> None:
    _font_with("中文", machine_fonts / "Squares.ttf")
    (machine_fonts / "Broken.ttf").write_bytes(b"no font")
    text = " ".join(printed(a_full_answer("中文 and 한")))
    assert "中文" in text and "[U+4E2D]" not in text and "[U+D55C]" in text


@pytest.mark.parametrize(
    "quote", ["long " * 6_000, "unbroken" * 1_500, "line\n" * 400], ids=["words", "word", "lines"]
)
def test_long_quotes_run_over_pages(printed: Print, quote: str) -> None:
    pages = printed(a_full_answer(quote))
    assert len(pages) > 4
    word = quote.split()[0][:8]
    assert _running(pages).count(word) >= quote.count(word)


def test_lines_from_right_to_left_keep_their_order_and_their_numbers(printed: Print) -> None:
    hebrew, arabic = "המינון המרבי הוא 2400 ביום", "الجرعة القصوى هي 2400 في اليوم"
    text = "\n".join(printed(a_full_answer(f"First line.\n{hebrew}\n{arabic}\nLast line.")))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    # Read in the order of writing, or as it is seen: the number stands alone between its words.
    numbers = [line for line in lines if " 2400 " in line]
    assert len(numbers) == 2
    first, last = (
        next(i for i, line in enumerate(lines) if one in line)
        for one in ("First line.", "Last line.")
    )
    assert first < lines.index(numbers[0]) < lines.index(numbers[1]) < last


def test_rows_that_are_higher_than_a_page_are_printed_whole(printed: Print) -> None:
    reason = " ".join(f"reason{number}" for number in range(1_500))
    long_list = AnswerList("Very long", (Member("x", "Drug", "X " * 900, reason=reason),))
    pages = printed(replace(a_full_answer(), lists=(long_list,)))
    text = _running(pages, "Name Type Id Because")
    assert all(f"reason{number}" in text for number in range(1_500))


def test_a_footer_is_no_place_for_a_quote(printed: Print) -> None:
    pages = printed(a_full_answer("{pages} and {{pages}}"), title="{pages}")
    text = " ".join(pages)
    assert "{pages} and {{pages}}" in text
    assert f"Page 1 of {len(pages)}" in pages[0]


def test_an_answer_from_before_traces_is_printed(printed: Print) -> None:
    old = replace(a_full_answer(), trace=None)
    assert isinstance(old.citations[0], DocumentCitation)
    text = " ".join(printed(old))
    assert "Not kept with this answer." in text
    assert "not known" in text  # the hash of a document that is gone
