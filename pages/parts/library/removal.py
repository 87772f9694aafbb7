"""Deleting: asked first, done, and a receipt afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.documents.library.indexes import total
from core.domain.documents import DeletionReceipt, Document
from core.errors import MateriaError, StoreUnavailable
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, rerun_page, workspace
from pages.parts.shared.text import counted, plain

_RECEIPTS = "deletion_receipts"
_DELETIONS = "library_deletions"  # grows with every deletion, so that nothing stays selected
_LISTED = 10


def deletions() -> int:
    """How many deletions this session has seen: part of the keys of what must not outlive one."""
    return int(st.session_state.get(_DELETIONS, 0))


@st.dialog("Delete documents?", icon=":material/delete:", on_dismiss=close_dialog)
def confirm_documents(documents: Sequence[Document]) -> None:
    """Ask, then delete documents."""
    st.text("This removes the files, their text, chunks, vectors and links to entities:")
    for document in documents[:_LISTED]:
        st.text(f"• {document.file}")
    if len(documents) > _LISTED:
        st.text(f"... and {len(documents) - _LISTED} more")
    ids = [document.id for document in documents]
    _say_final()
    quotes = _quotes(ids)
    _buttons(f"Delete {len(documents)}", lambda: workspace().deletion.documents(ids, quotes=quotes))


@st.dialog("Delete an index?", icon=":material/delete:", on_dismiss=close_dialog)
def confirm_index(name: str, documents: int) -> None:
    """Ask, then delete an index."""
    st.text(
        f"This removes the index {name} with {counted(documents, 'document')} and all traces of them."
    )
    _say_final()
    quotes = _quotes(workspace().deletion.documents_of(name))
    _buttons(f"Delete {name}", lambda: [workspace().deletion.index(name, quotes=quotes)])


@st.dialog("Delete everything?", icon=":material/delete_forever:", on_dismiss=close_dialog)
def confirm_everything() -> None:
    """Ask twice, then delete every index."""
    st.text("This removes every document of every index. The graph and the history stay.")
    _say_final()
    quotes = _quotes(workspace().deletion.documents_of())
    with st.form("everything", border=False):
        word = st.text_input("Type “delete” to go on")
        pressed = st.form_submit_button(
            "Delete everything",
            key="delete_everything_now",
            type="primary",
            icon=":material/delete_forever:",
        )
    if pressed and word.strip().casefold() == "delete":
        _delete(lambda: workspace().deletion.everything(quotes=quotes))
    elif pressed:
        st.warning("Type the word “delete” first.")
    else:
        open_dialog()


def _say_final() -> None:
    st.markdown(
        "**This is final; there is no undo.** A document can be added again if you have its file. A backup "
        "that was made before still has it, but restoring that puts the whole library back to what it was then."
    )


def _quotes(document_ids: Sequence[str]) -> bool:
    """Say how many kept answers quote these documents; whether that is to be taken out of them."""
    try:
        quoted = workspace().deletion.quoted(document_ids)
    except StoreUnavailable:
        st.caption(
            "The history cannot be reached: how many answers quote this cannot be said. They stay, marked "
            "“source deleted”."
        )
        return False
    if not quoted.answers:
        st.text("No answer of the history rests on this.")
        return False
    answers = (
        f"{counted(quoted.answers, 'answer')} in {counted(quoted.conversations, 'conversation')}"
    )
    one = quoted.answers == 1
    st.text(
        f"{answers} of the history {'rests' if one else 'rest'} on this. "
        f"{'It stays' if one else 'They stay'}, with what is quoted, marked “source deleted”."
    )
    return st.checkbox(
        "Take the quotes out of these answers too",
        key="delete_quotes",
        help="Their citations stay, marked “source deleted”, without a word of the text. Sentences that "
        "rest on it alone are blanked.",
    )


def _buttons(label: str, delete: Callable[[], list[DeletionReceipt]]) -> None:
    open_dialog()
    with st.container(horizontal=True):
        pressed = st.button(label, type="primary", icon=":material/delete:", key="confirm")
        if st.button("Cancel", key="confirm_not"):
            close_dialog()
            st.rerun()
    if pressed:
        _delete(delete)


def _delete(delete: Callable[[], list[DeletionReceipt]]) -> None:
    try:
        with st.spinner("Deleting ..."):
            st.session_state[_RECEIPTS] = delete()
    except MateriaError as error:
        show_error(error)
        return
    st.session_state[_DELETIONS] = deletions() + 1
    close_dialog()
    st.rerun()


def show_receipts() -> None:
    """What the last deletion removed, once."""
    receipts: list[DeletionReceipt] = st.session_state.pop(_RECEIPTS, [])
    going = [receipt.file for receipt in receipts if receipt.unfinished]
    if going:
        # `being_removed` tells what becomes of them.
        st.warning(
            f"Deleted, not yet removed everywhere: {plain(', '.join(going[:_LISTED]))}.",
            icon=":material/delete:",
        )
    receipts = [receipt for receipt in receipts if not receipt.unfinished]
    if not receipts:
        return
    whole = receipts[0] if len(receipts) == 1 else total(receipts)
    name = plain(receipts[0].file) if len(receipts) == 1 else f"{len(receipts)} items"
    text = (
        f"Deleted **{name}**: {counted(whole.documents, 'document')}, {counted(whole.pages, 'page')}, "
        f"{counted(whole.chunks, 'chunk')}, {counted(whole.vectors, 'vector')}, "
        f"{counted(whole.text_rows, 'full-text row')}, {counted(whole.mentions, 'entity link')}, "
        f"{counted(whole.files, 'file')}."
    )
    if whole.quotes:
        text += f" Taken out of earlier answers: {counted(whole.quotes, 'quote')}."
    if whole.quotes_later:
        text += " Earlier answers are looked through at the next start."
    if whole.left:
        st.toast(f"Deleted {name}, not all of it.", icon=":material/error:")
        st.error(
            f"{text} {whole.left} traces are left: run the check on the System page.",
            icon=":material/error:",
        )
        return
    # The receipt stands at the page's top; who deleted at its end sees this.
    st.toast(f"Deleted {name}; nothing of it is left.", icon=":material/delete:")
    st.success(f"{text} Checked: nothing is left.", icon=":material/delete:")
    if len(receipts) > 1:
        with st.expander("Receipts"):
            for receipt in receipts:
                st.text(
                    f"{receipt.file}: {receipt.pages} pages, {receipt.chunks} chunks, "
                    f"{receipt.vectors} vectors, {receipt.text_rows} full-text rows, "
                    f"{receipt.mentions} entity links, {receipt.files} files; {receipt.left} left"
                )


@st.fragment(run_every=3)
def _watch_removals(count: int) -> None:
    if len(workspace().catalogue.being_removed()) != count:
        rerun_page()


def being_removed() -> None:
    """What was deleted and has to wait for a store, until nothing of it is left."""
    documents = workspace().catalogue.being_removed()
    if not documents:
        return
    names = ", ".join(document.file for document in documents[:_LISTED])
    more = f" and {len(documents) - _LISTED} more" if len(documents) > _LISTED else ""
    st.info(
        f"Being removed: {plain(names)}{more}. No search and no answer sees this any more. A store cannot "
        "be used at the moment; Materia removes the rest by itself as soon as it can.",
        icon=":material/auto_delete:",
    )
    _watch_removals(len(documents))
