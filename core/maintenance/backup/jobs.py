"""Backup, restoration and check of the stores as jobs of the dashboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import Handler
from core.documents.library.verify import Verifier
from core.domain.documents import VerifyReport
from core.domain.jobs import Job, JobProgress
from core.errors import WAITED_FOR, StoreError
from core.maintenance.backup.archive import Tell
from core.maintenance.backup.restoring import Open, stage
from core.maintenance.backup.snapshot import Opened
from core.maintenance.backup.writing import backup_place, write_backup

UPKEEP_JOBS = BACKUP, RESTORE, VERIFY = "backup", "restore", "verify"


class Kept(Opened, Protocol):
    """The workspace that is looked after."""

    @property
    def verifier(self) -> Verifier: ...


class UpkeepJobs:
    """The handlers of these jobs.

    Args:
        open_folder: opens a workspace of other settings.

    Attributes:
        verified: what the last check found; None before the first.
    """

    def __init__(self, workspace: Kept, open_folder: Open) -> None:
        self._workspace = workspace
        self._open_folder = open_folder
        self.verified: VerifyReport | None = None

    def handlers(self) -> Mapping[str, Handler]:
        return {
            BACKUP: _at_once(self._backup),
            RESTORE: _at_once(self._restore),
            VERIFY: _at_once(self._verify),
        }

    def or_short(self, other: Callable[[Job], bool]) -> Callable[[Job], bool]:
        """Which jobs may pass a long one: those of `other`, and a check."""
        return lambda job: job.kind == VERIFY or other(job)

    def _backup(self, control: JobControl) -> str:
        place = backup_place(self._workspace.settings)
        made = write_backup(self._workspace, place, _teller(control))
        return f"{place.name}: {made.words}."

    def _restore(self, control: JobControl) -> str:
        """Params: ``path`` of a backup, and whether it is to be removed afterwards (``uploaded``)."""
        path = Path(control.params["path"])
        try:
            made = stage(self._workspace.settings, path, self._open_folder, _teller(control))
        finally:
            if control.params.get("uploaded"):
                path.unlink(missing_ok=True)
        return f"Ready: {made.words}. It takes the library's place when Materia starts again."

    def _verify(self, control: JobControl) -> str:
        """Params: ``repair``."""
        tell = _teller(control)
        report = self._workspace.verifier.run(
            repair=bool(control.params.get("repair")), tell=lambda stage: tell(stage, 0, 0)
        )
        self.verified = report
        return "All stores agree." if report.consistent else "The stores do not agree."


def _at_once(handler: Handler) -> Handler:
    """A handler that fails where others wait for room or a server: nothing else should wait for it."""

    def handled(control: JobControl) -> str:
        try:
            return handler(control)
        except tuple(WAITED_FOR.values()) as error:
            raise StoreError(error.message, advice=error.advice, code=error.code) from error

    return handled


def _teller(control: JobControl) -> Tell:
    def tell(stage: str, done: int, whole: int) -> None:
        control.check()
        fraction = done / whole if whole else 0.0
        control.report(JobProgress(stage, done=done, files=whole, fraction=fraction))

    return tell
