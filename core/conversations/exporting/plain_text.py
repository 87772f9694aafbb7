"""One answer as plain text, to be pasted into a mail or a case file."""

from __future__ import annotations

from core.conversations.exporting.outline import moment
from core.conversations.exporting.printable import one_line
from core.documents.cutting.sections import section_title
from core.domain.answers import Answer, Citation, DocumentCitation
from core.domain.conversations import Turn
from core.graph.phrases import relationship_phrase


def plain_text(turn: Turn) -> str:
    """Question, answer and every source in its own words; no markup."""
    answer = turn.answer
    lines = [f"Question: {one_line(turn.question)}"]
    if answer.read_as != answer.question:
        lines.append(f"Read as: {one_line(answer.read_as)}")
    lines += ["", f"Answer: {one_line(answer.text)}"]
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
