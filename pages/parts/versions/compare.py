"""Two versions of a document: chosen, summed up, shown side by side, saved."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.conversations.exporting.exports import file_name
from core.documents.library.shelves import ABSTRACTS
from core.domain.documents import Document
from core.errors import MateriaError, StoreError
from core.text.tables.csv_file import CSV_TYPE
from core.versions.candidates import likeliest
from core.versions.differences import CHANGES, DifferenceKind, VersionComparison
from core.versions.files import claim_words, comparison_csv, comparison_markdown, section_name
from core.versions.resting import ChangedClaim, RestingAnswer, answers_resting
from core.versions.service import compare_documents
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import COMPARE, LIBRARY, open_chat_session, workspace
from pages.parts.shared.text import counted, plain, short
from pages.parts.versions.compare_view import compare_view

_MOST_OFFERED = 200  # documents to compare with; typing finds one of them
_DONE = "comparison"  # the last one made in this session, with what it was made of
_CHANGES, _NUMBERS, _ALL = "Changes", "Numbers only", "All text"
_EVERY_SECTION = "All sections"
_HOW = (
    "Sentences, list items and rows of tables are compared by their words. Line and page breaks, bullets, "
    "ligatures and hyphens at line ends are no changes."
)
_CLAIMS = 8  # of an answer that are told
_QUESTION = 90  # characters of a question that are told


def compare_with(document: Document) -> None:
    """The menu of a document that leads to its comparison with another one."""
    menu = st.popover(
        "Compare with ...",
        icon=":material/compare_arrows:",
        key=f"compare_{document.id}",
        on_change="rerun",
    )
    if not menu.open:
        return
    with menu:
        others = _offered(document)
        if not others:
            st.caption(
                "There is no other document yet. Add the other version to the library first."
            )
            return
        other = st.selectbox(
            "Compare with",
            others,
            format_func=_label,
            key=f"compare_choice_{document.id}",
            help="Those about the same medicine first, then files of a similar name.",
        )
        st.caption("The one that was added first is taken for the old version.")
        if st.button("Compare", type="primary", icon=":material/compare_arrows:", key="compare_go"):
            old, new = sorted((document, other), key=lambda one: one.created_at)
            st.switch_page(COMPARE, query_params={"old": old.id, "new": new.id})


def _offered(document: Document) -> list[Document]:
    """What the document may be compared with, the likeliest first."""
    of_papers = document.index == ABSTRACTS
    others = [
        one
        for one in workspace().catalogue.documents()
        if one.id != document.id and (one.index == ABSTRACTS) == of_papers
    ]
    names = workspace().names
    named = {one.title: {e.id for e in names.entities_in(one.title)} for one in [document, *others]}
    return likeliest(document, others, lambda title: named[title])[:_MOST_OFFERED]


def _label(document: Document) -> str:
    return f"{document.file} · {document.title} · {document.created_at.astimezone():%Y-%m-%d}"


def compare_page() -> None:
    """The whole page of a comparison."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Compare", width="stretch")
        st.page_link(LIBRARY, label="Back to the library", icon=":material/arrow_back:")
    old, new = (st.query_params.get(name, "") for name in ("old", "new"))
    if not (old and new):
        st.info(
            "Nothing is compared yet. Open a document in the library and choose “Compare with ...”.",
            icon=":material/compare_arrows:",
        )
        return
    try:
        found = _compared(old, new)
    except MateriaError as error:
        show_error(error)
        return
    answers = _resting(found)
    _summary(found, answers)
    _show_resting(answers)
    _by_section(found)
    _differences(found)


def _compared(old: str, new: str) -> VersionComparison:
    """Made once for each pair in this session; a document that was deleted since is not shown."""
    catalogue = workspace().catalogue
    there = [catalogue.document(one) for one in (old, new)]
    kept: VersionComparison | None = st.session_state.get(_DONE)
    if kept is None or [kept.old, kept.new] != there:
        with st.spinner("Comparing ..."):
            kept = st.session_state[_DONE] = compare_documents(catalogue, old, new)
    return kept


