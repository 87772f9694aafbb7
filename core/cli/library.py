"""Documents in and out: `ingest`, `arxiv`, `documents`, `delete`, `verify`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from core.cli.bulk import cancelled_plainly, on_ray
from core.cli.common import (
    Json,
    Yes,
    confirm,
    job_words,
    opened,
    print_json,
    progress_line,
    words,
)
from core.documents.jobs.tasks import files_of, unpack
from core.documents.library.abstracts import import_abstracts
from core.documents.library.names import display_name
from core.documents.library.outcomes import Source
from core.documents.library.shelves import LEAFLETS
from core.documents.moving.earlier import EarlierVersions
from core.documents.moving.relocation import Relocation
from core.documents.public import document_to_public, receipts_to_public, result_to_public
from core.domain.documents import DeletionReceipt, IngestResult, OnConflict
from core.errors import DocumentError, InputError, MateriaError, NotFound, StoreUnavailable
from core.maintenance.bulk.stack import SCHEME, StackedFile, in_store
from core.workspace import Workspace

Quotes = Annotated[bool, typer.Option("--quotes", help="Also take their text out of kept answers.")]
_ANSWER = "Pass --on-conflict keep-earlier, replace or keep-both."


def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(help="Files, folders, ZIP archives; with --ray also s3://bucket/folder."),
    ],
    index: Annotated[str, typer.Option(help="The index to add to.")] = LEAFLETS,
    on_conflict: Annotated[
        OnConflict, typer.Option(help="What to do with a known name and other content.")
    ] = OnConflict.ASK,
    password: Annotated[str, typer.Option(help="For encrypted files.")] = "",
    ray: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Read and embed on this Ray cluster: host:port, auto."
        ),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document a file (JSON Lines).")
    ] = False,
) -> None:
    """Bring files, the files of folders, and of ZIP archives into the library."""
    with opened(as_json, writer=True) as workspace, TemporaryDirectory() as unpacked:
        if index != LEAFLETS:
            workspace.library.index_for_adding(index)
        found = _Found(password, Path(unpacked), workspace.library.max_bytes)
        for path in paths:
            found.add(path, stores=bool(ray))
        done = Counter[str]()
        with progress_line("reading") as tell, cancelled_plainly(done, bool(ray)):
            versions = EarlierVersions(workspace.library, Relocation(workspace.library))
            results = (
                on_ray(ray, workspace, found.items, index, on_conflict, password, tell)
                if ray
                else versions.ingest_many(
                    found.sources,
                    index=index,
                    on_conflict=on_conflict,
                    report=lambda number, progress: tell(
                        f"{number + 1} of {len(found.sources)}: "
                        f"{display_name(found.sources[number].name)}, {words(progress)}"
                    ),
                )
            )
            with closing(results):
                for result in chain(found.problems, results):
                    done[result.state] += 1
                    _print_result(result, as_json)
        _print_sum(done, found.others, as_json)
        if done.total() > done["ready"]:
            raise typer.Exit(1)


@dataclass(slots=True)
class _Found:
    """The files that paths stand for, and what is wrong with the paths that stand for none.

    Args:
        unpacked: an empty folder for what archives hold.
    """

    password: str
    unpacked: Path
    max_bytes: int
    sources: list[Source] = field(default_factory=list)
    stored: list[StackedFile] = field(default_factory=list)
    problems: list[IngestResult] = field(default_factory=list)
    others: int = 0
    archives: int = 0

    @property
    def items(self) -> list[StackedFile]:
        """All files, those of this machine first."""
        return [*map(StackedFile.of, self.sources), *self.stored]

    def add(self, path: str, *, stores: bool = False) -> None:
        """Take in a path: a file, a folder or an archive.

        Args:
            stores: or a folder of an S3-compatible store.
        """
        try:
            if path.startswith(SCHEME):
                self._add_stored(path, stores)
            else:
                self._add(Path(path))
        except MateriaError as error:
            state = "failed" if isinstance(error, NotFound) else "refused"
            name = display_name(PurePath(path).name)
            self.problems.append(IngestResult(name, state, error.code, str(error), 0, 0, 0.0))

    def _add_stored(self, url: str, stores: bool) -> None:
        if not stores:
            raise InputError(
                "A folder of an S3-compatible store is read by a Ray cluster.",
                advice="Pass --ray ADDRESS, or copy its files to a folder.",
                code="RAY_NEEDED",
            )
        items, others = in_store(url)
        self.stored += items
        self.others += others

    def _add(self, path: Path) -> None:
        if path.is_dir():
            files, others = files_of(path)
            found = [(file, file.name) for file in files]
        elif not path.exists():
            raise NotFound("There is no such file.", code="FILE_NOT_FOUND")
        elif path.suffix.lower() == ".zip":
            self.archives += 1
            target = self.unpacked / str(self.archives)
            found, others = unpack(path, target, self.max_bytes, lambda: None)
        else:
            found, others = [(path, path.name)], 0
        if not found:
            raise DocumentError("It holds no file that Materia reads.", code="NO_FILES")
        self.others += others
        self.sources += [Source(file, name, self.password) for file, name in found]


def _print_result(result: IngestResult, as_json: bool) -> None:
    if as_json:
        print_json(result_to_public(result))
        return
    advice = f" {_ANSWER}" if result.code == "NAME_EXISTS" else ""
    line = f"{result.file}: {result.state}. {result.message}{advice}"
    typer.echo(line, err=result.state != "ready")


def _print_sum(done: Counter[str], others: int, as_json: bool) -> None:
    files = done.total()
    bad = files - done["ready"]
    if as_json:
        if bad:
            advice = f" {_ANSWER}" if done["question"] else ""
            typer.echo(f"{bad} of the files did not get in.{advice}", err=True)
        return
    parts = [f"{done['ready']} of {files} file{'' if files == 1 else 's'} in the library"]
    names = {"refused": "refused", "failed": "failed", "question": "to be decided"}
    parts += [f"{done[state]} {name}" for state, name in names.items() if done[state]]
    if others:
        parts.append(f"{others} of other formats left out")
    typer.echo(", ".join(parts) + ".")


def arxiv(
    file: Annotated[Path, typer.Option("--input", help="JSON as in arxivData.json.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Take so many papers only.")] = None,
    as_json: Json = False,
) -> None:
    """Bring arXiv abstracts into the library."""
    with opened(as_json, writer=True) as workspace:
        with progress_line("reading") as tell:
            done = import_abstracts(
                workspace.library, file, limit, report=lambda progress: tell(job_words(progress))
            )
        if as_json:
            print_json(asdict(done))
            return
        typer.echo(done.message)
        for problem in done.problems:
            typer.echo(f"  {problem.record}: {problem.reason}", err=True)


def documents(
    index: Annotated[str, typer.Option(help="Only this index.")] = "",
    name: Annotated[str, typer.Option(help="Only those with this in file name or title.")] = "",
    as_json: Json = False,
) -> None:
    """List the documents of the library."""
    with opened(as_json) as workspace:
        if index and index not in workspace.catalogue.index_names():
            raise NotFound(f"There is no index “{index}”.", code="INDEX_NOT_FOUND")
        found, leaving = (
            [
                document
                for document in listed(index or None)
                if name.casefold() in f"{document.file} {document.title}".casefold()
            ]
            for listed in (workspace.catalogue.documents, workspace.catalogue.being_removed)
        )
        if as_json:
            print_json({"documents": [document_to_public(one) for one in (*found, *leaving)]})
            return
        for document in leaving:
            typer.echo(
                f"{document.id}  {document.file}  is being removed: no search sees it any more"
            )
        for document in found:
            pages = f"{document.pages} pages, " if document.pages else ""
            typer.echo(
                f"{document.id}  {document.file}  about “{document.title}”, {document.index}, {pages}"
                f"{document.chunks} chunks, {document.created_at:%Y-%m-%d}"
            )


def delete(
    document_ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...")] = None,
    index: Annotated[str, typer.Option(help="This index with all its documents.")] = "",
    everything: Annotated[bool, typer.Option("--everything", help="Every index.")] = False,
    quotes: Quotes = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Remove documents, an index or everything, with every trace; then check that nothing is left."""
    if sum((bool(document_ids), bool(index), everything)) != 1:
        raise typer.BadParameter("give ids of documents, or --index NAME, or --everything.")
    with opened(as_json, writer=True) as workspace:
        ids = document_ids or workspace.deletion.documents_of(index or None)
        if everything:
            confirm(f"Delete every document of every index?{quoted_words(workspace, ids)}", yes)
        elif index:
            words = quoted_words(workspace, ids)
            confirm(f"Delete the index “{index}” with all its documents?{words}", yes)
        receipts = _delete(workspace, document_ids or [], index, quotes)
        if document_ids and not quotes and (words := quoted_words(workspace, ids)):
            typer.echo(words.strip(), err=True)
        print_receipts(receipts, as_json)


