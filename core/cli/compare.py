"""`compare`: two versions of a document; `conversation ledger`: every claim and what it rests on."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from core.cli.common import Json, opened, plain, print_json, valid
from core.conversations.exporting.ledger import (
    Basis,
    LedgerFormat,
    ledger_csv,
    ledger_of,
    ledger_to_public,
)
from core.domain.documents import Document
from core.errors import InputError, NotFound
from core.versions.differences import CHANGES, Difference
from core.versions.files import (
    ComparisonFormat,
    claim_words,
    comparison_csv,
    comparison_markdown,
    number_words,
    section_name,
)
from core.versions.public import comparison_to_public
from core.versions.resting import answers_resting
from core.versions.service import compare_documents
from core.workspace import Workspace


def compare(
    old: Annotated[str, typer.Argument(help="The old version: its id, or its file's name.")],
    new: Annotated[str, typer.Argument(help="The new version, likewise.")],
    numbers: Annotated[bool, typer.Option("--numbers", help="Only changed numbers.")] = False,
    form: Annotated[
        ComparisonFormat | None, typer.Option("--format", help="Print a file of this format.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare two documents section by section, and list the kept answers that rest on what changed."""
    with opened(as_json) as workspace:
        found = compare_documents(
            workspace.catalogue, _document(workspace, old).id, _document(workspace, new).id
        )
        if form is ComparisonFormat.CSV:
            _write(comparison_csv(found))
            return
        answers = answers_resting(found, workspace.conversations)
        if form is ComparisonFormat.MARKDOWN:
            _write(comparison_markdown(found, answers))
            return
        if as_json or form is ComparisonFormat.JSON:
            print_json(comparison_to_public(found, answers, numbers_only=numbers))
            return
        counts = ", ".join(f"{found.counts[kind]} {kind}" for kind in CHANGES)
        typer.echo(f"{counts}; {found.numbers} with changed numbers")
        for section in found.sections:
            changed = found.changed(section.differences)
            told = [one for one in changed if one.numbers] if numbers else changed
            if told:
                typer.echo(f"\n{plain(section_name(section))}")
            for one in told:
                _tell(one)
        if answers:
            typer.echo("\nAnswers that rest on changed or removed text")
        for answer in answers:
            cited = ", ".join(f"[{one.citation.n}]" for one in answer.citations)
            typer.echo(f"  {answer.session_id}  {plain(answer.question)} {cited}")
            for claim in answer.claims:
                typer.echo(f"    {plain(claim_words(claim))}")


def _tell(one: Difference) -> None:
    typer.echo(f"  {one.kind}")
    for sign, side in (("-", one.old), ("+", one.new)):
        if side is not None:
            page = f" (p. {side.page})" if side.page else ""
            typer.echo(f"    {sign} {plain(side.text)}{page}")
    for number in one.numbers:
        typer.echo(f"    # {plain(number_words(number))}")


def _document(workspace: Workspace, named: str) -> Document:
    """The ready document of an id or of a file's name.

    Raises:
        NotFound: there is none (``DOCUMENT_NOT_FOUND``).
        InputError: several files are called so (``AMBIGUOUS_NAME``).
    """
    wanted = valid(named)
    documents = workspace.catalogue.documents()
    found = [one for one in documents if one.id == wanted]
    found = found or [one for one in documents if one.file == wanted]
    if len(found) > 1:
        raise InputError(
            f"Several documents are called “{plain(named)}”.",
            advice="Give an id, as `documents` prints them.",
            code="AMBIGUOUS_NAME",
        )
    if not found:
        raise NotFound(
            f"“{plain(named)}” is not in the library.",
            advice="List the documents for their names and ids.",
            code="DOCUMENT_NOT_FOUND",
        )
    return found[0]


def ledger(
    conversation_id: str,
    basis: Annotated[list[Basis] | None, typer.Option(help="Only claims on this.")] = None,
    search: Annotated[str, typer.Option(help="Only claims with these words.")] = "",
    changed: Annotated[
        bool, typer.Option("--changed", help="Only claims whose sources changed since.")
    ] = False,
    form: Annotated[
        LedgerFormat | None, typer.Option("--format", help="Print a file of this format.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List every claim of a conversation, what it rests on, and what became of that since."""
    with opened(as_json) as workspace:
        session = workspace.conversations.get(conversation_id)
        whole = ledger_of(workspace.exports.record(session.id))
        found = whole.only(basis or (), valid(search), changed=changed)
        if form is LedgerFormat.CSV:
            _write(ledger_csv(found))
            return
        if as_json or form is LedgerFormat.JSON:
            print_json(ledger_to_public(found))
            return
        for claim in found.claims:
            caution = f" ({claim.caution})" if claim.caution else ""
            typer.echo(f"{claim.number}  {claim.basis}{caution}: {plain(claim.text)}")
            for one in claim.sources:
                gone = f" ({one.changed})" if one.changed else ""
                typer.echo(f"    [{one.citation.n}] {plain(one.name)}: {plain(one.said)}{gone}")
            for problem in claim.problems:
                typer.echo(f"    doubt: {plain(problem)}")


def _write(content: bytes) -> None:
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
