"""Where documents speak of an entity: the documents with counts, and each passage on its page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.documents import Chunk, Document
from core.domain.graph import Entity
from core.errors import MateriaError
from pages.parts.evidence.passage import PICTURE_WIDTH, picture_text
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import counted, plain, section_name, short

MOST_DOCUMENTS = 50  # in the card; those with the most mentions
_PASSAGE = "mention_passage"


def entity_documents(entity: Entity, mentioned: Sequence[tuple[Document, int]]) -> None:
    """The documents that mention an entity, most mentions first; each opens its passages."""
    if not mentioned:
        st.caption("No document of the library mentions it.")
        return
    with st.container(gap=None):
        for document, count in mentioned[:MOST_DOCUMENTS]:
            name = document.title if not document.pages and document.title else document.file
            if st.button(
                f"{plain(short(name, 70))} :gray[· {counted(count, 'mention')}]",
                key=f"mentions_{document.id}",
                type="tertiary",
                icon=":material/description:",
            ):
                st.session_state[_PASSAGE] = 1
                _passages(entity, document)
    if len(mentioned) > MOST_DOCUMENTS:
        st.caption(f"The {MOST_DOCUMENTS} documents with the most mentions.")


@st.dialog("Passages", width="large", on_dismiss=close_dialog)
def _passages(entity: Entity, document: Document) -> None:
    """The passages of a document that mention an entity, one at a time, marked on the page."""
    open_dialog()
    chunks = workspace().catalogue.chunks_mentioning(entity.id, document.id)
    if not chunks:
        st.info("The document was changed or deleted meanwhile.", icon=":material/delete:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown(
            f"**{plain(short(entity.name, 80))}** in **{plain(short(document.file, 100))}**: "
            f"{counted(len(chunks), 'passage')}",
            width="stretch",
        )
        number = 1
        if len(chunks) > 1:
            number = int(
                st.number_input(
                    f"Passage of {len(chunks)}", 1, len(chunks), key=_PASSAGE, width=150
                )
            )
    _passage(entity, document, chunks[number - 1])


def _passage(entity: Entity, document: Document, chunk: Chunk) -> None:
    section = section_name(chunk.section, chunk.heading)
    place = [f"page {chunk.page}" if chunk.page else "", section]
    st.markdown(plain(", ".join(part for part in place if part)) or "Text")
    spans = [
        (mention.start, mention.end)
        for mention in workspace().names.mentions_in(chunk.text)
        if mention.entity_id == entity.id
    ]
    with st.container(border=True):
        st.markdown(_marked(chunk.text, spans))
    if not document.pages:
        return
    marks = [(chunk.start + start, chunk.start + end) for start, end in spans]
    try:
        with st.spinner("Drawing the page ..."):
            image = workspace().library.page_image(
                document.id,
                chunk.page,
                marks or [(chunk.start, chunk.end)],
                around=(chunk.start, chunk.end),
                width=PICTURE_WIDTH,
            )
        st.image(
            image,
            width="stretch",
            output_format="PNG",
            alt=picture_text(document, chunk.page, (chunk.start, chunk.end)),
        )
    except MateriaError as error:
        show_error(error)


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text as Markdown that shows itself, the spans on a coloured ground."""
    parts, position = [], 0
    for start, end in spans:
        parts += [
            plain_lines(text[position:start]),
            f":orange-background[{plain(text[start:end])}]",
        ]
        position = end
    return "".join([*parts, plain_lines(text[position:])])


def plain_lines(text: str) -> str:
    """`plain` that keeps blanks at both ends, and lines as lines."""
    lines = []
    for line in text.split("\n"):
        shown = plain(line)
        before = " " if line[:1].isspace() and shown else ""
        after = " " if line[-1:].isspace() else ""
        lines.append(f"{before}{shown}{after}")
    return "  \n".join(lines)
