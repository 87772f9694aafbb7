"""What a cell rests on: differences in words, passages with what is marked in them, relationships."""

from __future__ import annotations

import streamlit as st

from core.boards.public import frequency_words
from core.documents.cutting.sections import section_title
from core.domain.answers import Citation, GraphCitation
from core.domain.boards.records import BoardCell, BoardSource, Passage
from core.graph.phrases import relationship_phrase
from pages.parts.evidence.opened import open_citations
from pages.parts.shared.text import plain

_KINDS = {BoardSource.LEAFLET: "Leaflet", BoardSource.PAPER: "Paper"}


def cell_evidence(cell: BoardCell, key: str) -> None:
    """Draw it; each passage opens beside the chat, on its page."""
    for told in cell.differences:
        st.warning(plain(told.words), icon=":material/difference:")
    citations: tuple[Citation, ...] = (
        *(one.citation for one in cell.passages),
        *cell.facts,
        *cell.against,
    )
    for place, one in enumerate(cell.passages):
        _passage(one, citations, place, f"{key}_{place}")
    begin = len(cell.passages)
    for place, fact in enumerate((*cell.facts, *cell.against), start=begin):
        _relationship(fact, citations, place, f"{key}_{place}")


def _passage(one: Passage, citations: tuple[Citation, ...], place: int, key: str) -> None:
    cited = one.citation
    with st.container(border=True):
        section = section_title(cited.section) if cited.section else cited.heading
        said = [_KINDS[one.source], cited.place, section]
        if one.frequency:
            said.append(frequency_words(one.frequency))
        if one.denied:
            said.append("denied")
        st.caption(plain(" · ".join(filter(None, said))))
        st.markdown(_marked(cited.quote, one.words))
        if one.lead:
            st.caption(f"It stands under “{plain(one.lead)}”.")
        if one.frequency and one.frequency.said not in cited.quote:
            st.caption(f"It stands under “{plain(one.frequency.said)}”.")
        if one.actions:
            st.caption(f"Quoted from it: {plain(', '.join(one.actions))}")
        st.button(
            "Show on its page" if cited.page else "Show in the text",
            key=f"board_open_{key}",
            icon=":material/find_in_page:",
            type="tertiary",
            on_click=open_citations,
            args=(citations, place),
        )


def _relationship(
    one: GraphCitation, citations: tuple[Citation, ...], place: int, key: str
) -> None:
    with st.container(border=True):
        st.caption("Graph")
        verb = relationship_phrase(one.relationship, True)
        st.markdown(f"**{plain(one.source)}** {plain(verb)} **{plain(one.target)}**")
        if one.properties:
            st.caption(
                plain("; ".join(f"{name}: {value}" for name, value in one.properties.items()))
            )
        st.button(
            "Show the relationship",
            key=f"board_open_{key}",
            icon=":material/hub:",
            type="tertiary",
            on_click=open_citations,
            args=(citations, place),
        )


def _marked(quote: str, words: str) -> str:
    """A quote as Markdown, its words for the reaction marked."""
    at = quote.casefold().find(" ".join(words.split()).casefold())
    if at < 0:
        return plain(quote)
    end = at + len(" ".join(words.split()))
    before, marked, after = plain(quote[:at]), plain(quote[at:end]), plain(quote[end:])
    left = " " if at and quote[at - 1].isspace() else ""
    right = " " if quote[end : end + 1].isspace() else ""
    return f"{before}{left}:orange-background[**{marked}**]{right}{after}"
