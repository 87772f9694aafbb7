"""What jobs do: files, folders, archives and abstracts into the library, and indexes embedded anew."""

from __future__ import annotations

import errno
import lzma
import shutil
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePosixPath

from core.documents.jobs.control import JobControl
from core.documents.jobs.index_work import IndexWork
from core.documents.jobs.runner import Handler
from core.documents.library.abstracts import import_abstracts
from core.documents.library.indexes import Indexes
from core.documents.library.library import Library
from core.documents.library.outcomes import Progress, Source
from core.documents.moving.earlier import EarlierVersions
from core.documents.moving.relocation import Relocation
from core.documents.reading.formats import SUFFIXES
from core.domain.documents import IngestResult, OnConflict
from core.domain.jobs import Job, JobProgress
from core.errors import (
    WAITED_FOR,
    Cancelled,
    DocumentError,
    MateriaError,
    NotFound,
    TooLarge,
)

FILES, FOLDER, ARCHIVE = "files", "folder", "archive"
ABSTRACTS_FILE = "abstracts"
# A ZIP that unpacks to more than this, or to this many files, is not a stack of documents.
_LARGEST_ARCHIVE = 4_000_000_000
_MOST_MEMBERS = 10_000
# What zipfile raises for bytes that are no archive; ValueError for names that are no text.
_DAMAGED = (
    zipfile.BadZipFile,
    NotImplementedError,
    EOFError,
    ValueError,
    zlib.error,
    lzma.LZMAError,
)
_LOOK_SECONDS = 0.2  # between two looks whether a walk through a folder is still wanted
_SHORT_BYTES = 2_000_000  # of all files of a job that may pass a long one: some seconds
_NEEDS_PASSWORD = ("PASSWORD_REQUIRED", "WRONG_PASSWORD")


class Tasks:
    """The handlers of the jobs that fill a library.

    Args:
        uploads: folder of uploaded bytes, one folder for each job, named by its id.
    """

    def __init__(self, library: Library, indexes: Indexes, uploads: Path) -> None:
        self._library = library
        self.relocation = Relocation(library)
        self._versions = EarlierVersions(library, self.relocation)
        self._index_work = IndexWork(indexes, self.relocation)
        self._uploads = uploads

    def handlers(self) -> dict[str, Handler]:
        """By kind of job."""
        return {
            FILES: self.files,
            FOLDER: self.folder,
            ARCHIVE: self.archive,
            ABSTRACTS_FILE: self.abstracts,
            **self._index_work.handlers(),
        }

    def folder_of(self, job_id: str) -> Path:
        """Where the bytes of a job's uploads are."""
        return self._uploads / job_id

    def forget(self, job_id: str) -> None:
        """Remove the bytes of a job's uploads."""
        shutil.rmtree(self.folder_of(job_id), ignore_errors=True)

    def forget_unknown(self, job_ids: Collection[str]) -> None:
        """Remove the bytes of uploads that no job knows: a crash came before it was queued."""
        for folder in self._uploads.glob("*"):
            if folder.name not in job_ids:
                self.forget(folder.name)

    def is_short(self, job: Job) -> bool:
        """Whether a job is done in some seconds, so that it may pass one that takes minutes."""
        if job.kind != FILES:
            return False
        return sum(_size(Path(item["path"])) for item in job.params["files"]) <= _SHORT_BYTES

    def files(self, control: JobControl) -> str:
        """Params: ``files`` (a list of ``path`` and ``name``), ``index``, ``on_conflict``."""
        sources = [
            Source(Path(item["path"]), str(item["name"]), control.secret)
            for item in control.params["files"]
        ]
        return self._ingest(control, sources)

    def folder(self, control: JobControl) -> str:
        """Params: ``path``, ``index``, ``on_conflict``."""

        def look(found: int) -> None:
            control.check()
            control.report(JobProgress(f"looking through the folder, {found:,} entries"))

        paths, others = files_of(Path(control.params["path"]), look)
        sources = [Source(path, path.name, control.secret) for path in paths]
        return self._ingest(control, sources, others)

    def archive(self, control: JobControl) -> str:
        """Params: ``path`` of a ZIP, ``index``, ``on_conflict``."""
        target = self.folder_of(control.id) / "unpacked"
        control.report(JobProgress("unpacking"))
        members, others = unpack(
            Path(control.params["path"]), target, self._library.max_bytes, control.check
        )
        sources = [Source(path, name, control.secret) for path, name in members]
        return self._ingest(control, sources, others)

    def abstracts(self, control: JobControl) -> str:
        """Params: ``path`` of an arXiv JSON file, ``limit`` (or None)."""
        done = import_abstracts(
            self._library,
            Path(control.params["path"]),
            control.params.get("limit"),
            report=control.report,
            cancelled=control.cancelled,
        )
        for problem in done.problems:
            control.item(
                IngestResult(problem.record, "refused", "MALFORMED_RECORD", problem.reason, 0, 0, 0)
            )
        return done.message

    def _ingest(self, control: JobControl, sources: Sequence[Source], others: int = 0) -> str:
        """Take files in; `others` were left out because Materia does not read their format."""
        if not sources:
            raise NotFound(
                "There is no file that Materia reads.",
                advice=f"It reads {', '.join(sorted(SUFFIXES))}.",
                code="NO_FILES",
            )
        counter = _Totals(control, sources)
        results = self._versions.ingest_many(
            sources,
            index=str(control.params["index"]),
            on_conflict=OnConflict(control.params.get("on_conflict", OnConflict.ASK)),
            report=counter.report,
            cancelled=control.cancelled,
        )
        with closing(results):
            for number, result in enumerate(results):
                if kind := WAITED_FOR.get(result.code):
                    raise kind(result.message, retryable=True)
                if result.code in _NEEDS_PASSWORD:
                    # Not the end: its bytes are kept until the analyst gives the password, or not.
                    result = replace(result, state="question", source=str(sources[number].path))
                counter.finished(number, result)
        done = Counter(counter.results)
        known = counter.known
        if control.cancelled():
            raise Cancelled(
                f"It was cancelled; {done['ready']} of {len(sources)} files were added before."
            )
        return _summary(len(sources), done, others, known)


