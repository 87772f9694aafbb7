"""What the analyst hands in becomes jobs: uploads, folders, abstracts, indexes to embed anew; and the
answers to what jobs ask."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path

from core.documents.jobs.index_work import MOVE, RE_EMBED, RENAME
from core.documents.jobs.runner import JobRunner
from core.documents.jobs.tasks import ABSTRACTS_FILE, ARCHIVE, FILES, FOLDER, Tasks
from core.documents.library.abstracts import check_limit
from core.documents.library.indexes import Indexes
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import IngestResult, OnConflict
from core.reserve import full_disk_told


class Submissions:
    """Queues work; bytes that were handed in are on disk before a job is."""

    def __init__(self, jobs: JobRunner, tasks: Tasks, indexes: Indexes) -> None:
        self._jobs = jobs
        self._tasks = tasks
        self._indexes = indexes

    def uploads(
        self,
        files: Sequence[tuple[str, bytes | Path]],
        *,
        index: str = LEAFLETS,
        password: str = "",
        on_conflict: OnConflict = OnConflict.ASK,
    ) -> list[str]:
        """Queue uploaded files; the jobs' ids. The bytes are on disk when this returns.

        A ZIP archive becomes a job of its own; all other files are one job.

        Args:
            files: names and bytes, or a file to move in.

        Raises:
            DiskFull: there is no room for them.
        """
        plain = [file for file in files if not _is_archive(file[0])]
        groups = [plain] if plain else []
        groups += [[file] for file in files if _is_archive(file[0])]
        submitted = []
        for group in groups:
            job_id = uuid.uuid4().hex
            stored = self._store_uploads(job_id, group)
            name = group[0][0] if len(group) == 1 else f"{len(group)} files"
            kind = FILES if group is plain else ARCHIVE
            work = {"files": stored} if kind == FILES else {"path": stored[0]["path"]}
            params = {**work, "index": index, "on_conflict": str(on_conflict)}
            submitted.append(self._jobs.submit(kind, name, params, job_id=job_id, secret=password))
        return submitted

    def _store_uploads(
        self, job_id: str, files: Sequence[tuple[str, bytes | Path]]
    ) -> list[dict[str, str]]:
        stored = []
        try:
            with full_disk_told():
                folder = self._tasks.folder_of(job_id)
                folder.mkdir(parents=True)
                for number, (name, data) in enumerate(files):
                    path = folder / f"{number}.upload"
                    if isinstance(data, Path):
                        shutil.move(data, path)
                    else:
                        path.write_bytes(data)
                    stored.append({"path": str(path), "name": name})
        except BaseException:
            self._tasks.forget(job_id)
            raise
        return stored

    def _keep_upload(self, job_id: str, upload: Path) -> Path:
        """Another job's upload for this job too: a crash must find it under the one or the other."""
        folder = self._tasks.folder_of(job_id)
        folder.mkdir(parents=True)
        kept = folder / f"0{upload.suffix}"
        try:
            kept.hardlink_to(upload)
        except OSError:  # a file system without links
            shutil.copyfile(upload, kept)
        return kept

    def folder(
        self, folder: Path, *, index: str = LEAFLETS, on_conflict: OnConflict = OnConflict.ASK
    ) -> str:
        """Queue all readable files of a folder on this machine as one job; its id."""
        params = {"path": str(folder), "index": index, "on_conflict": str(on_conflict)}
        return self._jobs.submit(FOLDER, folder.name or str(folder), params)

    def abstracts(self, name: str, data: bytes | Path, limit: int | None = None) -> str:
        """Queue an arXiv JSON file, uploaded or (a path) on this machine; the job's id."""
        check_limit(limit)
        job_id = uuid.uuid4().hex
        path = data if isinstance(data, Path) else None
        if path is None:
            (stored,) = self._store_uploads(job_id, [(name, data)])
            path = Path(stored["path"])
        params = {"path": str(path), "limit": limit}
        return self._jobs.submit(ABSTRACTS_FILE, name, params, job_id=job_id)

    def re_embed(self, index: str, model: str = "") -> str:
        """Queue the embedding of an index with this model ("": the configured one); the job's id.

        Raises:
            NotFound: no such index.
            ModelError: the model cannot be loaded; nothing is queued.
        """
        self._indexes.check_model(index, model)
        params = {"index": index, "model": model}
        return self._jobs.submit(RE_EMBED, f"Embed “{index}” anew", params)

    def rename(self, index: str, name: str) -> str:
        """Queue the renaming of an index; the job's id.

        Raises:
            NotFound, InputError, Conflict: see `Indexes.rename`; nothing is queued.
        """
        self._indexes.check_new_name(index, name)
        params = {"index": index, "name": name}
        return self._jobs.submit(RENAME, f"Rename “{index}” to “{name}”", params)

    def move(self, document_ids: Sequence[str], index: str, *, copy: bool = False) -> str:
        """Queue the moving, or copying, of documents to an index; the job's id.

        Raises:
            NotFound, EmbeddingMismatch, InputError: see `Relocation.check`; nothing is queued.
        """
        self._tasks.relocation.check(document_ids, index)
        number = f"{len(document_ids)} document{'' if len(document_ids) == 1 else 's'}"
        name = f"{'Copy' if copy else 'Move'} {number} to “{index}”"
        params = {"documents": list(document_ids), "index": index, "copy": copy}
        return self._jobs.submit(MOVE, name, params)

    def decide(
        self,
        job_id: str,
        item: IngestResult,
        on_conflict: OnConflict | None = OnConflict.ASK,
        password: str = "",
    ) -> None:
        """Answer a job's question about a file: which version is kept, or its password; None
        leaves the file out. A question that was answered before is ignored.

        Args:
            on_conflict: ASK keeps to what was decided for the job, so that a file that is to replace
                another and has a password is asked about each only once.
        """
        job = self._jobs.job(job_id)
        if job is None or all(item.source != question.source for question in job.questions):
            return
        if on_conflict is not None:
            path = Path(item.source)
            new_id = uuid.uuid4().hex
            if path.is_relative_to(self._tasks.folder_of(job_id)):
                self._jobs.bring(job_id)
                path = self._keep_upload(new_id, path)
            if on_conflict is OnConflict.ASK:
                on_conflict = OnConflict(job.params["on_conflict"])
            params = {
                "files": [{"path": str(path), "name": item.file}],
                "index": job.params["index"],
                "on_conflict": str(on_conflict),
            }
            self._jobs.submit(FILES, item.file, params, job_id=new_id, secret=password)
        self._jobs.answer(job_id, item.source)


def _is_archive(name: str) -> bool:
    return name.lower().endswith(".zip")
