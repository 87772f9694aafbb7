"""What is asked of each document of a library with many: ``python -m bench.each_document``.

Over the sample's leaflets, 27 US labels and 18 guidances and drug sheets. Printed for each question: how many
documents or products have its word at all, how many of these are quoted, how many are quoted in all and how
many were asked and say nothing, and the seconds that it took, of the clock and of the processor.

Then 25 questions over the labels alone, of which is known which labels say so (each_document.toml): how many of
the documents told, of those told as certain and of the others, do, or say something near it.
"""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

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
_KNOWN = Path(__file__).with_name("each_document.toml")
_KEPT = ROOT / "build" / "bench-each-document"
_ASKED = re.compile(r"“([^”]+)”")


def main(
    keep: Annotated[Path, typer.Option(help="Folder of the library; filled once.")] = _KEPT,
) -> None:
    """Fill a library with the documents, ask all questions twice, print a line for each."""
    with closing(_workspace(keep / "library")) as workspace:
        if not workspace.library_store.has_documents():
            _fill(workspace, keep, with_others=True)
        documents = workspace.catalogue.documents()
        print(f"{len(documents)} documents, {sum(one.chunks for one in documents):,} passages")
        workspace.chat.answer("What is metformin used for?")
        for run in ("first", "again"):
            for question, word in QUESTIONS.items():
                print(f"{run}: {_line(workspace, question, re.compile(word, re.IGNORECASE))}")

    with closing(_workspace(keep / "labels-alone")) as workspace:
        if not workspace.library_store.has_documents():
            _fill(workspace, keep, with_others=False)
        for name, questions in tomllib.loads(_KNOWN.read_text("utf-8")).items():
            _print_known(workspace, name, questions)


def _workspace(folder: Path) -> Workspace:
    return open_workspace(
        load_settings(data_dir=folder, sample=False, warm_up=False, log_level="WARNING")
    )


def _fill(workspace: Workspace, keep: Path, *, with_others: bool) -> None:
    labels = DATA / "labels" / "fda_labels.json"
    names = [one["drug"] for one in json.loads(labels.read_text("utf-8"))]
    files = make_label_pdfs(labels, names, keep / "labels")
    if with_others:
        files = sorted((SAMPLE / "leaflets").iterdir()) + files
        files += sorted((DATA / "pdfs" / "drug").glob("*.pdf"))
    workspace.graph_tasks.import_folder(SAMPLE / "graph")
    for _ in workspace.library.ingest_many([Source(file, file.name) for file in files]):
        pass


def _line(workspace: Workspace, question: str, word: re.Pattern[str]) -> str:
    started, used = time.perf_counter(), time.process_time()
    answer = workspace.chat.answer(question)
    took = time.perf_counter() - started, time.process_time() - used
    quoted = {(one.document_id, one.subject) for one in answer.blocks}
    silent = _ASKED.findall(re.split("Less certain|Of [0-9]", answer.notice)[0])
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


def _print_known(workspace: Workspace, name: str, questions: list[dict[str, Any]]) -> None:
    counts: Counter[tuple[bool, str]] = Counter()
    known = 0
    for one in questions:
        answer = workspace.chat.answer(one["question"])
        told = {_label(block.file): not block.less_certain for block in answer.blocks}
        known += len(one["says"])
        for label, certain in told.items():
            said = [kind for kind in ("says", "near") if label in one[kind]]
            counts[certain, said[0] if said else "nothing"] += 1
    whole: dict[str, tuple[bool, ...]] = {
        "all": (True, False),
        "certain": (True,),
        "less certain": (False,),
    }
    for kind, marks in whole.items():
        says, near, nothing = (
            sum(counts[mark, said] for mark in marks) for said in ("says", "near", "nothing")
        )
        in_all = max(1, says + near + nothing)
        print(
            f"{name}, {kind}: {says} say so, {near} near it, {nothing} nothing; precision "
            f"{says / in_all:.3f}, with near {(says + near) / in_all:.3f}, recall "
            f"{says / known:.3f} of {known}"
        )


def _label(file: str) -> str:
    return file.removesuffix(".pdf").removesuffix("-sztn")


if __name__ == "__main__":
    typer.run(main)
