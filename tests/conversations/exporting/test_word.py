"""Word: opens, says everything, and takes nothing for markup."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import docx
import mammoth
from hypothesis import example, given
from hypothesis import strategies as st

from core.conversations.exporting.blocks import Cited, Facts, Heading, Note, Said, Title
from core.conversations.exporting.outline import outline
from core.conversations.exporting.printable import one_line
from core.conversations.exporting.record import Record
from core.conversations.exporting.word import word
from core.domain.answers import Support
from core.domain.conversations import Session
from core.stores.sqlite.conversations import SqliteConversations
from tests.conversations.exporting.conversations import (
    HOSTILE,
    SESSION,
    WHEN,
    a_full_answer,
    a_record,
)


def _text(made: bytes) -> str:
    """All that the document says, in its order."""
    root = ElementTree.fromstring(zipfile.ZipFile(io.BytesIO(made)).read("word/document.xml"))
    main = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    parts = []
    for one in root.iter():
        if one.tag == f"{main}t":
            parts.append(one.text or "")
        elif one.tag in (f"{main}p", f"{main}br"):
            parts.append("\n")
    return " ".join("".join(parts).split())


def test_a_conversation_has_all_that_it_rests_on(store: SqliteConversations) -> None:
    record = a_record(store, a_full_answer(), a_full_answer(HOSTILE))
    made = word(record, outline(record))
    text = _text(made)
    for part in (
        "RECORD OF A CONVERSATION", "About metformin", "1. How much of it may be taken?",
        "At most 3,000 mg a day. [1]", "Rests on a document", "Rests on nothing that was found",
        "Doubt: 35 mg is not in the evidence", "Metformin.pdf, page 3, Dose", one_line(HOSTILE),
        "Metformin treats type 2 diabetes", "source of fact: Hetionet (CC0)", "c0ffee123456", "ec1099ed9d67",
    ):  # fmt: skip
        assert part in text, part
    document = docx.Document(io.BytesIO(made))
    assert document.core_properties.title == "About metformin"
    headings = [one.text for one in document.paragraphs if one.style.name == "Heading 1"]
    assert headings[:2] == [
        "1. How much of it may be taken?",
        "2. How much of it may be taken?",
    ]
    footer = document.sections[0].footer._element.xml
    assert "PAGE" in footer and "NUMPAGES" in footer
    html = mammoth.convert_to_html(io.BytesIO(made)).value
    assert "<script" not in html and "evil.example" in html and 'href="http' not in html


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
@example("\x00\x0b\ufffe ]]> &amp; <w:p/> \u202e")
@example("中文 العربية עברית हिन्दी 🙂")
def test_any_text_is_kept_or_named(text: str) -> None:
    session = Session(SESSION, text, WHEN, WHEN, 1)
    record = Record(session, (), {}, WHEN, "0", "0" * 64)
    shown = one_line(text)
    blocks = [
        Title("a", text),
        Heading(2, text),
        Note(text),
        Facts(((text, text),)),
        Said("1.1", text, (1,), Support.GRAPH, (text,)),
        Cited(1, text, text, ()),
    ]
    assert _text(word(record, blocks)).count(shown) >= (9 if shown else 0)
