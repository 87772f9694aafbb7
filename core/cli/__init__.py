"""The command line: the same services as the pages.

Exit codes: 0 done, 1 refused or failed (message on stderr), 2 wrong usage. With ``--json`` stdout
holds JSON and nothing else.
"""

from __future__ import annotations

import typer

from core.cli import (
    boards,
    compare,
    conversation_files,
    conversations,
    evaluate,
    indexes,
    library,
    migrate,
    questions,
    serve,
    subjects,
    system,
)
from core.cli.graphs import entities, walks, whole

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Materia: ask drug leaflets and a biomedical graph one question, see the evidence.",
)
app.command()(questions.ask)
app.command()(questions.search)
app.command()(library.ingest)
app.command()(library.arxiv)
app.command()(library.documents)
app.command()(subjects.retitle)
app.command()(subjects.reread)
app.command()(compare.compare)
app.command()(library.delete)
app.command()(library.verify)
app.add_typer(indexes.app, name="index")
app.add_typer(boards.app, name="board")
app.add_typer(conversations.app, name="conversation")
app.add_typer(whole.views, name="view")
for _command in (conversation_files.export, conversation_files.rerun):
    conversations.app.command()(_command)
conversations.app.command()(compare.ledger)
conversations.app.command("import")(conversation_files.import_)
app.command("re-embed")(indexes.re_embed)
app.command("import-graph")(whole.import_graph)
app.command("embed-graph")(whole.embed_graph)
app.command()(evaluate.evaluate)
app.command()(entities.entity)
app.command()(entities.link)
app.command()(walks.expand)
app.command()(walks.paths)
app.command()(migrate.migrate)
app.command()(system.backup)
app.command()(system.restore)
app.command()(system.settings)
app.command()(serve.serve)


def main() -> None:
    """Run the command line."""
    app()
