"""Search indexes, the abstracts or the passages of documents: an answer from the hits, and the hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import streamlit as st

from core.documents.cutting.sections import SECTION_CODES, section_title
from core.documents.library.shelves import ABSTRACTS
from core.domain.answers import Answer, Citation, DocumentCitation
from core.domain.documents import SearchResult
from core.errors import MateriaError
from core.search.options import MODES, SearchOptions
from core.search.papers import group_by_paper, search_papers
from core.search.phrases import exact_phrases, quoted_phrases
from pages.parts.chat.answer_view import answer_view
from pages.parts.evidence.opened import open_citation
from pages.parts.literature.exporting import ordered, tools
from pages.parts.literature.hits import SCORE_HELP, show_papers, show_passages
from pages.parts.shared.notices import show_notices
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import open_entity, workspace
from pages.parts.shared.text import citation_label, counted, plain

_CHOICES = (3, 5, 10, 15)  # papers or passages (AX-11)
_ASKED = "literature_asked"  # what was searched last: the hits' buttons run the page again
_ANSWER = "literature_answer"  # the last answer, with the query and passages that it was made from
_MARKED = "literature_marked"  # the sentences that are marked, with what they were chosen for


def _search(query: str, options: SearchOptions) -> None:
    papers = options.indexes == (ABSTRACTS,)
    retriever = workspace().retriever
    if papers:
        found, groups = search_papers(retriever, query, options)
        count = counted(len(groups), "paper")
    else:
        found, groups = retriever.search(query, options), ()
        count = counted(len(found.hits), "passage")
    box = st.container(key="literature_answer_box")
    by = f", reranked by {plain(found.reranker)}" if found.reranker else ""
    st.caption(
        f"{count} in {found.elapsed_ms:.0f} ms; {found.searched:,} chunks searched, "
        f"{found.mode} mode{by}",
        help=SCORE_HELP,
    )
    show_notices(found.notice)
    phrases = exact_phrases(query) if options.mode == "exact" else quoted_phrases(query)
    if found.hits:
        shown = ordered(found.hits, tools(found.hits))
        if papers:
            show_papers(group_by_paper(shown, len(groups)), phrases, _sentences(query, found))
        else:
            named = len(options.indexes) > 1
            show_passages(shown, phrases, _sentences(query, found), named=named)
    if not found.hits:
        st.info("Nothing was found. Try other words, a wider scope, or the semantic mode.")
    with box:  # last: a language model takes its time
        _answer(query, found)


def _sentences(query: str, found: SearchResult) -> Mapping[str, tuple[int, int]]:
    """The sentence of each hit that is to be marked; none where the model cannot tell."""
    made_from = (query, tuple(hit.chunk.id for hit in found.hits))
    known = st.session_state.get(_MARKED)
    if known is None or known[0] != made_from:
        try:
            known = (made_from, workspace().hit_answerer.sentences(query, found.hits))
        except MateriaError:
            return {}  # what fails here fails in the answer too, which tells it
        st.session_state[_MARKED] = known
    sentences: Mapping[str, tuple[int, int]] = known[1]
    return sentences


def _answer(query: str, found: SearchResult) -> None:
    """An answer from the hits alone; when it fails, the hits below are worth as much."""
    if not found.hits:
        return
    model = workspace().models.current
    made_from = (query, tuple(hit.chunk.id for hit in found.hits), model.name if model else "")
    known = st.session_state.get(_ANSWER)
    try:
        if known is None or known[0] != made_from:
            with st.spinner("Answering from these passages"):
                known = (made_from, workspace().hit_answerer.answer(query, found.hits))
            st.session_state[_ANSWER] = known
    except MateriaError as error:
        show_error(error)
        st.caption("There is no answer, but the results below are complete.")
        return
    answer: Answer = known[1]
    if answer.refused:
        st.info("No passage answers this directly; these are the nearest ones.")
        return
    cite = partial(open_citation, answer=answer, in_chat=False)
    entity_id = answer_view(answer, workspace().names.mentions_in, cite, "literature_answer_view")
    titles = {
        hit.document.id: hit.document.title for hit in found.hits if hit.document.index == ABSTRACTS
    }
    by_source: dict[str, list[Citation]] = {}
    for citation in answer.citations:
        label = citation_label(citation)
        if isinstance(citation, DocumentCitation) and citation.document_id in titles:
            label += f", {titles[citation.document_id]}"
        by_source.setdefault(label, []).append(citation)
    with st.container(gap=None):
        for label, cited in by_source.items():
            numbers = ", ".join(str(citation.n) for citation in cited)
            st.button(
                plain(f"[{numbers}] {label}"),
                key=f"literature_{cited[0].n}",
                type="tertiary",
                on_click=cite,
                args=(cited[0],),
            )
    if entity_id:
        open_entity(entity_id)
    show_notices(answer.notice)
    st.caption(plain(answer.disclaimer))


def _form(indexes: tuple[str, ...]) -> tuple[str, SearchOptions] | None:
    """What is asked, once "Search" was pressed."""
    papers = indexes == (ABSTRACTS,)
    with st.form("literature", border=False):
        query = st.text_input(  # one line: Enter searches
            "Search by meaning and words",
            placeholder="How can adverse drug reactions be found in social media?"
            if papers
            else "How should it be stored?",
            help='A phrase in quotation marks, like "renal impairment", must stand in the passage.',
        )
        with st.container(key="fields_literature"):
            k = st.selectbox("Results", _CHOICES, index=1)
            mode = st.selectbox(
                "Mode",
                MODES,
                format_func=lambda name: f"{name} (default)" if name == MODES[0] else name,
                help="Hybrid is the default and joins meaning and words; semantic ranks by embedding "
                "similarity alone; lexical by words alone; exact finds the query, or its quoted phrases, "
                "word for word.",
            )
            sections = [] if papers else _sections()
            documents = [] if papers else _documents(indexes)
            since, until = _dates()
        asked = st.form_submit_button("Search", type="primary", icon=":material/search:")
    if not asked:
        return None
    return query, SearchOptions(
        indexes=indexes,
        k=k,
        candidates=workspace().settings.candidates,
        mode=mode,
        sections=tuple(sections),
        documents=tuple(documents),
        since=since,
        until=until,
        diverse=not papers,  # papers differ by themselves
    )


def _sections() -> list[str]:
    return st.multiselect(
        "Sections",
        SECTION_CODES,
        format_func=section_title,
        placeholder="All sections",
    )


def _documents(indexes: Sequence[str]) -> list[str]:
    catalogue = workspace().catalogue
    names = {one.id: one.file for index in indexes for one in catalogue.documents(index)}
    return st.multiselect(
        "Documents",
        sorted(names, key=lambda key: names[key].casefold()),
        format_func=lambda key: names.get(key, ""),
        placeholder="All documents",
    )


def _dates() -> tuple[date | None, date | None]:
    about = (
        "The year of an abstract, the creation date of a PDF, else the day the document was added."
    )
    since = st.date_input("From", value=None, min_value=date(1900, 1, 1), help=about)
    until = st.date_input("To", value=None, min_value=date(1900, 1, 1), help=about)
    return since, until


st.title("Literature")
names = workspace().catalogue.index_names()
if not names:
    st.info(
        "There is nothing to search yet; the sample brings 60 abstracts.", icon=":material/article:"
    )
    st.stop()
names.sort(key=lambda name: name != ABSTRACTS)
chosen = st.segmented_control(
    "Search in",
    names,
    default=names[:1],
    selection_mode="multi",
    help="One index or several. The abstracts alone are found as papers.",
)
if not chosen:
    st.info("Choose at least one index.", icon=":material/folder:")
    st.stop()
searched = tuple(name for name in names if name in chosen)
asked = _form(searched) or st.session_state.get(_ASKED)
if asked is not None and asked[1].indexes == searched:
    st.session_state[_ASKED] = asked
    try:
        _search(*asked)
    except MateriaError as error:
        show_error(error)
