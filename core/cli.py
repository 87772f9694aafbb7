"""The command line: the same services as the pages.

Exit codes: 0 done, 1 refused or failed (message on stderr), 2 wrong usage. With ``--json`` stdout
holds JSON and nothing else.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from core.domain.answers import Answer, DocumentCitation
from core.domain.documents import Hit, IngestResult
from core.domain.graph import Entity
from core.domain.serial import answer_to_public
from core.errors import InputError, MateriaError, NotFound
from core.logs import correlation, current_correlation_id
from core.search.retriever import SearchOptions
from core.settings import load_settings
from core.workspace import Workspace, open_workspace

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Materia: ask drug leaflets and a biomedical graph one question, see the evidence.",
)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
_NAMES_SHOWN = 8  # neighbours per relationship type in the readable form of `entity`


def main() -> None:
    """Run the command line."""
    app()


@contextmanager
def _workspace(as_json: bool, *, writer: bool = False, sample: bool = False) -> Iterator[Workspace]:
    """An open workspace; a MateriaError inside ends the program with exit code 1.

    Args:
        sample: load the sample first when the library is empty and the sample is wanted.
    """
    with correlation():
        workspace = None
        try:
            workspace = open_workspace(writer=writer)
            if sample and workspace.sample_pending and not writer:
                workspace.close()
                workspace = open_workspace(writer=True)
                typer.echo("First start: loading the sample library ...", err=True)
                workspace.load_sample()
            yield workspace
        except MateriaError as error:
            _fail(error, as_json)
        finally:
            if workspace is not None:
                workspace.close()


def _fail(error: MateriaError, as_json: bool) -> None:
    if as_json:
        problem = {
            "code": error.code,
            "message": error.message,
            "advice": error.advice,
            "retryable": error.retryable,
            "correlation_id": current_correlation_id(),
        }
        _print_json({"error": problem})
    typer.echo(f"{error} ({error.code})", err=True)
    raise typer.Exit(1)


def _print_json(data: Any) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False))


@app.command()
def ask(
    question: str,
    session: Annotated[str, typer.Option(help="Continue this conversation.")] = "",
    as_json: Json = False,
) -> None:
    """Answer a question from the library and the graph."""
    with _workspace(as_json, sample=True) as workspace:
        answer = workspace.chat.answer(question, session or None)
        if as_json:
            _print_json(answer_to_public(answer))
        else:
            _print_answer(answer)
        if answer.refused:
            if as_json:
                typer.echo(answer.text, err=True)
            raise typer.Exit(1)


def _print_answer(answer: Answer) -> None:
    typer.echo(answer.text, err=answer.refused)
    if answer.notice:
        typer.echo(f"\n{answer.notice}", err=True)
    for citation in answer.citations:
        if isinstance(citation, DocumentCitation):
            place = f"{citation.file}, p. {citation.page}"
            where = f"{place}, {citation.heading}" if citation.heading else place
        else:
            where = f"{citation.source} -[{citation.relationship}]-> {citation.target}"
        typer.echo(f"  [{citation.n}] {where}")
    typer.echo(f"\n{answer.disclaimer}")


@app.command()
def search(
    query: str,
    k: Annotated[int, typer.Option("-k", "--k", help="Number of passages, 1 to 100.")] = 5,
    mode: Annotated[str, typer.Option(help="hybrid, semantic or lexical.")] = "hybrid",
    index: Annotated[
        list[str] | None, typer.Option(help="Only this index; may be repeated.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find passages."""
    with _workspace(as_json, sample=True) as workspace:
        result = workspace.retriever.search(
            query,
            SearchOptions(tuple(index or ()), k, workspace.settings.candidates, mode),
        )
        if as_json:
            _print_json(
                {
                    "query": query,
                    "hits": [_hit(hit) for hit in result.hits],
                    "mode": result.mode,
                    "elapsed_ms": round(result.elapsed_ms, 1),
                    "searched": result.searched,
                }
            )
            return
        for hit in result.hits:
            typer.echo(f"{hit.score:.2f}  {hit.document.file}, p. {hit.chunk.page}")
            typer.echo(f"      {' '.join(hit.chunk.text.split())[:200]}")
        if not result.hits:
            typer.echo("Nothing was found.", err=True)
            raise typer.Exit(1)


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "file": hit.document.file,
        "page": hit.chunk.page,
        "section": hit.chunk.section,
        "heading": hit.chunk.heading,
        "text": hit.chunk.text,
        "score": round(hit.score, 4),
        "similarity": round(hit.similarity, 4),
        "document_id": hit.document.id,
        "chunk_id": hit.chunk.id,
        "start": hit.chunk.start,
        "end": hit.chunk.end,
    }


