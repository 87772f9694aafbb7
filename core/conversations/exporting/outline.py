"""A record as blocks, in the order an auditor reads: what this is, each question, the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from core.conversations.exporting.blocks import (
    Block,
    Cited,
    Facts,
    Grid,
    Heading,
    Note,
    Paragraph,
    Title,
)
from core.conversations.exporting.ledger import CLOSEST, ledger_grid, ledger_of
from core.conversations.exporting.passages import ORDER, cited_as, passages_grid
from core.conversations.exporting.printable import moment
from core.conversations.exporting.record import Record
from core.conversations.exporting.told import told
from core.documents.cutting.sections import section_title
from core.domain.answers import Answer, Citation, DocumentCitation, GraphCitation, State
from core.domain.conversations import Feedback, Turn
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import AnswerList, words_left_out
from core.domain.provenance.trace import Trace
from core.graph.phrases import relationship_phrase

_MOST_LISTED = 300  # members of a list; the JSON file has all
_HOW_TO_READ = (
    "Each sentence of an answer is numbered, and says what it rests on; the numbers in brackets are the "
    "pieces of evidence beneath the answer, quoted as the documents have them. Confidence c means: of 100 "
    "answers like it, about 100 c were right when questions with known answers were asked. A code "
    "like [U+202E] stands for a character that cannot be seen or printed. The content hash is that "
    "of the conversation's JSON file."
)
_GRAPH = (7, 37, 16, 16, 24)
Row = tuple[str, str]


def outline(record: Record) -> Iterator[Block]:
    """All blocks of a file."""
    yield from _front(record)
    for turn in record.turns:
        yield from _turn(record, turn, first=turn is record.turns[0])
    yield from ledger_grid(ledger_of(record))
    yield from _documents(record)


def _front(record: Record) -> Iterator[Block]:
    session, whole = record.session, record.whole
    yield Title("Record of a conversation" if whole else "Record of an answer", record.title)
    yield Facts(
        (
            *((("Conversation", session.title),) if not whole else ()),
            ("Conversation id", session.id),
            ("Begun", moment(session.created_at)),
            ("Last changed", moment(session.updated_at)),
            *((("Tags", ", ".join(session.tags)),) if session.tags else ()),
            ("Questions", str(len(record.turns)) if whole else f"1 of {session.turns}"),
            ("Exported", moment(record.exported_at)),
            ("Made with", f"Materia {record.program}"),
            ("Content SHA-256", record.sha256),
        )
    )
    yield Paragraph(_HOW_TO_READ, quiet=True)
    for said in dict.fromkeys(turn.answer.disclaimer for turn in record.turns):
        if said:
            yield Note(said)
    if whole:
        yield Heading(2, "Questions")
        yield Grid(
            ("No.", "Question", "Answer", "Confidence", "Sources"),
            tuple(
                (
                    str(n),
                    turn.question,
                    _state(turn.answer),
                    _confidence(turn.answer),
                    _sources(turn),
                )
                for n, turn in enumerate(record.turns, start=1)
            ),
            (6, 54, 16, 12, 12),
        )


def _state(answer: Answer) -> str:
    if answer.state is State.GRAPH_UNAVAILABLE:
        return "the graph could not be reached"
    if answer.refused:
        return "not enough evidence"
    if answer.state is State.MAY_NOT_ANSWER:
        return CLOSEST
    return "stopped" if answer.stopped else "answered"


def _rating(feedback: Feedback) -> str:
    fault = f", wrong: {feedback.fault}" if feedback.fault else ""
    comment = f"; “{feedback.comment}”" if feedback.comment else ""
    return f"{feedback.rating}{fault}{comment} ({moment(feedback.rated_at)})"


def _confidence(answer: Answer) -> str:
    return "" if answer.confidence is None else f"{answer.confidence:.2f}"


def _sources(turn: Turn) -> str:
    return str(len(turn.answer.citations))


# -- one question ----------------------------------------------------------------------------------


def _turn(record: Record, turn: Turn, *, first: bool) -> Iterator[Block]:
    answer = turn.answer
    number = str(turn.position + 1)
    yield Heading(
        1, f"{number}. {' '.join(turn.question.split())}", new_page=record.whole and first
    )
    yield Facts(tuple(_about(turn)))
    for notice in _notices(record, answer):
        yield Note(notice)
    yield Heading(2, "Answer")
    yield from told(answer, number)
    for one in answer.lists:
        yield from _list(one)
    if answer.citations:
        yield Heading(2, "Evidence")
        yield from _evidence(record, answer)
    if answer.nearest:
        yield Heading(2, "Nearest passages, not enough for an answer")
        yield from (_quoted(record, answer, one) for one in answer.nearest)
    yield Heading(2, "How this answer came about")
    yield from _trace(answer)


def _about(turn: Turn) -> Iterator[Row]:
    answer = turn.answer
    yield "Asked", moment(turn.created_at)
    if answer.read_as != answer.question:
        yield "Read as", answer.read_as
    if answer.understood:
        yield "Understood", answer.understood
    for one in answer.plans:
        if one.likened:
            over = ", ".join(f"“{word}”" for word in one.passed_over)
            yield (
                "Told by likeness, not word by word",
                f"leaves out {over}" if over else one.understood,
            )
    if answer.plan_as_read is not None:
        yield "Before the analyst's change", answer.understood_as_read or "not understood"
        carried_out = answer.each_plan[answer.corrected].plan
        if out := words_left_out(answer.plan_as_read, carried_out):
            yield "Left out, not understood", ", ".join(f"“{one}”" for one in out)
    model = "none: quoted from the evidence" if answer.model == "extractive" else answer.model
    yield "Language model", model
    yield "State", _state(answer)
    if turn.feedback is not None:
        yield "Rated by the analyst", _rating(turn.feedback)
    if answer.confidence is not None:
        yield "Confidence", f"{answer.confidence:.2f}"
    if answer.scope:
        wider = " (searched wider)" if answer.wider else ""
        yield "Searched in", f"{', '.join(answer.scope)}{wider}"
    if answer.within:
        yield "Asked", answer.within.said([section_title(code) for code in answer.within.sections])
    seconds = sum(answer.timings_ms.values()) / 1000
    steps = ", ".join(f"{name} {ms / 1000:.2f} s" for name, ms in answer.timings_ms.items())
    yield "Time taken", f"{seconds:.2f} s ({steps})" if steps else f"{seconds:.2f} s"
    if answer.usage is not None:
        usage = answer.usage
        cost = "" if usage.cost is None else f", ${usage.cost:.6f}"
        about = "" if usage.counted else " (estimated)"
        tokens = f"{usage.prompt_tokens:,} in, {usage.completion_tokens:,} out{cost}{about}"
        yield "Tokens", tokens
    yield "Question id", turn.id
    yield "Correlation id", answer.correlation_id or "none"


def _notices(record: Record, answer: Answer) -> Iterator[str]:
    yield from answer.notice.splitlines()
    failure = answer.failure
    if failure is not None:
        yield f"{failure.message} {failure.advice} ({failure.code})"
    if answer.stopped:
        yield "Stopped by the analyst: the answer is not complete."
    cited = (record.documents.get(document_id) for document_id in sorted(answer.document_ids))
    for one in cited:
        if one is not None and one.standing != "in the library":
            yield (
                f"Since this answer, {one.version.file} was {one.standing}: what is quoted from it can "
                "no longer be checked here."
            )


def _list(one: AnswerList) -> Iterator[Block]:
    yield Heading(2, f"{one.title} ({len(one.members):,})")
    names = {**one.others, **{member.id: member.name for member in one.members}}
    rows = tuple(
        (
            member.name,
            member.type,
            member.id,
            "; ".join(
                [
                    *(
                        f"{names.get(source, source)} {relationship_phrase(kind, True)} "
                        f"{names.get(target, target)}"
                        for source, kind, target in member.relationships
                    ),
                    *((member.reason,) if member.reason else ()),
                ]
            ),
        )
        for member in one.members[:_MOST_LISTED]
    )
    if rows:
        yield Grid(("Name", "Type", "Id", "Because"), rows, (28, 14, 18, 40))
    left = len(one.members) - len(rows)
    if left > 0:
        yield Paragraph(f"{left:,} more are in the JSON file.", quiet=True)


# -- evidence --------------------------------------------------------------------------------------


def _evidence(record: Record, answer: Answer) -> Iterator[Block]:
    """Quotes one by one, relationships that follow each other in one table."""
    for kind, group in groupby(answer.citations, lambda one: one.kind):
        if kind == "graph":
            yield _relationships(group)
            continue
        for one in group:
            if isinstance(one, DocumentCitation):
                yield _quoted(record, answer, one)


def _quoted(record: Record, answer: Answer, citation: DocumentCitation) -> Cited:
    section = section_title(citation.section) if citation.section else citation.heading
    page = f", page {citation.page}" if citation.page else ""
    product = f" ({citation.product})" if citation.product else ""
    head = f"{citation.file}{page}{product}" + (f", {section}" if section else "")
    rows = [
        *((("Heading", citation.heading),) if citation.heading and citation.section else ()),
        ("Document", citation.document_id),
        ("Document SHA-256", _hash(record, answer, citation)),
        (
            "Place",
            f"characters {citation.start:,} to {citation.end:,} of the page"
            if citation.page
            else f"characters {citation.start:,} to {citation.end:,} of the text",
        ),
        ("Relevance", f"{citation.relevance:.2f}"),
    ]
    if citation.orders:
        rows.append(("Note", "Sentences of it speak to language models, and count as no evidence."))
    return Cited(citation.n, head, citation.quote, tuple(rows))


def _hash(record: Record, answer: Answer, citation: DocumentCitation) -> str:
    traced = answer.trace.document(citation.document_id) if answer.trace is not None else None
    known = record.documents.get(citation.document_id)
    found = traced.sha256 if traced is not None else known.version.sha256 if known else ""
    return found or "not known: the document was deleted before hashes were kept with answers"


def _relationships(citations: Iterable[Citation]) -> Grid:
    rows = (
        (
            f"[{one.n}]",
            f"{one.source} {relationship_phrase(one.relationship, True)} {one.target}\n"
            f"{one.relationship}, relevance {one.relevance:.2f}",
            f"{one.source_type}\n{one.source_id}",
            f"{one.target_type}\n{one.target_id}",
            "\n".join(
                f"{name.replace('_', ' ')}: {value}" for name, value in one.properties.items()
            ),
        )
        for one in citations
        if isinstance(one, GraphCitation)
    )
    return Grid(("", "Relationship of the graph", "From", "To", "Properties"), tuple(rows), _GRAPH)


# -- how it came about -----------------------------------------------------------------------------


def _trace(answer: Answer) -> Iterator[Block]:
    trace = answer.trace
    if trace is None:
        yield Paragraph("Not kept with this answer.", quiet=True)
        return
    yield Facts(tuple(trace_facts(answer, trace)))
    if trace.passages:
        yield Paragraph(ORDER, quiet=True)
        yield passages_grid(trace)
    if trace.passages_left_out:
        yield Paragraph(f"{trace.passages_left_out} more passages are not listed.", quiet=True)
    if trace.prompt:
        yield Grid(
            ("Prompt", "Evidence that the language model was given", "Cited as"),
            tuple((str(one.number), one.what, cited_as(one.citation)) for one in trace.prompt),
            (10, 76, 14),
        )


def trace_facts(answer: Answer, trace: Trace) -> Iterator[Row]:
    """What an answer was made with, apart from its passages, as labels and values."""
    yield "Kind of search", answer.query_type
    if len(trace.clauses) > 1:
        yield "Taken apart into", "; ".join(trace.clauses)
    for plan in answer.document_plans:
        if told := _asked_of_documents(plan):
            yield "Asked of documents", told
    likely = ", ".join(f"{one:.2f}" for one in trace.probabilities) or "nothing found"
    yield "Likelihood that the evidence answers", f"{likely} (told from {trace.threshold:.2f} on)"
    yield (
        "Graph around the question",
        f"{trace.entities:,} entities, {trace.relationships:,} relationships",
    )
    if trace.prompt:
        yield "Earlier questions offered to the model", str(trace.earlier_turns)
    if trace.graph is not None:
        graph = trace.graph
        counts = f"{graph.entities:,} entities, {graph.relationships:,} relationships"
        yield "Graph", f"import {graph.generation}, {counts}, SHA-256 {graph.sha256}"
    else:
        yield "Graph", "could not be reached"
    for index in trace.indexes:
        yield (
            f"Index {index.name}",
            f"embedded with {index.model}, {index.dimension} dimensions, generation {index.generation}",
        )
    yield "Settings", "; ".join(f"{name} = {value}" for name, value in trace.settings.items())
    yield "Made with", f"Materia {trace.program}"


def _asked_of_documents(plan: DocumentPlan) -> str:
    """What a clause was read to ask of documents; sections with their probability."""
    parts = [
        ", ".join(f"{section_title(one.section)} ({one.probability:.2f})" for one in plan.aspects),
        ", ".join(f"about {one.name or one.text}" for one in plan.subjects),
        f"not understood: {', '.join(plan.left_over)}" if plan.left_over else "",
    ]
    return "; ".join(filter(None, parts))


# -- documents -------------------------------------------------------------------------------------


def _documents(record: Record) -> Iterator[Block]:
    if not record.documents:
        return
    yield Heading(1, "Documents that were cited")
    yield Grid(
        ("File", "About", "Document and SHA-256", "Today", "Questions"),
        tuple(
            (
                one.version.file,
                one.version.title,
                f"{one.version.id}\n{one.version.sha256 or 'hash not known'}",
                str(one.standing),
                ", ".join(map(str, one.turns)),
            )
            for one in record.documents.values()
        ),
        (18, 18, 40, 13, 11),
    )
