"""A look into one document: its pages as pictures, its sections, its chunks, the entities found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import pandas as pd
import streamlit as st

from core.domain.documents import CONTAINS, Chunk, Document
from core.errors import MateriaError
from core.text.model_talk import order_spans
from pages.parts.evidence.passage import PICTURE_WIDTH, picture_text
from pages.parts.library.glance import mention_charts
from pages.parts.library.linked_document import copy_document_link, page_key
from pages.parts.library.subject import subject_line
from pages.parts.shared.entity_types import type_colour
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import open_entity, workspace
from pages.parts.shared.text import counted, page_label, plain, section_name, short
from pages.parts.versions.compare import compare_with

_PAGES, _SECTIONS, _CHUNKS, _ENTITIES = "Pages", "Sections", "Chunks", "Entities"
_MOST_ENTITIES = 60
_BEGINNING = 60  # characters of a chunk that tell it from others
_FEWEST_BARS = 3  # fewer are seen at once without a chart


def document_view(document: Document) -> None:
    """The document under its name, one aspect of it at a time."""
    st.header(plain(document.file))
    subject_line(document)
    compare_with(document)
    _about(document)
    if document.orders > 0:
        _orders(document)
    chunks = workspace().catalogue.chunks(document.id)
    pages = _PAGES if document.pages else "Text"
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            "Show",
            (pages, _SECTIONS, _CHUNKS, _ENTITIES),
            default=pages,
            required=True,
            key=f"view_{document.id}",
            label_visibility="collapsed",
        )
        copy_document_link(document)
    if view == _SECTIONS:
        _sections(chunks)
    elif view == _CHUNKS:
        _chunk_table(chunks)
    elif view == _ENTITIES:
        _entities(document)
    elif document.pages:
        _page(document, chunks)
    else:
        _text(document)


def _about(document: Document) -> None:
    facts = [counted(document.pages, "page")] if document.pages else []
    facts.append(counted(document.chunks, "chunk"))
    if document.ocr_pages:
        facts.append(
            f"{counted(document.ocr_pages, 'page')} read by OCR: check against the picture"
        )
    if document.blank_pages:
        facts.append(f"{counted(document.blank_pages, 'page')} without text")
    facts += [
        f"{name}: {document.metadata[name]}"
        for name in ("title", "author", CONTAINS)
        if document.metadata.get(name)
    ]
    st.caption(plain(" · ".join(facts)))


def _orders(document: Document) -> None:
    """What in it is addressed to a language model, and where."""
    said = "sentence is" if document.orders == 1 else "sentences are"
    with st.expander(
        f"{document.orders} {said} addressed to language models, and left out of answers",
        icon=":material/warning:",
    ):
        st.caption("Read the document itself before you rely on it.")
        for page in workspace().catalogue.pages(document.id):
            for start, end in order_spans(page.text):
                words = " ".join(page.text[start:end].split())
                st.text(f"{page_label(page.number)}: {words}" if page.number else words)


def _page(document: Document, chunks: list[Chunk]) -> None:
    """Page picture on the left, what was read from it on the right."""
    page = 1
    if document.pages > 1:
        page = int(st.number_input("Page", 1, document.pages, key=page_key(document.id), width=140))
    with st.container(key=f"charts_page_{document.id}"):
        picture, reading = st.container(), st.container()
    with picture:
        try:
            st.image(
                workspace().library.page_image(document.id, page, width=PICTURE_WIDTH),
                width="stretch",
                output_format="PNG",
                alt=picture_text(document, page),
            )
        except MateriaError as error:
            show_error(error)
    with reading:
        here = [chunk for chunk in chunks if chunk.page == page]
        if not here:
            st.info("No text was found on this page.", icon=":material/image:")
        for title, chunk in zip(chunk_titles(here), here, strict=True):
            with st.expander(plain(title)):
                st.text(chunk.text)


def chunk_titles(chunks: Sequence[Chunk]) -> list[str]:
    """What chunks that stand below one another are called: by section and the document's own heading, and by
    their first words where several have both in common."""
    names = [
        " · ".join(dict.fromkeys(filter(None, (section_name(one.section, ""), one.heading))))
        or "Text"
        for one in chunks
    ]
    told = Counter(names)
    return [
        f"{name}: {short(_first_words(one), _BEGINNING)}" if told[name] > 1 else name
        for name, one in zip(names, chunks, strict=True)
    ]


def _first_words(chunk: Chunk) -> str:
    """Of what stands below the chunk's heading."""
    _, found, below = chunk.text.partition(chunk.heading) if chunk.heading else ("", "", "")
    return " ".join((below if found and below.strip() else chunk.text).split())


def _text(document: Document) -> None:
    for page in workspace().catalogue.pages(document.id):
        with st.container(height=600):
            st.text(page.text)


def _sections(chunks: list[Chunk]) -> None:
    """The outline as it was recognised: every section with where it begins."""
    rows = []
    for (code, heading), group in groupby(chunks, key=lambda chunk: (chunk.section, chunk.heading)):
        parts = list(group)
        rows.append(
            {
                "Section": section_name(code, "") if code else "",
                "Heading in the document": heading,
                "From": page_label(parts[0].page),
                "To": page_label(parts[-1].page),
                "Chunks": len(parts),
            }
        )
    st.dataframe(pd.DataFrame(rows), hide_index=True)


def _chunk_table(chunks: list[Chunk]) -> None:
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "No.": chunk.position + 1,
                    "Page": page_label(chunk.page),
                    "Section": section_name(chunk.section, chunk.heading),
                    "Characters": len(chunk.text),
                    "Text": " ".join(chunk.text.split()),
                }
                for chunk in chunks
            ]
        ),
        hide_index=True,
        column_config={"Text": st.column_config.TextColumn(width="large")},
    )


def _entities(document: Document) -> None:
    """Entities that the text names, by type; each opens in the explorer."""
    counts = workspace().catalogue.entities_in(document.id, _MOST_ENTITIES)
    found = workspace().graph.entities(list(counts))
    if not found:
        st.info("The text names no entity of the graph.", icon=":material/hub:")
        return
    st.caption("Click a name to open it in the explorer; in brackets how often the text names it.")
    ordered = sorted(found.values(), key=lambda entity: (entity.type, -counts[entity.id]))
    for kind, group in groupby(ordered, key=lambda entity: entity.type):
        st.markdown(f":{type_colour(kind)}-badge[{plain(kind)}]")
        with st.container(horizontal=True):
            for entity in group:
                if st.button(
                    f"{plain(entity.name)} ({counts[entity.id]})",
                    key=f"entity_{document.id}_{entity.id}",
                    type="tertiary",
                ):
                    open_entity(entity.id)
    if len(found) >= _FEWEST_BARS:
        with st.expander("At a glance", icon=":material/bar_chart:"):
            mention_charts(f"document_{document.id}", counts, found)