class _Totals:
    """Adds up the progress of files to that of their job."""

    def __init__(self, control: JobControl, sources: Sequence[Source]) -> None:
        self._control = control
        self._sources = sources
        self._sizes = [max(1, _size(source.path)) for source in sources]
        self._pages = self._chunks = 0
        self.results: list[str] = []
        self.known = 0

    def report(self, number: int, progress: Progress) -> None:
        if progress.total or progress.may_wait:
            self._control.let_pass()
        share = progress.chunks / progress.total if progress.total else 0.0
        # Reading is about a tenth of the work, embedding the rest.
        share = 0.1 + 0.9 * share if progress.pages else share
        self._tell(number, share, progress.stage, progress.pages, progress.chunks)

    def finished(self, number: int, result: IngestResult) -> None:
        self.results.append(result.state)
        self._control.item(result)
        self.known += result.code == "ALREADY_PRESENT"
        if result.code == "OK":
            self._pages += result.pages
            self._chunks += result.chunks
        self._tell(number + 1, 0.0, result.state, 0, 0)

    def _tell(self, number: int, share: float, stage: str, pages: int, chunks: int) -> None:
        done = sum(self._sizes[:number])
        present = self._sizes[number] * share if number < len(self._sizes) else 0.0
        self._control.report(
            JobProgress(
                stage=stage,
                file=self._sources[min(number, len(self._sources) - 1)].name,
                done=number,
                files=len(self._sources),
                pages=self._pages + pages,
                chunks=self._chunks + chunks,
                fraction=(done + present) / sum(self._sizes),
            )
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _summary(files: int, done: Mapping[str, int], others: int, known: int) -> str:
    parts = [f"{done['ready']} of {files} file{'' if files == 1 else 's'} in the library"]
    words = {"refused": "refused", "failed": "failed", "question": "asked about"}
    parts += [f"{done[state]} {word}" for state, word in words.items() if done[state]]
    if known:
        parts.append(f"{known} of them {'was' if known == 1 else 'were'} there before")
    if others:
        parts.append(f"{others} of other formats left out")
    return ", ".join(parts) + "."


def files_of(
    folder: Path, look: Callable[[int], None] = lambda _found: None
) -> tuple[list[Path], int]:
    """Files of a folder and its subfolders that Materia reads, by path, and how many others there
    are; links and hidden files are neither.

    Args:
        look: called now and then with the number of entries so far; what it raises ends the walk.

    Raises:
        NotFound: ``FOLDER_NOT_FOUND``.
    """
    if not folder.is_dir():
        raise NotFound(
            "There is no such folder.",
            advice="Give the path of a folder on the machine that runs Materia.",
            code="FOLDER_NOT_FOUND",
        )
    paths: list[Path] = []
    looked = time.monotonic()
    for number, path in enumerate(folder.rglob("*")):
        if time.monotonic() - looked > _LOOK_SECONDS:
            look(number)
            looked = time.monotonic()
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.is_file() and not path.is_symlink():
            paths.append(path)
    readable = sorted(path for path in paths if path.suffix.lower() in SUFFIXES)
    return readable, len(paths) - len(readable)


def unpack(
    archive: Path, target: Path, max_bytes: int, check: Callable[[], None]
) -> tuple[list[tuple[Path, str]], int]:
    """Unpack the readable members of a ZIP: their places on disk and their names in the archive, and
    how many others it has.

    Members are written under numbers, so that no name in the archive is ever a path. What is left
    of an earlier attempt is removed first.

    Raises:
        DocumentError: ``NOT_A_ZIP``, ``PASSWORD_REQUIRED``.
        TooLarge: ``ARCHIVE_TOO_LARGE``.
        MateriaError: the disk refuses (``FILE_UNREADABLE``).
    """
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    places: list[tuple[Path, str]] = []
    written = 0
    try:
        with zipfile.ZipFile(archive) as opened:
            members = [item for item in opened.infolist() if not _hidden(item)]
            wanted = [item for item in members if _suffix(item) in SUFFIXES]
            if len(wanted) > _MOST_MEMBERS:
                raise _too_large()
            for number, member in enumerate(wanted):
                check()
                place = target / f"{number}{_suffix(member)}"
                written += _write(opened, member, place, max_bytes + 1)
                if written > _LARGEST_ARCHIVE:
                    raise _too_large()
                places.append((place, member.filename))
    except OSError as error:
        # A damaged archive leads to impossible places in the file, or to data that bzip2 refuses.
        if error.errno in (None, errno.EINVAL):
            raise _damaged() from error
        raise MateriaError(
            f"The archive cannot be read or unpacked ({error.strerror}).",
            advice="Check the free disk space, then try again.",
            code="FILE_UNREADABLE",
        ) from error
    except _DAMAGED as error:
        raise _damaged() from error
    except RuntimeError as error:  # zipfile's word for an encrypted member
        raise DocumentError(
            "The archive is protected with a password.",
            advice="Unpack it and add its files.",
            code="PASSWORD_REQUIRED",
        ) from error
    return places, len(members) - len(wanted)


def _hidden(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename.replace("\\", "/"))
    hidden = any(part.startswith((".", "__MACOSX")) and part != ".." for part in path.parts)
    return member.is_dir() or hidden


def _suffix(member: zipfile.ZipInfo) -> str:
    return PurePosixPath(member.filename.replace("\\", "/")).suffix.lower()


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path, limit: int) -> int:
    """Write a member, at most `limit` bytes of it: one byte too many is refused as too large later."""
    left = limit
    with opened.open(member) as reader, place.open("wb") as writer:
        while left > 0 and (block := reader.read(min(1 << 20, left))):
            writer.write(block)
            left -= len(block)
    return limit - left


def _damaged() -> DocumentError:
    return DocumentError(
        "The file is not a ZIP archive, or a damaged one.",
        advice="Pack it again, or add its files one by one.",
        code="NOT_A_ZIP",
    )


def _too_large() -> TooLarge:
    return TooLarge(
        "The archive holds too much.",
        advice="Split it into smaller ones.",
        code="ARCHIVE_TOO_LARGE",
    )
