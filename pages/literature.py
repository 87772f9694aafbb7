"""Search the abstracts."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from core.documents.library import ABSTRACTS
from core.domain.documents import Hit, SearchResult
from core.errors import MateriaError
from core.search.retriever import SearchOptions
from pages.parts.problems import show_error
from pages.parts.state import workspace
from pages.parts.text import plain

_CHOICES = (3, 5, 10, 15)  # papers, as the seed's page offers
_CHUNKS_PER_PAPER = 3  # an abstract has two or three chunks


def _papers(result: SearchResult, k: int) -> list[list[Hit]]:
    """Hits by paper, papers in the order of their best hit."""
    order = list(dict.fromkeys(hit.document.id for hit in result.hits))[:k]
    by_paper = {
        key: list(group)
        for key, group in groupby(
            sorted(
                result.hits,
                key=lambda hit: order.index(hit.document.id) if hit.document.id in order else k,
            ),
            key=lambda hit: hit.document.id,
        )
    }
    return [by_paper[key] for key in order]


def _paper(hits: list[Hit]) -> None:
    document = hits[0].document
    with st.container(border=True):
        st.markdown(f"**{plain(document.title)}**")
        authors, year = document.metadata.get("authors", ""), document.metadata.get("year", "")
        about = " · ".join(part for part in (authors, year, document.file) if part)
        st.caption(f"{plain(about)} · score {hits[0].score:.2f}")
        st.text(" ".join(hits[0].chunk.text.split()))
        page = workspace().library_store.page(document.id, 1)
        if page is not None and len(page.text) > len(hits[0].chunk.text):
            with st.expander("Whole abstract"):
                st.text(" ".join(page.text.split()))
        url = document.metadata.get("url", "")
        if url:
            st.link_button("arXiv", url, icon=":material/open_in_new:")


st.header("Literature")
if workspace().library_store.index(ABSTRACTS) is None:
    st.info("There are no abstracts yet; the sample brings 60.", icon=":material/article:")
    st.stop()
with st.form("literature", border=False):
    query = st.text_area(
        "Search the abstracts by meaning and words",
        placeholder="How can side effects be found in electronic health records?",
        height=80,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        k = st.selectbox("Papers", _CHOICES, index=1, width=120)
        mode = st.selectbox(
            "Mode",
            ("hybrid", "semantic", "lexical"),
            width=160,
            help="Hybrid joins meaning and words; semantic ranks by embedding similarity alone; "
            "lexical by words alone.",
        )
        pressed = st.form_submit_button("Search", type="primary", icon=":material/search:")
if pressed:
    try:
        found = workspace().retriever.search(
            query, SearchOptions((ABSTRACTS,), k * _CHUNKS_PER_PAPER, k * _CHUNKS_PER_PAPER, mode)
        )
        papers = _papers(found, k)
        st.caption(
            f"{len(papers)} papers in {found.elapsed_ms:.0f} ms; {found.searched} chunks searched, "
            f"{found.mode} mode"
        )
        for hits in papers:
            _paper(hits)
        if not papers:
            st.info("Nothing was found. Try other words, or the semantic mode.")
    except MateriaError as error:
        show_error(error)
