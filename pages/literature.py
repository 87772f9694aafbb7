"""Search one index: the abstracts, or the passages of documents."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from core.documents.library import ABSTRACTS
from core.documents.sections import SECTION_CODES, section_title
from core.domain.answers import DocumentCitation, place
from core.domain.documents import Hit, SearchResult
from core.errors import MateriaError
from core.search.retriever import SearchOptions
from pages.parts.evidence import show_evidence
from pages.parts.problems import show_error
from pages.parts.state import workspace
from pages.parts.text import plain, section_name

_CHOICES = (3, 5, 10, 15)  # papers, as the seed's page offers
_CHUNKS_PER_PAPER = 3  # an abstract has two or three chunks
_CANDIDATES = 20


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


def _hits(result: SearchResult) -> None:
    """Passages of documents, best first, each with a way to its page."""
    for number, hit in enumerate(result.hits, 1):
        chunk = hit.chunk
        with st.container(border=True):
            section = section_name(chunk.section, chunk.heading)
            where = place(hit.document.file, chunk.page) + (f", {section}" if section else "")
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{plain(where)}**", width="stretch")
                if st.button("Show", key=f"hit_{number}_{chunk.id}", icon=":material/visibility:"):
                    show_evidence(_citation(number, hit))
            st.caption(f"score {hit.score:.2f}")
            st.text(" ".join(chunk.text.split()))


def _citation(number: int, hit: Hit) -> DocumentCitation:
    chunk = hit.chunk
    return DocumentCitation(
        number,
        hit.document.id,
        chunk.id,
        hit.document.file,
        chunk.page,
        chunk.section,
        chunk.heading,
        chunk.text,
        chunk.start,
        chunk.end,
        hit.score,
    )


def _search(query: str, index: str, k: int, mode: str, sections: tuple[str, ...]) -> None:
    papers = index == ABSTRACTS
    wanted = k * _CHUNKS_PER_PAPER if papers else k
    found = workspace().retriever.search(
        query, SearchOptions((index,), wanted, max(wanted, _CANDIDATES), mode, sections)
    )
    groups = _papers(found, k) if papers else []
    count = len(groups) if papers else len(found.hits)
    st.caption(
        f"{count} {'papers' if papers else 'passages'} in {found.elapsed_ms:.0f} ms; "
        f"{found.searched:,} chunks searched, {found.mode} mode"
    )
    for hits in groups:
        _paper(hits)
    if not papers:
        _hits(found)
    if not found.hits:
        st.info("Nothing was found. Try other words, another section, or the semantic mode.")


_QUERY = "literature_query"  # what was searched last: the passages' buttons run the page again

st.header("Literature")
names = [index.name for index in workspace().library_store.indexes()]
if not names:
    st.info(
        "There is nothing to search yet; the sample brings 60 abstracts.", icon=":material/article:"
    )
    st.stop()
names.sort(key=lambda name: name != ABSTRACTS)
index = st.segmented_control("Search in", names, default=names[0], required=True)
with st.form("literature", border=False):
    query = st.text_area(
        "Search by meaning and words",
        placeholder="How can side effects be found in electronic health records?"
        if index == ABSTRACTS
        else "How should it be stored?",
        height=80,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        k = st.selectbox("Results", _CHOICES, index=1, width=120)
        mode = st.selectbox(
            "Mode",
            ("hybrid", "semantic", "lexical"),
            width=160,
            help="Hybrid joins meaning and words; semantic ranks by embedding similarity alone; "
            "lexical by words alone.",
        )
        sections: list[str] = []
        if index != ABSTRACTS:
            sections = st.multiselect(
                "Sections",
                SECTION_CODES,
                format_func=section_title,
                placeholder="All sections",
                width=320,
            )
        if st.form_submit_button("Search", type="primary", icon=":material/search:"):
            st.session_state[_QUERY] = (query, index, k, mode, tuple(sections))
asked = st.session_state.get(_QUERY)
if asked is not None and asked[1] == index:
    try:
        _search(*asked)
    except MateriaError as error:
        show_error(error)
