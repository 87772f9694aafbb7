"""The product over ten US labels, a leaflet, a study and three guidances, asked questions by people who saw
these documents alone: ``make bench-labels``. Nothing was fitted to these documents or questions.

Set 4 asks whose number it is, over the labels and six leaflets, in a library of its own: ``--only 4`` asks the
half that judges (``labels_judge4.jsonl``), ``--looked-at`` with it the half whose failures may be looked at
(``labels_dev4.jsonl``). The halves are by document: every second one in the order of their names is looked at.
"""

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
WHOSE, WHOSE_LOOKED_AT = (
    ROOT / "bench" / "questions" / f"labels_{name}4.jsonl" for name in ("judge", "dev")
)
LABELS = (
    "alemtuzumab", "cladribine", "dalfampridine", "gabapentin", "interferon_beta-1a", "methylprednisolone",
    "natalizumab-sztn", "ofatumumab", "siponimod", "teriflunomide",
)  # fmt: skip
PDFS = (
    "aia4p_DrugB", "fdaguid_CMC_Stability_Testing_Drug_Products",
    "fdaguid_Clinical_Pharmacology_Bioavailability_Studies", "fdaguid_NDA_BLA_Refuse_to_File",
    "mahi_Amoxicillin",
)  # fmt: skip
WHOSE_PDFS = (
    "aia4p_DrugA", "aia4p_DrugB", "mahi_Acetaminophen", "mahi_Amoxicillin", "mahi_Ibuprofen", "mahi_aspirin",
)  # fmt: skip
_WHOSE = 4
_KEPT = ROOT / "build" / "bench-labels"


def main(
    keep: Annotated[Path, typer.Option(help="Folder of the library; filled once.")] = _KEPT,
    only: Annotated[int, typer.Option(help="One of the sets, 1 to 4; 0 for the first three.")] = 0,
    looked_at: Annotated[bool, typer.Option(help="Of set 4 the half that is looked at.")] = False,
) -> None:
    """Fill a library with the documents, ask all questions, print the measures, also by language."""
    if only == _WHOSE:
        keep = keep / "whose"
    files = make_label_pdfs(DATA / "labels" / "fda_labels.json", LABELS, keep / "labels")
    pdfs = WHOSE_PDFS if only == _WHOSE else PDFS
    files += [DATA / "pdfs" / "drug" / f"{name}.pdf" for name in pdfs]
    with closing(open_workspace(_settings(keep))) as workspace:
        if not workspace.library_store.has_documents():
            workspace.graph_tasks.import_folder(SAMPLE / "graph")
            for result in workspace.library.ingest_many([Source(f, f.name) for f in files]):
                if result.state != "ready":
                    raise SystemExit(f"{result.file}: {result.message}")
        chosen = [path for n, path in QUESTIONS.items() if only in (0, n)]
        if only == _WHOSE:
            chosen = [WHOSE_LOOKED_AT if looked_at else WHOSE]
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
