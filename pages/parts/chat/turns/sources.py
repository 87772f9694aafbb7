"""What an answer rests on, each source once, the most relevant first; each opens what it stands for."""

from __future__ import annotations

import streamlit as st

from core.domain.answers import Answer, place
from core.domain.evidence.sources import RankedSource
from core.domain.evidence.sources import answer_sources as sources_of
from pages.parts.evidence.opened import open_citation
from pages.parts.shared.state import open_entity
from pages.parts.shared.text import citation_label, plain, section_name, short

_LONGEST = 90  # characters of a source's line


def answer_sources(answer: Answer, key: str) -> None:
    """Draw the cited places and relationships, and below them the entities, folded away."""
    sources = sources_of(answer)
    cited = [one for one in sources if one.citations]
    entities = [one for one in sources if one.kind == "entity"]
    with st.expander(f"Sources ({len(cited)})"), st.container(gap=None):
        for source in cited:
            numbers = ", ".join(map(str, source.citations))
            st.button(
                f"{numbers} · {plain(short(_name(source, answer), _LONGEST))} · {source.relevance:.2f}",
                key=f"source_{key}_{source.citations[0]}",
                type="tertiary",
                on_click=_open,
                args=(source, answer),
            )
        if entities:
            st.caption("Entities of the graph")
        for source in entities:
            line = f"{short(source.name, _LONGEST)} · {source.type} · {source.id}"
            if st.button(
                f"{plain(line)} · {source.relevance:.2f}",
                key=f"entity_source_{key}_{source.id}",
                type="tertiary",
                help="Open in the explorer",
            ):
                open_entity(source.id)


def nearest_passages(answer: Answer, key: str) -> None:
    """Draw what came nearest to a question that the evidence does not answer."""
    with st.expander("Nearest passages (not enough)"), st.container(gap=None):
        for one in answer.nearest:
            label = plain(short(citation_label(one), _LONGEST))
            st.button(
                f"{one.n} · {label} · {one.relevance:.2f}",
                key=f"source_{key}_{one.n}",
                type="tertiary",
                on_click=open_citation,
                args=(one, answer),
            )


def _open(source: RankedSource, answer: Answer) -> None:
    """Open the most relevant passage of a place, or the relationship."""
    cited = [one for n in source.citations if (one := answer.citation(n)) is not None]
    if cited:
        open_citation(max(cited, key=lambda one: one.relevance), answer)


def _name(source: RankedSource, answer: Answer) -> str:
    if source.kind == "document":
        section = section_name(source.section, source.heading)
        where = place(source.name, source.page)
        return f"{where}, {section}" if section else where
    citation = answer.citation(source.citations[0])
    return citation_label(citation) if citation else source.name
