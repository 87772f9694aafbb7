"""The documents at a glance, as charts: their sections, their dates, what they mention most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from core.documents.cutting.sections import section_title
from core.domain.documents import Document, DocumentState
from core.domain.graph import Entity
from core.errors import StoreUnavailable
from core.search.scope import document_dates
from pages.parts.shared.charts import BLUE, GREEN, VIOLET, bar_chart, chart, number_axis
from pages.parts.shared.entity_types import type_hex, type_name
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, short

_FOLD = "library_glance"
_MOST_BARS = 15
_MOST_COUNTED = 2_000  # entities whose types are counted
_MONTHS_OF_YEARS = 2  # documents of more years are counted by year
_MOST_YEARS = 60  # years without a document are drawn too, unless they are too many
_LONGEST = 24  # characters of a name


def glance(documents: Sequence[Document]) -> None:
    """A fold with charts of the documents that the filters leave; nothing is counted before it is opened."""
    fold = st.expander("At a glance", icon=":material/bar_chart:", key=_FOLD, on_change="rerun")
    if not fold.open:
        return
    ready = [document for document in documents if document.state is DocumentState.READY]
    with fold:
        if not ready:
            st.caption("There is no document to count.")
            return
        ids = [document.id for document in ready]
        with st.container(key="charts_glance"):
            with st.container():
                _sections(ids)
            with st.container():
                _dates(ready)
        counts = workspace().catalogue.most_mentioned(ids, _MOST_COUNTED)
        try:
            entities = workspace().graph.entities(list(counts))
        except StoreUnavailable:
            st.caption("What is mentioned most cannot be said: the graph cannot be reached.")
        else:
            mention_charts("glance", {key: count for key, (count, _) in counts.items()}, entities)
        _mentions(ready)


def _sections(ids: Sequence[str]) -> None:
    counts = workspace().catalogue.count_sections(ids)
    known = sorted(
        ((section_title(code), number) for code, number in counts.items() if code),
        key=lambda one: (-one[1], one[0]),
    )
    without = len(ids) - max((number for _, number in known), default=0)
    if not known:
        st.caption("No section with a standard name was recognised in these documents.")
        return
    told = (
        f"{known[0][0]} is in {known[0][1]:,} of {counted(len(ids), 'document')}"
        + (f"; {without:,} have it not." if without else ".")
        + (f" The {_MOST_BARS} most frequent of {len(known)}." if len(known) > _MOST_BARS else "")
    )
    rows = [{"section": name, "documents": number} for name, number in known[:_MOST_BARS]]
    axis = number_axis("documents", "Documents")
    bar_chart("Documents with a section", rows, told, "section", axis, {"value": GREEN})


def _dates(documents: Sequence[Document]) -> None:
    """By their own dates, of which only the year is known for some."""
    days = [document_dates(document)[0] for document in documents]
    years = range(min(days).year, max(days).year + 1)
    by_month = len(years) <= _MONTHS_OF_YEARS
    counts = Counter(f"{day:%Y-%m}" if by_month else str(day.year) for day in days)
    names = sorted(counts) if by_month or len(years) > _MOST_YEARS else map(str, years)
    rows = [{"date": name, "documents": counts[name]} for name in names]
    most, number = counts.most_common(1)[0]
    told = f"From {min(days)} to {max(days)}; most in {most} ({number:,}). The day added where a file has none."
    chart(
        "Documents by date",
        rows,
        told,
        {
            "x": {
                "field": "date",
                "type": "ordinal",
                "title": "Month" if by_month else "Year",
                "axis": {"labelAngle": -40},
            },
            "y": number_axis("documents", "Documents"),
            "color": {"value": BLUE},
        },
    )


def _mentions(documents: Sequence[Document]) -> None:
    counts = workspace().catalogue.count_mentions([document.id for document in documents])
    ordered = sorted(documents, key=lambda one: (-counts.get(one.id, 0), one.file.casefold()))
    named = [one for one in ordered if counts.get(one.id)]
    if not named:
        st.caption("No document names an entity of the graph.")
        return
    told = (
        f"{counted(sum(counts.values()), 'mention')} of entities in {counted(len(named), 'document')}"
        f"; most in {named[0].file} ({counts[named[0].id]:,})."
    )
    names = _apart([short(one.file, _LONGEST) for one in named[:_MOST_BARS]])
    rows = [
        {"document": name, "mentions": counts[one.id]}
        for name, one in zip(names, named, strict=False)
    ]
    axis = number_axis("mentions", "Mentions")
    bar_chart("Mentions by document", rows, told, "document", axis, {"value": VIOLET})


def mention_charts(key: str, counts: Mapping[str, int], entities: Mapping[str, Entity]) -> None:
    """What is mentioned most, and mentions by type of entity.

    Args:
        key: of the charts' place on the page.
        counts: entity id -> mentions.
    """
    known = sorted(
        (entities[one] for one in counts if one in entities),
        key=lambda one: (-counts[one.id], one.name),
    )
    if not known:
        return
    with st.container(key=f"charts_{key}_entities"):
        with st.container():
            _entities(known[:_MOST_BARS], counts)
        with st.container():
            _types(known, counts)


def _entities(entities: Sequence[Entity], counts: Mapping[str, int]) -> None:
    names = _apart([f"{short(one.name, _LONGEST)} ({type_name(one.type)})" for one in entities])
    rows = [
        {"entity": name, "mentions": counts[one.id]}
        for name, one in zip(names, entities, strict=True)
    ]
    first = entities[0]
    told = f"Most: {first.name}, {counted(counts[first.id], 'mention')}."
    axis = number_axis("mentions", "Mentions")
    bar_chart("Mentioned most", rows, told, "entity", axis, {"value": GREEN})


def _types(entities: Sequence[Entity], counts: Mapping[str, int]) -> None:
    mentions: Counter[str] = Counter()
    for one in entities:
        mentions[one.type] += counts[one.id]
    ordered = mentions.most_common(_MOST_BARS)
    rows = [{"type": type_name(kind), "mentions": number} for kind, number in ordered]
    colours = {
        "field": "type",
        "type": "nominal",
        "scale": {
            "domain": [row["type"] for row in rows],
            "range": [type_hex(kind) for kind, _ in ordered],
        },
        "legend": None,
    }
    share = ordered[0][1] / mentions.total()
    total = counted(mentions.total(), "mention")
    told = f"{rows[0]['type']}: {share:.0%} of {total}."
    axis = number_axis("mentions", "Mentions")
    bar_chart("Mentions by type", rows, told, "type", axis, colours)


def _apart(names: Sequence[str]) -> list[str]:
    """Names with a number where one comes again: two of one name would be one bar."""
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if seen[name] == 1 else f"{name} · {seen[name]}")
    return told
