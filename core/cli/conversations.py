"""`conversation`: kept conversations listed, read, renamed, marked, deleted, their answers rated."""

from __future__ import annotations

from typing import Annotated

import typer

from core.answers.provenance.earlier import earlier_to_public
from core.cli.common import Json, Yes, confirm, opened, plain, print_json, valid
from core.cli.graphs.names import find_entity
from core.conversations.public import (
    feedback_to_public,
    session_to_public,
    summary_to_public,
    turn_to_public,
)
from core.conversations.service import EVERY_ONE, LISTED
from core.conversations.usage import usage_lines, usage_to_public
from core.domain.conversations import Fault, Feedback, Rating, Session, SessionFilter
from core.errors import InputError

app = typer.Typer(no_args_is_help=True, help="Kept conversations, and ratings of their answers.")


@app.command("list")
def list_(
    search: Annotated[
        str, typer.Option(help="With these words in title, questions or answers.")
    ] = "",
    entity: Annotated[str, typer.Option(help="Asked about this entity, by name or id.")] = "",
    document: Annotated[str, typer.Option(help="That cite the document of this id.")] = "",
    refused: Annotated[
        bool | None, typer.Option("--refused/--answered", help="With such an answer.")
    ] = None,
    may_not_answer: Annotated[
        bool, typer.Option("--may-not-answer", help="With an answer of closest passages.")
    ] = False,
    rating: Annotated[Rating | None, typer.Option(help="With an answer rated so.")] = None,
    tag: Annotated[str, typer.Option(help="With this tag.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = LISTED,
    every: Annotated[bool, typer.Option("--all", help="Without a limit.")] = False,
    as_json: Json = False,
) -> None:
    """List conversations, pinned ones first, then the newest; what is asked of answers must hold for one and
    the same."""
    with opened(as_json) as workspace:
        entity_id = find_entity(workspace, entity)[0].id if entity else ""
        only = SessionFilter(entity_id, document, refused, rating, tag, may_not_answer or None)
        most = EVERY_ONE if every else limit
        found, more = workspace.conversations.listed(valid(search), only, most)
        if as_json:
            shown = [session_to_public(session) for session in found]
            print_json({"conversations": shown, "more": more})
            return
        for session in found:
            typer.echo(_line(session))
        if more:
            typer.echo(
                f"There are more than these {most:,}; see --limit and --all, or narrow the search.",
                err=True,
            )


@app.command()
def usage(
    search: Annotated[str, typer.Option(help="Answers with these words.")] = "",
    entity: Annotated[str, typer.Option(help="Asked about this entity, by name or id.")] = "",
    tag: Annotated[str, typer.Option(help="Of conversations with this tag.")] = "",
    as_json: Json = False,
) -> None:
    """Count how Materia is used: questions a day, entities, refusals, ratings, support, time, tokens, cost."""
    with opened(as_json) as workspace:
        entity_id = find_entity(workspace, entity)[0].id if entity else ""
        report = workspace.conversations.usage(valid(search), SessionFilter(entity_id, tag=tag))
        if as_json:
            print_json(usage_to_public(report))
            return
        for name, value in usage_lines(report):
            typer.echo(f"{name + ':':<26}{plain(value)}")
        for day in report.days:
            typer.echo(f"  {day.day}  {day.questions:,} asked, median {day.times.median:.1f} s")


@app.command()
def show(conversation_id: str, as_json: Json = False) -> None:
    """Print a conversation with the ids of its answers."""
    with opened(as_json) as workspace:
        session = workspace.conversations.get(conversation_id)
        turns = workspace.conversations.history(session.id)
        summary = workspace.conversations.summary(session.id)
        if as_json:
            print_json(
                {
                    "conversation": session_to_public(session),
                    "summary": summary_to_public(summary),
                    "turns": [turn_to_public(turn) for turn in turns],
                }
            )
            return
        typer.echo(_line(session))
        for line in summary.text.splitlines() if summary else ():
            typer.echo(f"  {plain(line)}")
        for turn in turns:
            typer.echo(f"\n{turn.id}  {plain(turn.question)}\n  {plain(turn.answer.text)}")
            if turn.feedback:
                typer.echo(f"  {_rated(turn.feedback)}")


@app.command()
def similar(question: str, as_json: Json = False) -> None:
    """List the earlier questions that are close to a question in meaning, with what changed since."""
    with opened(as_json) as workspace:
        asked = workspace.chat.checked(valid(question))
        workspace.recall.embed_missing()  # the dashboard does it after each answer
        found = workspace.earlier.like(asked)
        if as_json:
            print_json({"similar": [earlier_to_public(one) for one in found]})
            return
        for one in found:
            told = ["not answered then"] if one.found.refused else []
            told += [plain(each.text) for each in one.changed]
            typer.echo(
                f"{one.found.session_id}  {plain(one.found.question)}, {one.found.asked_at:%Y-%m-%d} "
                f"({one.found.similarity:.2f}){''.join(f'; {each}' for each in told)}"
            )


@app.command()
def rename(conversation_id: str, title: str) -> None:
    """Give a conversation another title."""
    with opened(False) as workspace:
        if not valid(title).strip():
            raise InputError("The title is empty.", advice="Give some words.", code="EMPTY_TITLE")
        session = workspace.conversations.get(conversation_id)
        workspace.conversations.rename(session.id, valid(title))
        typer.echo(_line(workspace.conversations.get(session.id)))


@app.command()
def pin(
    conversation_id: str,
    off: Annotated[bool, typer.Option("--off", help="No longer.")] = False,
) -> None:
    """Keep a conversation whatever limits are set, and list it first."""
    with opened(False) as workspace:
        workspace.conversations.pin(conversation_id, not off)
        typer.echo(_line(workspace.conversations.get(conversation_id)))


@app.command()
def tag(
    conversation_id: str,
    tags: Annotated[list[str] | None, typer.Argument(metavar="[TAG]...")] = None,
) -> None:
    """Give a conversation these tags in place of those it has."""
    with opened(False) as workspace:
        workspace.conversations.tag(conversation_id, map(valid, tags or ()))
        typer.echo(_line(workspace.conversations.get(conversation_id)))


@app.command()
def delete(conversation_id: str, yes: Yes = False, as_json: Json = False) -> None:
    """Delete a conversation with its questions, answers and ratings."""
    with opened(as_json) as workspace:
        session = workspace.conversations.get(conversation_id)
        ratings = session.rated_up + session.rated_down
        count = f"{session.turns} question{'' if session.turns == 1 else 's'} with answers"
        rated = f" and {ratings} rating{'' if ratings == 1 else 's'}" if ratings else ""
        confirm(f"Delete “{plain(session.title)}”, {count}{rated}?", yes)
        questions = workspace.conversations.delete(session.id)
        if as_json:
            print_json({"success": True, "questions": questions, "ratings": ratings})
        else:
            typer.echo(f"Deleted {count}{rated}.")


@app.command()
def rate(
    answer_id: Annotated[str, typer.Argument(help="As `conversation show` prints it.")],
    rating: Rating,
    because: Annotated[Fault | None, typer.Option(help="What is wrong with it.")] = None,
    comment: Annotated[str, typer.Option(help="In your words.")] = "",
    as_json: Json = False,
) -> None:
    """Rate an answer, in place of an earlier rating."""
    with opened(as_json) as workspace:
        feedback = workspace.conversations.rate(answer_id, rating, because, valid(comment))
        if as_json:
            print_json(feedback_to_public(feedback))
        else:
            typer.echo(_rated(feedback))


def _line(session: Session) -> str:
    """``ID  Title, 3 questions, 2026-05-04 [signal] pinned, 1 down``."""
    count = f"{session.turns} question{'' if session.turns == 1 else 's'}"
    parts = [f"{session.id}  {plain(session.title)}, {count}, {session.updated_at:%Y-%m-%d}"]
    parts += [f"{session.rated_up} rated up"] if session.rated_up else []
    parts += [f"{session.rated_down} rated down"] if session.rated_down else []
    parts += ["pinned"] if session.pinned else []
    return ", ".join(parts) + "".join(f" [{plain(tag)}]" for tag in session.tags)


def _rated(feedback: Feedback) -> str:
    because = f", wrong: {feedback.fault}" if feedback.fault else ""
    comment = f": {plain(feedback.comment)}" if feedback.comment else ""
    return f"Rated {feedback.rating}{because}{comment}"
