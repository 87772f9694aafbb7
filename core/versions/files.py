"""A comparison as a file: CSV for a spreadsheet, Markdown to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from core.conversations.exporting.blocks import Block, Facts, Grid, Heading, Paragraph, Title
from core.conversations.exporting.markdown import markdown
from core.documents.cutting.sections import section_title
from core.domain.documents import Document
from core.text.tables.csv_file import csv_file
from core.versions.differences import (
    CHANGES,
    Difference,
    NumberChange,
    SectionDifferences,
    Side,
    VersionComparison,
)
from core.versions.resting import ChangedClaim, RestingAnswer


class ComparisonFormat(StrEnum):
    """As which a comparison can be told."""

    JSON = "json"
    CSV = "csv"
    MARKDOWN = "md"


_HEAD = (
    "Section", "Change", "Under", "Old page", "Old text", "New page", "New text", "Numbers, old to new",
)  # fmt: skip


def comparison_csv(comparison: VersionComparison) -> bytes:
    """Every difference, one a row."""
    return csv_file(
        _HEAD,
        (
            (
                section_name(section),
                str(one.kind),
                one.lead,
                _page(one.old),
                one.old.text if one.old else "",
                _page(one.new),
                one.new.text if one.new else "",
                "; ".join(number_words(number) for number in one.numbers),
            )
            for section in comparison.sections
            for one in comparison.changed(section.differences)
        ),
    )


def comparison_markdown(
    comparison: VersionComparison, answers: Sequence[RestingAnswer] = ()
) -> bytes:
    """Both documents, the counts, every difference by section, and the answers that rest on them."""
    return markdown(_outline(comparison, answers))


def section_name(section: SectionDifferences) -> str:
    """What a section is called."""
    return section_title(section.code) if section.code else section.heading or "Before any heading"


def number_words(number: NumberChange) -> str:
    """``500 mg → 850 mg``; one that only one version has, as new or removed."""
    if not number.old:
        return f"new: {number.new}"
    return f"{number.old} → {number.new}" if number.new else f"removed: {number.old}"


def claim_words(claim: ChangedClaim) -> str:
    """What became of a claim's text: ``“Do not exceed 2 g.” 2 g → 3 g``."""
    one = claim.difference
    old = one.old.text if one.old is not None else ""
    numbers = "; ".join(number_words(number) for number in one.numbers)
    return f"“{old}” {numbers or one.kind}"


def _page(side: Side | None) -> str:
    return str(side.page) if side is not None and side.page else ""


def _outline(comparison: VersionComparison, answers: Sequence[RestingAnswer]) -> Iterator[Block]:
    old, new = comparison.old, comparison.new
    yield Title("Two versions of a document", f"{old.file} and {new.file}")
    yield Facts(
        (
            ("Old", _document(old)),
            ("New", _document(new)),
            *((kind.capitalize(), str(comparison.counts[kind])) for kind in CHANGES),
            ("With changed numbers", str(comparison.numbers)),
        )
    )
    if comparison.same:
        yield Paragraph("Nothing differs.")
    for section in comparison.sections:
        changed = comparison.changed(section.differences)
        if changed:
            yield Heading(1, section_name(section))
            yield Grid(
                ("Change", "Old", "New", "Numbers"),
                tuple(map(_row, changed)),
                (10, 37, 37, 16),
            )
    if answers:
        yield Heading(1, "Answers that rest on changed or removed text")
        yield Grid(
            ("Question", "Asked", "Evidence", "What became of it", "Conversation"),
            tuple(
                (
                    one.question,
                    f"{one.asked_at:%Y-%m-%d %H:%M}",
                    ", ".join(f"[{cited.citation.n}]" for cited in one.citations),
                    "\n".join(map(claim_words, one.claims)),
                    one.session_id,
                )
                for one in answers
            ),
            (30, 12, 10, 34, 14),
        )


def _document(document: Document) -> str:
    return f"{document.file}, SHA-256 {document.sha256}"


def _row(one: Difference) -> tuple[str, ...]:
    return (
        str(one.kind),
        _side(one.old),
        _side(one.new),
        "; ".join(number_words(number) for number in one.numbers),
    )


def _side(side: Side | None) -> str:
    if side is None:
        return ""
    text = f"{side.lead} {side.text}" if side.lead else side.text
    return f"{text} (p. {side.page})" if side.page else text
