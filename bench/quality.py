"""Retrieval quality: a BEIR folder, and trec_eval's own code for nDCG, recall and reciprocal rank."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.inputs import ROOT

SCIFACT = ROOT.parent / "shared/data/retrieval/scifact_part_train"
# Chunks asked for per query: ten documents and more, also where one has several chunks.
CHUNKS_PER_QUERY = 50
NDCG, RECALL, RECIPROCAL_RANK = "ndcg_cut_10", "recall_100", "recip_rank"
_SEED = 0
Run = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Collection:
    """Titles and texts and queries by id; `relevant` is query id -> document id -> grade, above 0
    only."""

    texts: dict[str, tuple[str, str]]
    queries: dict[str, str]
    relevant: dict[str, dict[str, int]]

    @property
    def corpus(self) -> dict[str, str]:
        """Each document as one text: title, new line, text."""
        return {key: "\n".join(filter(None, pair)) for key, pair in self.texts.items()}


def load_collection(folder: Path, queries: int = 0, docs: int = 0) -> Collection:
    """A collection in BEIR layout: corpus.jsonl, queries.jsonl, qrels/test.tsv.

    Documents without text are left out.

    Args:
        queries: this many of the judged queries, drawn with a fixed seed; 0 means all.
        docs: this many documents, the relevant ones of the queries always among them; 0 means all.
    """
    texts = {
        str(row["_id"]): (str(row.get("title", "")), str(row["text"]))
        for row in _rows(folder / "corpus.jsonl")
        if row["text"].strip()
    }
    relevant: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as lines:
        next(lines)  # the column names
        for line in lines:
            query_id, document_id, grade = line.rstrip("\n").split("\t")
            if int(grade) > 0:
                relevant.setdefault(query_id, {})[document_id] = int(grade)
    asked = {str(row["_id"]): str(row["text"]) for row in _rows(folder / "queries.jsonl")}
    draw = random.Random(_SEED)
    chosen = sorted(query_id for query_id in asked if query_id in relevant)
    if 0 < queries < len(chosen):
        chosen = sorted(draw.sample(chosen, queries))
    if 0 < docs < len(texts):
        kept = {document_id for query_id in chosen for document_id in relevant[query_id]}
        others = sorted(texts.keys() - kept)
        kept.update(draw.sample(others, max(0, docs - len(kept))))
        texts = {key: text for key, text in texts.items() if key in kept}
    return Collection(
        texts,
        {query_id: asked[query_id] for query_id in chosen},
        {query_id: relevant[query_id] for query_id in chosen},
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def mean_ndcg(run: Run, relevant: Mapping[str, Mapping[str, int]]) -> float:
    """Mean nDCG@10 over all judged queries, in [0, 1]; one that found nothing counts as 0."""
    return mean_of(NDCG, run, relevant)


def mean_of(measure: str, run: Run, relevant: Mapping[str, Mapping[str, int]]) -> float:
    """Mean of a measure of trec_eval over all judged queries, in [0, 1]; one that found nothing counts
    as 0."""
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(relevant, {measure})
    scored = evaluator.evaluate({key: dict(found) for key, found in run.items() if found})
    total: float = sum(scored[key][measure] for key in relevant if key in scored)
    return total / len(relevant)


def in_order(found: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """A run from documents in the order found: trec_eval sorts by score, so that each gets one."""
    return {
        query_id: {key: float(len(documents) - place) for place, key in enumerate(documents)}
        for query_id, documents in found.items()
    }
