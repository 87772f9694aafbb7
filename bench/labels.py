"""The product over ten US labels, a leaflet, a study and three guidances, asked questions by people who saw
these documents alone: ``make bench-labels``. Nothing was fitted to these documents or questions.

Set 4 asks whose number it is, over the labels and six leaflets, in a library of its own: ``--only 4`` asks the
half that judges (``labels_judge4.jsonl``), ``--looked-at`` with it the half whose failures may be looked at
(``labels_dev4.jsonl``). The halves are by document: every second one in the order of their names is looked at.

Set 5 asks for what is said beside a dose (``--only 5``, ``--looked-at`` as above): warnings of the patient's
own illness, footnotes, makers, times, and what is absent. Each half has documents and a library of its own.

Sets 6 to 10 are over the documents of the first three (``--only 6``), each by a further author, set 9 by
two; set 8 is in German and Dutch, set 10 has the first, general questions on a medicine ("dosage of X").
Set 11 holds medicines against each other; its looked-at half, over other labels, has further kinds too.

Set 12 asks in English of German and Dutch leaflets, invented ones; its looked-at half says what German and
Dutch training questions ask, in English by another author.

Set 13 asks of five papers, invented ones; its looked-at half of the twenty-three of ``train/papers``, by which
the model that reads papers was taught.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
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
from core.workspace import Workspace, open_workspace
from train.label_pdfs import make_label_pdfs

DATA = ROOT.parent / "shared" / "data"
QUESTIONS = {
    n: ROOT / "bench" / "questions" / f"labels_judge{n}.jsonl"
    for n in (1, 2, 3, 6, 7, 8, 9, 10, 11)
}
LABELS = (
    "alemtuzumab", "cladribine", "dalfampridine", "gabapentin", "interferon_beta-1a", "methylprednisolone",
    "natalizumab-sztn", "ofatumumab", "siponimod", "teriflunomide",
)  # fmt: skip
LABELS_LOOKED_AT = (
    "baclofen", "fingolimod", "modafinil", "monomethyl_fumarate", "natalizumab", "ozanimod",
    "peginterferon_beta-1a", "ponesimod", "tizanidine", "ublituximab",
)  # fmt: skip
LABELS_HELD_AGAINST = (
    "baclofen", "dimethyl_fumarate", "fingolimod", "interferon_beta-1b", "mitoxantrone", "modafinil",
    "monomethyl_fumarate", "natalizumab", "ocrelizumab", "ozanimod", "peginterferon_beta-1a", "ponesimod",
    "tizanidine", "ublituximab",
)  # fmt: skip
PDFS = (
    "aia4p_DrugB", "fdaguid_CMC_Stability_Testing_Drug_Products",
    "fdaguid_Clinical_Pharmacology_Bioavailability_Studies", "fdaguid_NDA_BLA_Refuse_to_File",
    "mahi_Amoxicillin",
)  # fmt: skip
WHOSE_PDFS = (
    "aia4p_DrugA", "aia4p_DrugB", "mahi_Acetaminophen", "mahi_Amoxicillin", "mahi_Ibuprofen", "mahi_aspirin",
)  # fmt: skip
BESIDE_PDFS = ("aia4p_DrugB", "mahi_Amoxicillin", "mahi_aspirin")
BESIDE_PDFS_LOOKED_AT = ("aia4p_DrugA", "mahi_Acetaminophen", "mahi_Ibuprofen")
GERMAN_AND_DUTCH = ("Nimorvan", "Paltexin", "Sorvidol", "Velotrine")
PRINTED = range(14, 88)
_TOGETHER = (1, 2, 3)
_KEPT = ROOT / "build" / "bench-labels"


@dataclass(frozen=True, slots=True)
class Asked:
    """Question files, and the documents that they are asked of.

    Attributes:
        library: folder of the library under the one that is kept.
        leaflets: those that were invented to learn from.
        papers: a folder of papers, or of other invented documents.
    """

    questions: tuple[Path, ...]
    labels: tuple[str, ...]
    pdfs: tuple[str, ...]
    library: str = ""
    leaflets: tuple[str, ...] = ()
    papers: Path | None = None


def asked(only: int, looked_at: bool) -> Asked:
    """What a choice of sets asks; of sets 4, 5 and 11 to 13 one half."""
    half = "dev" if looked_at else "judge"
    own = (ROOT / "bench" / "questions" / f"labels_{half}{only}.jsonl",)
    if only == 4:
        return Asked(own, LABELS, WHOSE_PDFS, "whose")
    if only == 5:
        if looked_at:
            return Asked(own, LABELS_LOOKED_AT, BESIDE_PDFS_LOOKED_AT, "beside-looked-at")
        return Asked(own, LABELS, BESIDE_PDFS, "beside")
    if only == 11 and looked_at:
        return Asked(own, LABELS_HELD_AGAINST, (), "held-looked-at")
    if only == 12:
        return Asked(own, (), (), "german-and-dutch", GERMAN_AND_DUTCH)
    if only == 13 and looked_at:
        taught = (ROOT / "train" / "questions" / "papers.jsonl",)
        return Asked(taught, (), (), "papers-looked-at", papers=ROOT / "train" / "papers")
    if only == 13:
        return Asked(own, (), (), "papers", papers=ROOT / "bench" / "papers" / "judge")
    if only in PRINTED:
        return Asked(own, (), (), f"printed-{only}", papers=ROOT / "bench" / "printed" / str(only))
    chosen = (only,) if only else _TOGETHER
    return Asked(tuple(QUESTIONS[n] for n in chosen), LABELS, PDFS)


def main(
    keep: Annotated[Path, typer.Option(help="Folder of the library; filled once.")] = _KEPT,
    only: Annotated[int, typer.Option(help="One of the sets, 1 to 50; 0 for the first three.")] = 0,
    looked_at: Annotated[
        bool, typer.Option(help="Of sets 4, 5 and 11 to 13 the half that is looked at.")
    ] = False,
) -> None:
    """Fill a library with the documents, ask all questions, print the measures, also by language."""
    chosen = asked(only, looked_at)
    with closing(library_of(chosen, keep)) as workspace:
        questions = [one for path in chosen.questions for one in read_questions(path)]
        print_scores(replace(Evaluator(workspace).evaluate("labels", questions), by_kind={}))


def library_of(chosen: Asked, keep: Path) -> Workspace:
    """The library that a choice of sets is asked of, in a folder of its own under `keep`; filled once.

    Raises:
        SystemExit: a file cannot be read.
    """
    keep = keep / chosen.library
    files = make_label_pdfs(DATA / "labels" / "fda_labels.json", chosen.labels, keep / "labels")
    files += [DATA / "pdfs" / "drug" / f"{name}.pdf" for name in chosen.pdfs]
    files += [ROOT / "train" / "leaflets" / f"{name}.md" for name in chosen.leaflets]
    if chosen.papers is not None:
        files += sorted(chosen.papers.glob("*.pdf"))
    workspace = open_workspace(kept_settings(keep))
    fill_once(workspace, files)
    return workspace


def fill_once(workspace: Workspace, files: Sequence[Path]) -> None:
    """Take the sample's graph and documents into a library that has none.

    Raises:
        SystemExit: a file cannot be read.
    """
    if workspace.library_store.has_documents():
        return
    workspace.graph_tasks.import_folder(SAMPLE / "graph")
    for result in workspace.library.ingest_many([Source(one, one.name) for one in files]):
        if result.state != "ready":
            raise SystemExit(f"{result.file}: {result.message}")


def kept_settings(keep: Path) -> Settings:
    """Those of a library that a benchmark keeps: without a model, and without the sample."""
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
