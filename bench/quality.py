"""Retrieval quality: a BEIR folder, and nDCG@10 by trec_eval's own code."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.inputs import ROOT

SCIFACT = ROOT.parent / "shared/data/retrieval/scifact_part_train"
# Chunks asked for per query: ten documents and more, also where one has several chunks.
CHUNKS_PER_QUERY = 50
_MEASURE = "ndcg_cut_10"
_SEED = 0
Run = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts and queries by id; `relevant` is query id -> document id -> grade, above 0 only."""

    corpus: dict[str, str]
    queries: dict[str, str]
    relevant: dict[str, dict[str, int]]


def load_collection(folder: Path, queries: int = 0, docs: int = 0) -> Collection:
    """A collection in BEIR layout: corpus.jsonl, queries.jsonl, qrels/test.tsv.

    Args:
        queries: this many of the judged queries, drawn with a fixed seed; 0 means all.
        docs: this many documents, the relevant ones of the queries always among them; 0 means all.
    """
    corpus = {
        str(row["_id"]): "\n".join(filter(None, (row.get("title", ""), row["text"])))
        for row in _rows(folder / "corpus.jsonl")
    }
    relevant: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as lines:
        next(lines)  # the column names
        for line in lines:
            query_id, document_id, grade = line.rstrip("\n").split("\t")
            if int(grade) > 0:
                relevant.setdefault(query_id, {})[document_id] = int(grade)
    texts = {str(row["_id"]): str(row["text"]) for row in _rows(folder / "queries.jsonl")}
    draw = random.Random(_SEED)
    chosen = sorted(query_id for query_id in texts if query_id in relevant)
    if 0 < queries < len(chosen):
        chosen = sorted(draw.sample(chosen, queries))
    if 0 < docs < len(corpus):
        kept = {document_id for query_id in chosen for document_id in relevant[query_id]}
        others = sorted(corpus.keys() - kept)
        kept.update(draw.sample(others, max(0, docs - len(kept))))
        corpus = {key: text for key, text in corpus.items() if key in kept}
    return Collection(
        corpus,
        {query_id: texts[query_id] for query_id in chosen},
        {query_id: relevant[query_id] for query_id in chosen},
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def mean_ndcg(run: Run, relevant: Mapping[str, Mapping[str, int]]) -> float:
    """Mean nDCG@10 over all judged queries, in [0, 1]; one that found nothing counts as 0."""
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(relevant, {_MEASURE})
    scored = evaluator.evaluate({key: dict(found) for key, found in run.items() if found})
    total: float = sum(scored[key][_MEASURE] for key in relevant if key in scored)
    return total / len(relevant)
