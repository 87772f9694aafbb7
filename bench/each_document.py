"""What is asked of each document of a library with many: ``python -m bench.each_document``.

Over the sample's leaflets, 27 US labels and 18 guidances and drug sheets. Printed for each question: how many
documents or products have its word at all, how many of these are quoted, how many are quoted in all and how
many were asked and say nothing, and the seconds that it took, of the clock and of the processor.
"""

from __future__ import annotations

import json
import re
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from bench.inputs import ROOT
from bench.labels import DATA
from core.documents.library.outcomes import Source
from core.maintenance.sample import SAMPLE
from core.settings import load_settings
from core.workspace import Workspace, open_workspace
from train.label_pdfs import make_label_pdfs

# With what stands in a passage that may say something of it.
QUESTIONS = {
    "Which of my medicines must not be taken with grapefruit?": "grapefruit",
    "Which medicines must not be taken with grapefruit juice?": "grapefruit",
    "Which leaflets say something on driving?": r"\bdriv(?:e|ing)\b",
    "Which of my medicines may be crushed?": r"\bcrush",
    "Which of my medicines must be kept in the fridge?": "refrigerat|fridge",
    "Which of my medicines contain lactose?": "lactose",
    "Which of my medicines must not be taken with St John's wort?": r"john.s wort",
    "Which of my medicines must not be given with live vaccines?": r"\blive\b.{0,20}vaccin",
    "Welche meiner Medikamente darf ich nicht mit Grapefruitsaft nehmen?": "grapefruit",
}
_KEPT = ROOT / "build" / "bench-each-document"
_ASKED = re.compile(r"“([^”]+)”")


def main(
    keep: Annotated[Path, typer.Option(help="Folder of the library; filled once.")] = _KEPT,
) -> None:
    """Fill a library with the documents, ask all questions twice, print a line for each."""
    settings = load_settings(
        data_dir=keep / "library", sample=False, warm_up=False, log_level="WARNING"
    )
    with closing(open_workspace(settings)) as workspace:
        if not workspace.library_store.has_documents():
            _fill(workspace, keep)
        documents = workspace.catalogue.documents()
        print(f"{len(documents)} documents, {sum(one.chunks for one in documents):,} passages")
        workspace.chat.answer("What is metformin used for?")
        for run in ("first", "again"):
            for question, word in QUESTIONS.items():
                print(f"{run}: {_line(workspace, question, re.compile(word, re.IGNORECASE))}")


def _fill(workspace: Workspace, keep: Path) -> None:
    labels = DATA / "labels" / "fda_labels.json"
    names = [one["drug"] for one in json.loads(labels.read_text("utf-8"))]
    files = sorted((SAMPLE / "leaflets").iterdir()) + make_label_pdfs(
        labels, names, keep / "labels"
    )
    files += sorted((DATA / "pdfs" / "drug").glob("*.pdf"))
    workspace.graph_tasks.import_folder(SAMPLE / "graph")
    workspace.library.ingest_many([Source(file, file.name) for file in files])


def _line(workspace: Workspace, question: str, word: re.Pattern[str]) -> str:
    started, used = time.perf_counter(), time.process_time()
    answer = workspace.chat.answer(question)
    took = time.perf_counter() - started, time.process_time() - used
    quoted = {(one.document_id, one.subject) for one in answer.blocks}
    silent = _ASKED.findall(answer.notice.partition("This asks")[0])
    having = {
        one.subject: any(
            word.search(chunk.text)
            for chunk in workspace.library_store.document_chunks(one.id)
            if one.tells(chunk)
        )
        for whole in workspace.catalogue.documents()
        for one in whole.each()
    }
    with_word = {key for key, has in having.items() if has}
    return (
        f"{question} {len(with_word)} have the word, {len(with_word & quoted)} of these quoted, "
        f"{len(quoted)} quoted, {len(set(silent))} asked without an answer; "
        f"{took[0]:.1f} s, {took[1]:.1f} s of the processor"
    )


if __name__ == "__main__":
    typer.run(main)
