"""The passages that were found for an answer, as a table."""

from __future__ import annotations

from core.conversations.exporting.blocks import Grid
from core.documents.cutting.sections import section_title
from core.domain.provenance.trace import Trace

ORDER = (
    "Passages in the order in which they were considered: those of the section and of the medicine that "
    "are asked for come first, whatever their score."
)


def passages_grid(trace: Trace) -> Grid:
    """The passages that were found, best first, with their scores before and after reranking."""
    reranked = any(one.before_reranking is not None for one in trace.passages)
    rows = (
        (
            f"{one.file}, p. {one.page}" if one.page else one.file,
            section_title(one.section) if one.section else one.heading,
            *(
                ("" if one.before_reranking is None else f"{one.before_reranking:.2f}",)
                if reranked
                else ()
            ),
            f"{one.score:.2f}",
            f"{one.similarity:.2f}",
            cited_as(one.citation),
        )
        for one in trace.passages
    )
    before = ("Before reranking",) if reranked else ()
    return Grid(
        ("Passage found", "Section", *before, "Score", "Cosine", "Cited as"),
        tuple(rows),
        (36, 28, *((12,) if reranked else ()), 9, 9, 10),
    )


def cited_as(number: int) -> str:
    """The mark of a citation; nothing for what is not cited."""
    return f"[{number}]" if number else ""