def _resting(found: VersionComparison) -> list[RestingAnswer] | None:
    """None where the conversations cannot be reached."""
    try:
        return answers_resting(found, workspace().conversations)
    except StoreError:
        return None


def _summary(found: VersionComparison, answers: list[RestingAnswer] | None) -> None:
    counts = found.counts
    if found.same:
        st.success("Nothing differs but layout.", icon=":material/check:")
    else:
        told = [f"**{counts[kind]:,}** {kind}" for kind in CHANGES if counts[kind]]
        numbers = f"**{found.numbers:,}** with changed numbers" if found.numbers else ""
        same = f"{counts[DifferenceKind.SAME]:,} the same"
        st.markdown(" · ".join(filter(None, [*told, numbers, same])), help=_HOW)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Swap old and new", icon=":material/swap_horiz:", key="compare_swap"):
            st.switch_page(COMPARE, query_params={"old": found.new.id, "new": found.old.id})
        name = f"{found.old.title} compared"
        st.download_button(
            "CSV",
            data=lambda: comparison_csv(found),
            file_name=file_name(name, "csv"),
            mime=CSV_TYPE,
            icon=":material/download:",
            key="compare_csv",
            on_click="ignore",
        )
        st.download_button(
            "Markdown",
            data=lambda: comparison_markdown(found, answers or ()),
            file_name=file_name(name, "md"),
            mime="text/markdown",
            icon=":material/download:",
            key="compare_md",
            on_click="ignore",
        )


def _show_resting(answers: list[RestingAnswer] | None) -> None:
    if answers is None:
        st.caption("The history cannot be reached: which answers rest on this cannot be said.")
        return
    if not answers:
        return
    rest = "rests" if len(answers) == 1 else "rest"
    with (
        st.expander(
            f"{counted(len(answers), 'answer')} of the history {rest} on changed or removed text",
            icon=":material/history:",
            expanded=len(answers) <= 3,
        ),
        st.container(gap=None),
    ):
        for one in answers:
            st.button(
                plain(short(one.question, _QUESTION)),
                key=f"resting_{one.turn_id}",
                type="tertiary",
                icon=":material/forum:",
                help="Open the conversation at this answer",
                on_click=open_chat_session,
                args=(one.session_id, one.turn_id),
            )
            for claim in one.claims[:_CLAIMS]:
                st.caption(plain(_claim(claim)))
            if len(one.claims) > _CLAIMS:
                st.caption(f"and {len(one.claims) - _CLAIMS:,} more; see the text below.")


def _claim(claim: ChangedClaim) -> str:
    """``Evidence 2: “The highest dose is 2 g a day.” 2 g → 3 g``; without a number where no passage that is
    cited has it."""
    cited = ", ".join(map(str, claim.citations))
    told = claim_words(claim)
    return f"Evidence {cited}: {told}" if cited else told


def _by_section(found: VersionComparison) -> None:
    with st.expander("Counts by section", icon=":material/toc:"):
        rows = [
            {
                "Section": section_name(section),
                **{kind.capitalize(): section.counts[kind] for kind in CHANGES},
                "With changed numbers": section.numbers,
                "Same": section.counts[DifferenceKind.SAME],
            }
            for section in found.sections
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, key="compare_sections")


def _differences(found: VersionComparison) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        show = st.segmented_control(
            "Show",
            (_CHANGES, _NUMBERS, _ALL),
            default=_CHANGES,
            required=True,
            key="compare_show",
            label_visibility="collapsed",
        )
        names = list(dict.fromkeys(section_name(one) for one in found.sections))
        section = st.selectbox(
            "Section",
            (_EVERY_SECTION, *names),
            key="compare_section",
            width=320,
            label_visibility="collapsed",
        )
    compare_view(
        found,
        lambda one: (
            bool(one.numbers)
            if show == _NUMBERS
            else show == _ALL or one.kind is not DifferenceKind.SAME
        ),
        lambda one: section in (_EVERY_SECTION, section_name(one)),
    )
