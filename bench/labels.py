"""The product over ten US labels, a leaflet, a study and three guidances, asked questions by people who saw
these documents alone: ``make bench-labels``. Nothing was fitted to these documents or questions."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bench.inputs import ROOT
from core.cli.evaluate import print_scores
from core.documents.library.outcomes import Source
from core.evaluation.evaluator import Evaluator
from core.evaluation.questions import read_questions
from core.maintenance.sample import SAMPLE
from core.settings import Settings, load_settings
from core.workspace import open_workspace
from train.label_pdfs import make_label_pdfs

DATA = ROOT.parent / "shared" / "data"
QUESTIONS = {n: ROOT / "bench" / "questions" / f"labels_judge{n}.jsonl" for n in (1, 2, 3)}
LABELS = (
    "alemtuzumab", "cladribine", "dalfampridine", "gabapentin", "interferon_beta-1a", "methylprednisolone",
    "natalizumab-sztn", "ofatumumab", "siponimod", "teriflunomide",
)  # fmt: skip
PDFS = (
    "aia4p_DrugB", "fdaguid_CMC_Stability_Testing_Drug_Products",
    "fdaguid_Clinical_Pharmacology_Bioavailability_Studies", "fdaguid_NDA_BLA_Refuse_to_File",
    "mahi_Amoxicillin",
)  # fmt: skip
_KEPT = ROOT / "build" / "bench-labels"


def main(
    keep: Annotated[Path, typer.Option(help="Folder of the library; filled once.")] = _KEPT,
    only: Annotated[int, typer.Option(help="One of the three sets, 1 to 3; 0 for all.")] = 0,
) -> None:
    """Fill a library with the documents, ask all questions, print the measures, also by language."""
    files = make_label_pdfs(DATA / "labels" / "fda_labels.json", LABELS, keep / "labels")
    files += [DATA / "pdfs" / "drug" / f"{name}.pdf" for name in PDFS]
    with closing(open_workspace(_settings(keep))) as workspace:
        if not workspace.library_store.has_documents():
            workspace.graph_tasks.import_folder(SAMPLE / "graph")
            for result in workspace.library.ingest_many([Source(f, f.name) for f in files]):
                if result.state != "ready":
                    raise SystemExit(f"{result.file}: {result.message}")
        chosen = [path for n, path in QUESTIONS.items() if only in (0, n)]
        questions = [one for path in chosen for one in read_questions(path)]
        print_scores(replace(Evaluator(workspace).evaluate("labels", questions), by_kind={}))


def _settings(keep: Path) -> Settings:
    return load_settings(
        data_dir=keep / "library",
        llm_provider="openai",
        llm_api_key="",
        sample=False,
        warm_up=False,
        log_level="WARNING",
    )


if __name__ == "__main__":
    typer.run(main)