def _delete(
    workspace: Workspace, document_ids: Sequence[str], index: str, quotes: bool
) -> list[DeletionReceipt]:
    if document_ids:
        return workspace.deletion.documents(list(dict.fromkeys(document_ids)), quotes=quotes)
    if index:
        return [workspace.deletion.index(index, quotes=quotes)]
    return workspace.deletion.everything(quotes=quotes)


def quoted_words(workspace: Workspace, document_ids: Sequence[str]) -> str:
    """`` 3 kept answers quote this ...``, in brackets; nothing where none does or nobody can tell."""
    try:
        quoted = workspace.deletion.quoted(document_ids)
    except StoreUnavailable:
        return ""
    if not quoted.answers:
        return ""
    answers = (
        "1 kept answer quotes" if quoted.answers == 1 else f"{quoted.answers} kept answers quote"
    )
    return f" ({answers} this; with --quotes that is taken out, also afterwards.)"


def print_receipts(receipts: Sequence[DeletionReceipt], as_json: bool) -> None:
    """Print what deletions removed.

    Raises:
        typer.Exit: something is left, or is still being removed; code 1.
    """
    if as_json:
        print_json(receipts_to_public(receipts))
    elif not receipts:
        typer.echo("There was nothing to delete.")
    for receipt in () if as_json else receipts:
        if receipt.unfinished:
            typer.echo(
                f"{receipt.file}: is being removed. No search sees it any more; a store could not be "
                "used, and the rest goes as soon as Materia runs and it can."
            )
            continue
        documents = f"{receipt.documents} documents, " if not receipt.document_id else ""
        typer.echo(
            f"{receipt.file}: removed {documents}{receipt.pages} pages, {receipt.chunks} chunks, "
            f"{receipt.text_rows} rows of full text, {receipt.vectors} vectors, "
            f"{receipt.mentions} entity links, {receipt.files} files; checked: {receipt.left} left."
        )
        if receipt.quotes:
            typer.echo(f"  {receipt.quotes} quotes taken out of kept answers.")
        if receipt.quotes_later:
            typer.echo("  Kept answers are looked through at the next start.")
    if any(receipt.unfinished for receipt in receipts):
        raise typer.Exit(1)
    if any(receipt.left for receipt in receipts):
        typer.echo("Something is left: run “verify --repair”.", err=True)
        raise typer.Exit(1)


def verify(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended.")] = False,
    as_json: Json = False,
) -> None:
    """Check that registry, full text, vectors and files agree; while the dashboard runs, read only."""
    with opened(as_json, writer=True, beside=not repair) as workspace:
        beside = not workspace.writes
        report = workspace.verifier.run(repair=repair, beside=beside)
        if as_json:
            print_json({**asdict(report), "consistent": report.consistent})
        else:
            typer.echo(
                f"{report.documents} documents, {report.chunks} chunks, {report.vectors} vectors, "
                f"{report.text_rows} rows of full text, {report.files} files: "
                f"{len(report.findings)} findings."
            )
            if beside:
                typer.echo(
                    "Materia is running: what it works on was left out, and nothing is mended."
                )
        for finding in () if as_json else report.findings:
            mended = " Repaired." if finding.repaired else ""
            typer.echo(f"  {finding.what}: {finding.message} ({finding.count}){mended}")
        if not report.consistent:
            mendable = any(one.repairable and not one.repaired for one in report.findings)
            where = "Stop Materia, then run" if beside else "Run"
            advice = f" {where} “verify --repair”." if mendable and not repair else ""
            typer.echo(f"The stores do not agree.{advice}", err=True)
            raise typer.Exit(1)
