"""An answer's sentences under what they stand under on the page (whose document, which section, for whom);
and an answer as plain text, to be pasted into a mail or a case file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from core.conversations.exporting.blocks import Block, Heading, Paragraph, Said
from core.conversations.exporting.printable import moment, one_line
from core.documents.cutting.sections import section_title
from core.domain.answers import Answer, Citation, DocumentCitation, Sentence
from core.domain.answers import Block as QuotedBlock
from core.domain.conversations import Turn
from core.graph.phrases import relationship_phrase
from core.text.titles import told_apart

OF_OTHERS = "For other patients than those asked about:"


def told(answer: Answer, number: str) -> Iterator[Block]:
    """The answer of question `number`."""
    said = ""
    place = 0
    for subject, where, sentences in _in_blocks(answer):
        if subject and subject != said:
            yield Heading(3, subject)
        said = subject
        if where:
            yield Paragraph(where, quiet=True)
        for one in sentences:
            place += 1
            if one.others:
                yield Paragraph(OF_OTHERS, quiet=True)
            support = None if answer.refused else one.support
            yield Said(f"{number}.{place}", one.text, one.citations, support, one.problems)


def plain_text(turn: Turn) -> str:
    """Question, answer and every source in its own words; no markup."""
    answer = turn.answer
    lines = [f"Question: {one_line(turn.question)}"]
    if answer.read_as != answer.question:
        lines.append(f"Read as: {one_line(answer.read_as)}")
    first, *others = [one_line(one) for one in _in_lines(answer)] or [""]
    lines += ["", f"Answer: {first}", *others]
    lines += [f"Doubt: {one_line(one)}" for said in answer.sentences for one in said.problems]
    if answer.notice:
        lines += ["", *(f"Note: {one_line(one)}" for one in answer.notice.splitlines())]
    if answer.citations:
        lines += [
            "",
            "Sources:",
            *(f"[{one.n}] {_source(answer, one)}" for one in answer.citations),
        ]
    sure = "" if answer.confidence is None else f", confidence {answer.confidence:.2f}"
    lines += [
        "",
        f"Materia, {moment(turn.created_at)}{sure}. {one_line(answer.disclaimer)}".rstrip(),
    ]
    return "\n".join(lines)


def _source(answer: Answer, citation: Citation) -> str:
    if not isinstance(citation, DocumentCitation):
        verb = relationship_phrase(citation.relationship, True)
        origin = "; ".join(
            f"{name.replace('_', ' ')}: {value}" for name, value in citation.properties.items()
        )
        said = one_line(f"Graph: {citation.source} {verb} {citation.target}")
        return f"{said} ({one_line(origin)})" if origin else said
    section = section_title(citation.section) if citation.section else citation.heading
    place = ", ".join(filter(None, (citation.place, section)))
    version = answer.trace.document(citation.document_id) if answer.trace is not None else None
    digest = f" (SHA-256 {version.sha256})" if version is not None else ""
    return f"{one_line(place)}{digest}: “{one_line(citation.quote)}”"


def _in_lines(answer: Answer) -> Iterator[str]:
    """The answer in plain lines, one for each block."""
    for subject, where, sentences in _in_blocks(answer):
        head = f"{subject} ({where})" if subject and where else subject or where
        words = " ".join(
            f"{f'{OF_OTHERS} ' if one.others else ''}{one.marked}" for one in sentences
        )
        yield f"{head}: {words}" if head else words


def _in_blocks(answer: Answer) -> Iterator[tuple[str, str, list[Sentence]]]:
    """Subject, place and sentences of each block; both "" for sentences in none."""
    blocks = {one.n: one for one in answer.blocks}
    heads = told_apart((one.subject, one.file) for one in answer.blocks if one.subject)
    for n, members in groupby(answer.sentences, key=lambda one: one.block):
        block = blocks.get(n)
        if block is None:
            yield "", "", list(members)
            continue
        subject = heads.get((block.subject, block.file), "")
        doubt = " (less certain)" if subject and block.less_certain else ""
        yield f"{subject}{doubt}", _place(block), list(members)


def _place(block: QuotedBlock) -> str:
    section = section_title(block.section) if block.section else block.heading
    section = "Boxed warning" if block.boxed_warning else section
    page = f"page {block.page}" if block.page else ""
    return " · ".join(filter(None, (section, block.under, page)))
