"""The ledger of a conversation: filtered, saved, each claim a way to its evidence."""

from __future__ import annotations

import streamlit as st

from core.conversations.exporting.exports import file_name
from core.conversations.exporting.ledger import Basis, Ledger, ledger_csv, ledger_of
from core.errors import MateriaError
from core.text.tables.csv_file import CSV_TYPE
from pages.parts.history.ledger_view import BASES, CAUTION, ledger_view
from pages.parts.shared.downloads import download_menu
from pages.parts.shared.links import LEDGER_OF, asked_for
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import HISTORY, LEDGER, open_chat_session, workspace
from pages.parts.shared.text import counted, plain


def ledger_button(session_id: str, key: str) -> None:
    """The way to a conversation's ledger."""
    if st.button(
        "Ledger",
        icon=":material/fact_check:",
        key=f"ledger_{key}",
        help="Every claim of this conversation and what it rests on",
    ):
        st.switch_page(LEDGER, query_params={LEDGER_OF: session_id})


def ledger_page() -> None:
    """The whole page of a ledger."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Ledger", width="stretch")
        st.page_link(HISTORY, label="Back to the history", icon=":material/arrow_back:")
    session_id = asked_for(LEDGER_OF)
    if not session_id:
        st.info(
            "No conversation is chosen. Open the ledger of one in the history or in the chat.",
            icon=":material/fact_check:",
        )
        return
    try:
        whole = ledger_of(workspace().exports.record(session_id))
    except MateriaError as error:
        show_error(error)
        return
    _head(whole)
    if not whole.claims:
        st.info("Nothing was claimed in this conversation.", icon=":material/fact_check:")
        return
    shown = _filtered(whole)
    _files(whole, shown)
    ledger_view(shown)


def _head(whole: Ledger) -> None:
    st.markdown(f"**{plain(whole.session.title)}**")
    counts = whole.counts
    told = [
        f"{counted(len(whole.claims), 'claim')} in {counted(whole.questions, 'question')}",
        *(f"{counts[basis]:,} {BASES[basis].lower()}" for basis in Basis if counts[basis]),
    ]
    if whole.unsure:
        told.append(f"{whole.unsure:,} of closest passages that may not answer")
    if whole.refused:
        told.append(f"{whole.refused:,} not answered")
    st.caption(" · ".join(told))


def _filtered(whole: Ledger) -> Ledger:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Words",
            key="ledger_words",
            placeholder="Words of a claim, question or source",
            icon=":material/search:",
            label_visibility="collapsed",
            width=320,
        )
        bases = st.pills(
            "Rests on",
            [basis for basis in Basis if whole.counts[basis]],
            format_func=lambda basis: f"{BASES[basis]} ({whole.counts[basis]})",
            selection_mode="multi",
            key="ledger_bases",
            label_visibility="collapsed",
        )
        unsure = bool(whole.unsure) and st.toggle(
            CAUTION,
            key="ledger_unsure",
            help="Only claims of answers that are the closest passages, and may not answer",
        )
        changed = any(claim.changed for claim in whole.claims) and st.toggle(
            "Sources changed since", key="ledger_changed"
        )
    return whole.only(bases or (), words, changed=changed, unsure=unsure or None)


def _files(whole: Ledger, shown: Ledger) -> None:
    session = whole.session
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Open the conversation",
            icon=":material/forum:",
            key="ledger_open",
            on_click=open_chat_session,
            args=(session.id,),
        )
        st.download_button(
            "CSV",
            data=lambda: ledger_csv(shown),
            file_name=file_name(f"ledger {session.title}", "csv"),
            mime=CSV_TYPE,
            icon=":material/download:",
            key="ledger_csv",
            help="The claims that are shown, a row for each source",
            on_click="ignore",
        )
        download_menu(session.id, session.title)
        if len(shown.claims) < len(whole.claims):
            st.caption(f"{len(shown.claims):,} of {len(whole.claims):,} shown")