@app.command()
def ingest(
    paths: list[Path],
    password: Annotated[str, typer.Option(help="For encrypted files.")] = "",
    as_json: Json = False,
) -> None:
    """Bring PDF files, or the PDFs of a folder, into the library."""
    with _workspace(as_json, writer=True) as workspace:
        bad = 0
        for path in _files(paths):
            result = (
                workspace.library.ingest(path, password=password)
                if path.is_file()
                else IngestResult(
                    path.name, "failed", "FILE_NOT_FOUND", "There is no such file.", 0, 0, 0.0
                )
            )
            bad += result.state != "ready"
            if as_json:
                _print_json(asdict(result))
            else:
                line = f"{result.file}: {result.state}. {result.message}"
                typer.echo(line, err=result.state != "ready")
        if bad:
            if as_json:
                typer.echo(f"{bad} of the files did not get in.", err=True)
            raise typer.Exit(1)


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(item for item in path.rglob("*") if item.suffix.lower() == ".pdf")
        else:
            yield path


@app.command()
def documents(as_json: Json = False) -> None:
    """List the documents of the library."""
    with _workspace(as_json) as workspace:
        found = workspace.library_store.documents()
        if as_json:
            listed = [
                {**asdict(document), "created_at": document.created_at.isoformat()}
                for document in found
            ]
            _print_json({"documents": listed})
            return
        for document in found:
            typer.echo(
                f"{document.id}  {document.file}  {document.pages} pages, "
                f"{document.chunks} chunks, {document.created_at:%Y-%m-%d}"
            )


@app.command()
def delete(document_id: str, as_json: Json = False) -> None:
    """Remove a document with every trace of it."""
    with _workspace(as_json, writer=True) as workspace:
        receipt = workspace.library.delete(document_id)
        if as_json:
            _print_json(asdict(receipt))
            return
        typer.echo(
            f"{receipt.file}: removed {receipt.pages} pages, {receipt.chunks} chunks, "
            f"{receipt.vectors} vectors, {receipt.mentions} entity links, {receipt.files} file; "
            f"{receipt.left} left."
        )


@app.command("import-graph")
def import_graph(folder: Path, as_json: Json = False) -> None:
    """Import a graph: nodes.csv and relationships.csv, or PrimeKG's kg.csv."""
    with _workspace(as_json, writer=True) as workspace:
        report = workspace.import_graph(folder)
        if as_json:
            _print_json(asdict(report))
            return
        typer.echo(
            f"{report.entities:,} entities and {report.relationships:,} relationships "
            f"in {report.seconds:.1f} s; {report.skipped} rows left out."
        )
        for problem in report.problems:
            typer.echo(f"  {problem}", err=True)


@app.command()
def entity(name: str, as_json: Json = False) -> None:
    """Show an entity of the graph: by id, name, synonym or part of a name."""
    with _workspace(as_json, sample=True) as workspace:
        found = _find_entity(workspace, name)
        related = {
            kind: [
                fact.target.name if fact.source.id == found.id else fact.source.name
                for fact in workspace.graph.facts(found.id, kind)
            ]
            for kind in workspace.graph.relationship_counts(found.id)
        }
        if as_json:
            _print_json(
                {
                    **asdict(found),
                    "relationships": {
                        kind: {"count": len(names), "names": names}
                        for kind, names in related.items()
                    },
                }
            )
            return
        typer.echo(f"{found.name} ({found.type}, {found.id})")
        for key, value in found.properties.items():
            typer.echo(f"  {key}: {value}")
        for kind, names in related.items():
            more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            typer.echo(f"  {kind} ({len(names)}): {', '.join(names[:_NAMES_SHOWN])}{more}")


def _find_entity(workspace: Workspace, name: str) -> Entity:
    if not name.strip():
        raise InputError("The name is empty.", advice="Give a name or an id.", code="EMPTY_NAME")
    by_id = workspace.graph.entity(name)
    candidates = [by_id] if by_id else workspace.graph.entities_named(name)
    candidates = candidates or workspace.graph.search_entities(name, limit=1)
    if not candidates:
        raise NotFound(
            f"The graph has no entity named “{name[:80]}”.",
            advice="Check the spelling, or search a part of the name.",
            code="ENTITY_NOT_FOUND",
        )
    return candidates[0]


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8501,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Start the dashboard."""
    try:
        load_settings()
        _check_port(host, port)
    except MateriaError as error:
        _fail(error, as_json=False)
    root = Path(__file__).resolve().parents[1]
    os.chdir(root)
    command = [sys.executable, "-m", "streamlit", "run", str(root / "app.py")]
    options = ["--server.address", host, "--server.port", str(port)]
    typer.echo(f"Materia: http://{host}:{port}  (stop with Ctrl+C)")
    sys.stdout.flush()
    os.execv(sys.executable, command + options)


def _check_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise InputError(
                f"Port {port} on {host} cannot be used ({error.strerror}).",
                advice="Stop what uses it, or choose another: make run PORT=8601.",
                code="PORT_TAKEN",
            ) from error
