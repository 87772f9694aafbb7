"""Jobs that change indexes: embedded anew, renamed, documents moved or copied from one to another."""

from __future__ import annotations

from collections import Counter

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import Handler
from core.documents.library.indexes import Indexes
from core.documents.library.outcomes import Progress, Report
from core.documents.moving.relocation import Relocation
from core.domain.jobs import JobProgress
from core.errors import WAITED_FOR, Cancelled

RE_EMBED, RENAME, MOVE = "re-embed", "rename", "move"


class IndexWork:
    """The handlers of these jobs. Begun again after a crash, each goes on where it was."""

    def __init__(self, indexes: Indexes, relocation: Relocation) -> None:
        self._indexes = indexes
        self._relocation = relocation

    def handlers(self) -> dict[str, Handler]:
        """By kind of job."""
        return {RE_EMBED: self.re_embed, RENAME: self.rename, MOVE: self.move}

    def re_embed(self, control: JobControl) -> str:
        """Params: ``index``, ``model`` (absent or "": the configured one)."""
        name, model = str(control.params["index"]), str(control.params.get("model", ""))
        index = self._indexes.re_embed(
            name, model, report=_told(control, name), cancelled=control.cancelled
        )
        return f"“{name}” is served by {index.model} now."

    def rename(self, control: JobControl) -> str:
        """Params: ``index``, ``name``."""
        name, new_name = str(control.params["index"]), str(control.params["name"])
        if not (control.resumed and self._indexes.is_called(name, new_name)):
            self._indexes.rename(
                name, new_name, report=_told(control, name), cancelled=control.cancelled
            )
        return f"“{name}” is called “{new_name}” now."

    def move(self, control: JobControl) -> str:
        """Params: ``documents`` (ids), ``index``, ``copy``."""
        ids, index = [str(one) for one in control.params["documents"]], str(control.params["index"])
        work = self._relocation.copy if control.params["copy"] else self._relocation.move
        done: Counter[str] = Counter()
        for number, document_id in enumerate(ids):
            if control.cancelled():
                raise Cancelled(f"It was cancelled; {number} of {len(ids)} documents were done.")

            def report(progress: Progress, number: int = number) -> None:
                share = progress.chunks / progress.total if progress.total else 0.0
                control.report(
                    JobProgress(
                        progress.stage,
                        done=number,
                        files=len(ids),
                        chunks=progress.chunks,
                        fraction=(number + share) / len(ids),
                    )
                )

            report(Progress("copying" if control.params["copy"] else "moving"))
            result = work(document_id, index, report=report, cancelled=control.cancelled)
            if kind := WAITED_FOR.get(result.code):
                raise kind(result.message, retryable=True)
            if result.state == "cancelled":
                raise Cancelled(f"It was cancelled; {number} of {len(ids)} documents were done.")
            control.item(result)
            done[result.state] += 1
        verb = "copied" if control.params["copy"] else "moved"
        left = f"; {len(ids) - done['ready']} left out" if done["ready"] < len(ids) else ""
        noun = "document" if len(ids) == 1 else "documents"
        return f"{done['ready']} of {len(ids)} {noun} {verb} to “{index}”{left}."


def _told(control: JobControl, name: str) -> Report:
    def report(progress: Progress) -> None:
        share = progress.chunks / progress.total if progress.total else 0.0
        control.report(JobProgress(progress.stage, name, 0, 0, 0, progress.chunks, fraction=share))

    return report
