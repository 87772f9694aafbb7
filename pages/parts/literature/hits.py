"""Search results: papers with their matched passages, and passages of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from core.domain.answers import DocumentCitation, place
from core.domain.documents import Hit, Kind
from core.search.papers import Paper
from core.search.phrases import places
from core.search.references.links import links
from pages.parts.evidence.opened import open_citation
from pages.parts.literature.exporting import selectable
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, plain, section_name

SCORE_HELP = (
    "From 0 to 1. Hybrid: similarity of meaning and the share of the query's words that the passage has, "
    "weighted; never more than the result above it. Semantic: cosine similarity of the embeddings. "
    "Lexical: the share of the query's words that the best passage has, for the others in proportion to "
    "BM25. Exact: BM25 in proportion to the best. With a reranker: its own score."
)


def show_papers(
    papers: Sequence[Paper],
    phrases: Sequence[str] = (),
    sentences: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> None:
    """Papers, best first, each with its abstract in which is marked what matched: the phrases, else the
    sentence of each passage, else the passage.

    Args:
        sentences: chunk id -> offsets of the page's text.
    """
    for paper in papers:
        _paper(paper, phrases, sentences)


def _paper(paper: Paper, phrases: Sequence[str], sentences: Mapping[str, tuple[int, int]]) -> None:
    document = paper.document
    with st.container(border=True):
        selectable(document.id, f"**{plain(document.title)}**")
        authors, year = document.metadata.get("authors", ""), document.metadata.get("year", "")
        about = " · ".join(part for part in (authors, year, document.file) if part)
        st.caption(f"{plain(about)} · score {paper.score:.2f}", help=SCORE_HELP)
        pages = {hit.chunk.page for hit in paper.hits}
        for number in sorted(pages):
            page = workspace().catalogue.page(document.id, number)
            if page is not None:
                chunks = [hit.chunk for hit in paper.hits if hit.chunk.page == number]
                spans = [
                    (chunk.start + start, chunk.start + end)
                    for chunk in chunks
                    for phrase in phrases
                    for start, end in places(phrase, chunk.text)
                ] or [sentences.get(one.id, (one.start, one.end)) for one in chunks]
                st.markdown(marked_text(page.text, spans))
        passages = counted(len(paper.hits), "matched passage")
        st.caption(f"{passages} marked: " + ", ".join(f"{hit.score:.2f}" for hit in paper.hits))
        for place_, url in links(document.metadata):
            st.link_button(place_, url, icon=":material/open_in_new:")


def marked_text(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` as Markdown in which only `spans` (offsets, end exclusive) have a background.

    Every character of the text is escaped; white space becomes single spaces.
    """
    parts = []
    position = 0
    for start, end in _joined(spans):
        parts.append(_escaped(text[position:start]))
        marked = plain(text[start:end])
        if marked:
            before, after = text[start].isspace(), text[end - 1].isspace()
            parts.append(f"{' ' * before}:orange-background[{marked}]{' ' * after}")
        position = end
    parts.append(_escaped(text[position:]))
    return " ".join("".join(parts).split())


def _escaped(text: str) -> str:
    before, after = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' if before else ''}{plain(text)}{' ' if after else ''}"


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order; those that overlap or touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def show_passages(
    hits: Sequence[Hit],
    phrases: Sequence[str],
    sentences: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    *,
    named: bool = False,
) -> None:
    """Passages of documents, in order, each with a way to its page; marked is what matched: the phrases, else
    the sentence.

    Args:
        sentences: chunk id -> offsets of the page's text.
        named: name the index of each.
    """
    for number, hit in enumerate(hits, 1):
        chunk = hit.chunk
        with st.container(border=True):
            section = section_name(chunk.section, chunk.heading)
            where = place(hit.document.file, chunk.page) + (f", {section}" if section else "")
            with st.container(horizontal=True, vertical_alignment="center"):
                selectable(chunk.id, f"**{plain(where)}**")
                st.button(
                    "Show",
                    key=f"hit_{number}_{chunk.id}",
                    icon=":material/visibility:",
                    on_click=open_citation,
                    args=(_citation(number, hit), None, False),
                )
            same = f" · the same words in {hit.copies} more" if hit.copies else ""
            paper = hit.document.title if hit.document.kind is Kind.ABSTRACT else ""
            about = " · ".join(filter(None, (paper, hit.document.index if named else "")))
            told = f"{plain(about)} · " if about else ""
            st.caption(f"{told}score {hit.score:.2f}{same}", help=SCORE_HELP)
            spans = [span for phrase in phrases for span in places(phrase, chunk.text)]
            if not spans and chunk.id in sentences:
                start, end = (max(at - chunk.start, 0) for at in sentences[chunk.id])
                spans = [(start, min(end, len(chunk.text)))] if start < end else []
            if spans:
                st.markdown(marked_text(chunk.text, spans))
            else:
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
