"""Boards as plain JSON values and as CSV: what `--json`, `--csv` and the API give."""

from __future__ import annotations

from typing import Any

from core.boards.differences import class_words
from core.domain.answers import GraphCitation
from core.domain.boards.records import (
    BoardCell,
    BoardMedicine,
    BoardSource,
    Frequency,
    InteractionBoard,
    Passage,
    SignalBoard,
    SignalRow,
)
from core.text.tables.csv_file import csv_text


def signals_to_public(board: SignalBoard) -> dict[str, Any]:
    """A signal board with all its evidence."""
    return {
        "medicines": [_medicine(one) for one in board.medicines],
        "rows": [_row(row) for row in board.rows],
        "notes": list(board.notes),
    }


def interactions_to_public(board: InteractionBoard) -> dict[str, Any]:
    """An interaction matrix with all its evidence."""
    return {
        "medicines": [_medicine(one) for one in board.medicines],
        "pairs": [
            {"medicine": of, "other": other, **_cell(cell)}
            for (of, other), cell in board.cells.items()
        ],
        "notes": list(board.notes),
    }


def signals_to_csv(board: SignalBoard) -> str:
    """A row for each reaction, five columns for each medicine; no cell is taken for a formula."""
    heads = ["Reaction", "In the graph"]
    for one in board.medicines:
        heads += [
            f"{one.name}: {what}"
            for what in ("frequency", "leaflet", "paper", "graph", "differences")
        ]
    rows = []
    for row in board.rows:
        line = [row.name, "yes" if row.linked else "not linked"]
        for one in board.medicines:
            cell = row.cells.get(one.key, BoardCell())
            line += [
                "; ".join(frequency_words(each) for each in cell.frequencies),
                *(str(cell.count(source) or "") for source in BoardSource),
                " ".join(told.words for told in cell.differences),
            ]
        rows.append(line)
    return csv_text(heads, rows)


def interactions_to_csv(board: InteractionBoard) -> str:
    """A row for each pair of which something is said."""
    names = {one.key: one.name for one in board.medicines}
    heads = [
        "Whose leaflet",
        "Other medicine",
        "Leaflet",
        "Graph",
        "What to do, as quoted",
        "Passages",
        "Differences",
    ]
    rows = [
        [
            names[of],
            names[other],
            str(cell.count(BoardSource.LEAFLET) or ""),
            str(cell.count(BoardSource.GRAPH) or ""),
            "; ".join(actions_of(cell)),
            " | ".join(f"{one.citation.place}: {one.citation.quote}" for one in cell.passages),
            " ".join(told.words for told in cell.differences),
        ]
        for (of, other), cell in board.cells.items()
    ]
    return csv_text(heads, rows)


def frequency_words(frequency: Frequency) -> str:
    """A frequency as a cell shows it: its class, else the document's own words."""
    return class_words(frequency.level) if frequency.level else frequency.said


def actions_of(cell: BoardCell) -> list[str]:
    """What the passages of a pair say to do, each once, as quoted."""
    return list(dict.fromkeys(word for one in cell.passages for word in one.actions))


def _medicine(one: BoardMedicine) -> dict[str, Any]:
    return {
        "key": one.key,
        "name": one.name,
        "entity_id": one.entity_id,
        "leaflets": [{"id": each, "file": file} for each, file in one.leaflets.items()],
        "left_out": one.left_out,
    }


def _row(row: SignalRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "linked": row.linked,
        "entity_ids": list(row.entity_ids),
        "cells": [{"medicine": key, **_cell(cell)} for key, cell in row.cells.items()],
    }


def _cell(cell: BoardCell) -> dict[str, Any]:
    return {
        "class": cell.level,
        "frequencies": [{"class": one.level, "said": one.said} for one in cell.frequencies],
        "counts": {str(source): cell.count(source) for source in BoardSource},
        "passages": [_passage(one) for one in cell.passages],
        "relationships": [_relationship(one) for one in cell.facts],
        "against": [_relationship(one) for one in cell.against],
        "differences": [{"kind": one.kind, "words": one.words} for one in cell.differences],
    }


def _passage(one: Passage) -> dict[str, Any]:
    place = one.citation
    return {
        "source": one.source,
        "words": one.words,
        "frequency": one.frequency.said if one.frequency else "",
        "denied": one.denied,
        "actions": list(one.actions),
        "lead": one.lead,
        "document_id": place.document_id,
        "file": place.file,
        "page": place.page,
        "section": place.section,
        "heading": place.heading,
        "quote": place.quote,
        "start": place.start,
        "end": place.end,
    }


def _relationship(one: GraphCitation) -> dict[str, Any]:
    return {
        "source": {"id": one.source_id, "type": one.source_type, "name": one.source},
        "relationship": one.relationship,
        "target": {"id": one.target_id, "type": one.target_type, "name": one.target},
        "properties": dict(one.properties),
    }
