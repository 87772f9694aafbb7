"""The chat: the open conversation, the input, the answer as it comes."""

from __future__ import annotations

import streamlit as st

from core.answers.prompts import CLOSING
from core.domain.answers import Answer, Citation, DocumentCitation
from core.domain.conversations import Turn
from core.domain.events import Answered, Expanded, Retrieved, Routed, Token
from core.errors import MateriaError
from pages.parts.answer_view import answer_view
from pages.parts.evidence import open_entity, show_evidence
from pages.parts.jobs import reading_note
from pages.parts.problems import show_error
from pages.parts.state import (
    EXPLORER,
    chat_session,
    open_chat_session,
    request_evidence,
    rerun_answered,
    rerun_part,
    show_graph,
    take_evidence_request,
    workspace,
)
from pages.parts.text import citation_label, plain, short

EXAMPLES = (
    "Which drugs treat type 2 diabetes, and when must metformin not be taken?",
    "Does ibuprofen interact with warfarin?",
    "How should levothyroxine be taken?",
)


_JUST_ANSWERED = "chat_just_answered"


@st.fragment
def chat() -> None:
    """The whole panel; its clicks do not run the page beside it."""
    turns = workspace().conversations.history(chat_session()) if chat_session() else []
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("#### Ask Materia", width="stretch")
        if st.button("New", icon=":material/add_comment:", key="new_chat", help="New conversation"):
            open_chat_session("")
            rerun_part()
    with st.container(key="chat_log", height=520, autoscroll=True, border=False):
        if not turns:
            _welcome()
        just_answered = st.session_state.pop(_JUST_ANSWERED, False)
        for turn in turns:
            _turn(turn, into_view=just_answered and turn is turns[-1])
        live = st.container()
        reading_note()
    typed = st.chat_input("Ask documents and graph ...", key="chat_input")
    question = typed or st.session_state.pop("chat_example", None)
    if question:
        with live:
            _ask(str(question))
    citation = take_evidence_request()
    if citation is not None:
        show_evidence(citation)


def _welcome() -> None:
    st.markdown(
        "Every sentence of an answer shows what it rests on: :blue[▌]a document, :violet[▌]the graph, "
        ":green[▌]both, :red[▌]nothing. Click a number to see the evidence. Try:"
    )
    for number, example in enumerate(EXAMPLES):
        if st.button(example, key=f"example_{number}", width="stretch"):
            st.session_state["chat_example"] = example
            rerun_part()


def _question(text: str) -> None:
    with st.chat_message("user", avatar=":material/person:"):
        st.text(text)


def _turn(turn: Turn, into_view: bool) -> None:
    _question(turn.question)
    with st.chat_message("assistant", avatar=":material/biotech:"):
        _answer(turn.answer, turn.id, into_view)


def _answer(answer: Answer, key: str, into_view: bool) -> None:
    if answer.read_as != answer.question:
        st.caption(f"Read as: {plain(answer.read_as)}")
    if answer.notice:
        st.warning(plain(answer.notice), icon=":material/info:")
    _deleted_sources(answer)
    clicked = answer_view(answer, workspace().links.mentions_in, f"answer_{key}", into_view)
    if clicked and clicked.get("kind") == "citation":
        citation = answer.citation(int(clicked.get("n", 0)))
        if citation is not None:
            request_evidence(citation)
    elif clicked and clicked.get("kind") == "entity":
        open_entity(str(clicked.get("id", "")))
    if answer.refused:
        if answer.nearest:
            _citations("Nearest passages (not enough)", answer.nearest, key)
    else:
        _citations(f"Sources ({len(answer.citations)})", answer.citations, key)
    entities = [str(entity_id) for entity_id in answer.subgraph.get("entities", [])]
    if entities and st.button("Show in graph", key=f"graph_{key}", icon=":material/hub:"):
        show_graph(entities)
        st.switch_page(EXPLORER)
    st.caption(f"{plain(CLOSING)} {_provenance(answer)}")


def _deleted_sources(answer: Answer) -> None:
    """Say which documents behind an earlier answer are no longer in the library."""
    present = workspace().library_store.present(answer.document_ids)
    gone = {
        citation.file
        for citation in answer.citations
        if isinstance(citation, DocumentCitation) and citation.document_id not in present
    }
    store = workspace().library_store
    replaced = {
        file
        for file in gone
        for index in store.indexes()
        if store.documents_named(index.name, file)
    }
    for files, what in ((gone - replaced, "deleted"), (replaced, "replaced by another version")):
        if files:
            st.warning(
                f"Source {what}: {plain(', '.join(sorted(files)))}. What is quoted from it can no "
                "longer be checked.",
                icon=":material/delete:",
            )


def _provenance(answer: Answer) -> str:
    seconds = sum(answer.timings_ms.values()) / 1000
    by = "Quoted, no model" if answer.model == "extractive" else f"Model: {plain(answer.model)}"
    return f"{by}, {seconds:.1f} s."


def _citations(title: str, citations: tuple[Citation, ...], key: str) -> None:
    with st.expander(title):
        for citation in citations:
            label = f"{citation.n} · {plain(short(citation_label(citation), 90))}"
            if st.button(label, key=f"source_{key}_{citation.n}", type="tertiary"):
                request_evidence(citation)


def _ask(question: str) -> None:
    """Answer a question while showing the steps, then draw the kept turn."""
    _question(question)
    try:
        with st.chat_message("assistant", avatar=":material/biotech:"):
            steps = st.status("Reading the question ...")
            writing = st.empty()
            text = ""
            for event in workspace().chat.ask(question, chat_session() or None):
                match event:
                    case Routed(query_type=kind):
                        steps.update(label=f"Searching ({kind}) ...")
                    case Retrieved(hits=hits, searched=searched):
                        steps.update(
                            label=f"{len(hits)} passages of {searched}; asking the graph ..."
                        )
                    case Expanded(subgraph=subgraph):
                        steps.update(label=f"{len(subgraph.entities)} entities; writing ...")
                    case Token(text=piece):
                        text += piece
                        writing.text(text)
                    case Answered(answer=answer):
                        steps.update(label="Done", state="complete")
                        open_chat_session(answer.session)
    except MateriaError as error:
        show_error(error)
        return
    st.session_state[_JUST_ANSWERED] = True
    # Again from the store: what is shown is what was kept.
    rerun_answered()
