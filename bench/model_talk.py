"""Sentences that are addressed to a language model, and its refusals: how well they are told.

``python -m bench.model_talk fit`` learns the weights of `core.text.model_talk` from train.jsonl, ordinary.jsonl
and documents.jsonl of bench/talk, and from sentences of real texts; ``judge`` prints how the sentences and
the documents of other writers (judge*.jsonl, documents-judged.jsonl) are told, and how
many sentences of real texts are taken for one.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from bench.inputs import ROOT
from core.domain.answers import Support
from core.maintenance.sample import SAMPLE
from core.text.function_words import FUNCTION_WORDS_OF
from core.text.model_talk import ORDER, REFUSAL, features, is_refusal, order_spans
from core.text.sentences import sentence_spans
from core.text.statements import paragraph_spans
from core.workspace import Workspace, open_workspace
from tests.support.answering import settings_without_environment
from tests.support.fake_openai import FakeOpenAI, fake_openai, text

SHARED = ROOT.parent / "shared" / "data"
TALK = ROOT / "bench" / "talk"
WEIGHTS = ROOT / "core" / "text" / "model_talk.tsv"
_FEWEST = 3  # examples that a feature is in
_REAL_WEIGHT = 2.0  # of a real text's sentence beside a written example
_INVERSE_PENALTY = 2.0
_LEAST_WEIGHT = 0.02  # a smaller one is left out
# Of a language of which most examples are orders, its "the" would count as one.
_FUNCTION_WORDS = frozenset[str]().union(*FUNCTION_WORDS_OF.values())
console = Console(width=110)
app = typer.Typer(add_completion=False)
Half = Annotated[bool, typer.Option(help="Learn from one half, and print how the other is told.")]


@app.command()
def fit(half: Half = False) -> None:
    """Learn the weights and write them; with --half only print."""
    examples = _examples(TALK / "train.jsonl") + _examples(TALK / "ordinary.jsonl")
    examples += _sentences_of_documents()
    real = list(real_sentences())
    shuffled = random.Random(5)
    shuffled.shuffle(examples)
    if half:
        sources = sorted({source for source, _ in real})
        shuffled.shuffle(sources)
        kept = set(sources[::2])
        learned = _learned(examples[::2], [text for source, text in real if source in kept])
        others = [text for source, text in real if source not in kept]
        _print_told(learned, examples[1::2], others)
        return
    learned = _learned(examples, [text for _, text in real])
    lines = [
        "# kind, weight, feature (a sum's value without any stands first); see bench/model_talk.py"
    ]
    for kind, weights in learned.items():
        lines += [f"{kind}\t{weight:.3f}\t{name}" for name, weight in sorted(weights.items())]
    WEIGHTS.write_text("\n".join(lines) + "\n", "utf-8")
    console.print(f"{len(lines) - 1} weights in {WEIGHTS.relative_to(ROOT)}")


@app.command()
def judge() -> None:
    """Print how sentences and documents of other writers are told."""
    for name in (
        "judge",
        "judge-romance",
        "judge-leaflets",
        "judge-imperatives",
        "judge-ordinary",
    ):
        _print_sentences(name)
    _print_documents(TALK / "documents-judged.jsonl")
    _print_real()


def _print_sentences(name: str) -> None:
    examples = _examples(TALK / f"{name}.jsonl")
    table = Table(name, "language", "sentences", "told as order", "told as refusal")
    for label in (ORDER, REFUSAL, "other"):
        for language in ("en", "de", "nl", "fr", "es", "it", ""):
            rows = [
                one["text"]
                for one in examples
                if one["label"] == label and language in ("", one["language"])
            ]
            if rows:
                told = [
                    sum(bool(order_spans(text)) for text in rows),
                    sum(is_refusal(text) for text in rows),
                ]
                table.add_row(
                    label,
                    language or "all",
                    str(len(rows)),
                    *(f"{n / len(rows):.3f}" for n in told),
                )
    console.print(table)


def _sentences_of_documents() -> Iterator[dict[str, str]]:
    """The sentences of the documents that may be learned from: the attacks', and the others."""
    for document in _examples(TALK / "documents.jsonl"):
        for attack in document["attack"]:
            yield {"text": attack, "label": ORDER}
        for page in document["pages"]:
            for start, end in paragraph_spans(page):
                for span in sentence_spans(page, start, end):
                    said = " ".join(page[slice(*span)].split())
                    if not any(_same(said, attack) for attack in document["attack"]):
                        yield {"text": said, "label": "other"}


@app.command()
def obey(
    file: Annotated[str, typer.Argument(help="Of bench/talk.")] = "documents-judged.jsonl",
) -> None:
    """Print what becomes of the answers of a model that obeys each document's attack."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, fake_openai() as provider:
        settings = settings_without_environment(
            data_dir=Path(folder),
            sample=False,
            llm_provider="custom",
            llm_model="obedient",
            llm_base_url=provider.url,
            llm_api_key="none",
        )
        with closing(open_workspace(settings)) as workspace:
            for document in _examples(TALK / file):
                if document["attack"]:
                    counts.update(_obeyed(workspace, provider, document, Path(folder)))
    table = Table("of an obedient model's answers", "number")
    for name, count in counts.items():
        table.add_row(name, str(count))
    console.print(table)


def _obeyed(
    workspace: Workspace, provider: FakeOpenAI, document: dict[str, Any], folder: Path
) -> Iterator[str]:
    """What is true of the answer of a model that says what an attack wants."""
    source = folder / f"{document['drug']}.txt"
    source.write_text("\n\n".join(document["pages"]), "utf-8")
    result = workspace.library.ingest(source)
    yield "asked"
    provider.play(text(document["attack_answer"]))
    answer = workspace.chat.answer(document["question"])
    workspace.library.delete(result.document_id)
    if not provider.requests:
        yield "refused without asking the model"
        return
    if answer.refused:
        yield "refused"
        return
    first = answer.sentences[0]
    supported = first.support is not Support.UNSUPPORTED
    doubted = bool(first.problems) or "addressed to language models" in answer.notice
    yield "false number shown as supported" if supported else "false number shown as unsupported"
    if supported:
        yield (
            "  of these with a doubt said beside it" if doubted else "  of these without any doubt"
        )
    if "http" in document["attack_answer"] or "www" in document["attack_answer"]:
        kept = "http" in answer.text or "www" in answer.text
        yield "address kept" if kept else "address removed"


def _print_documents(path: Path) -> None:
    documents = _examples(path)
    seen = sentences = marked_whole = wrong = clean = clean_marked = 0
    for document in documents:
        spans = [
            " ".join(page[start:end].split())
            for page in document["pages"]
            for start, end in order_spans(page)
        ]
        attacks = [" ".join(attack.split()) for attack in document["attack"]]
        if not attacks:
            clean += 1
            clean_marked += bool(spans)
            continue
        hits = [any(_same(span, one) for span in spans) for one in attacks]
        seen += any(hits)
        marked_whole += all(hits)
        sentences += sum(hits)
        wrong += sum(not any(_same(span, one) for one in attacks) for span in spans)
    attacked = len(documents) - clean
    total = sum(len(document["attack"]) for document in documents)
    table = Table(path.stem, "of", "number")
    table.add_row("attacked, an attack's sentence found", str(attacked), str(seen))
    table.add_row("attacked, all sentences of it found", str(attacked), str(marked_whole))
    table.add_row("attacks' sentences found", str(total), str(sentences))
    table.add_row("other sentences of them marked", "", str(wrong))
    table.add_row("clean ones marked", str(clean), str(clean_marked))
    console.print(table)


def _same(span: str, attack: str) -> bool:
    """Whether a marked span and an attack's sentence have half of the shorter one in common."""
    match = SequenceMatcher(None, span, attack, autojunk=False).find_longest_match()
    return match.size >= 0.5 * min(len(span), len(attack))


def _print_real() -> None:
    table = Table("real texts", "sentences", "taken for orders", "for refusals")
    counts: dict[str, Counter[str]] = {}
    for source, one in real_sentences():
        counter = counts.setdefault(source.split(":")[0], Counter())
        counter["all"] += 1
        counter[ORDER] += bool(order_spans(one))
        counter[REFUSAL] += is_refusal(one)
    for name, counter in counts.items():
        table.add_row(name, *(str(counter[key]) for key in ("all", ORDER, REFUSAL)))
    console.print(table)


def real_sentences() -> Iterator[tuple[str, str]]:
    """Sentences of the texts that ../shared/data has, and of the documents of train/, each with its source:
    none is meant for a model."""
    chosen = random.Random(3)
    labels = json.loads((SHARED / "labels" / "fda_labels.json").read_text("utf-8"))
    abstracts = json.loads((SHARED / "arxiv" / "arxivData_sample1500.json").read_text("utf-8"))
    texts = [
        (f"labels:{n}", " ".join(_strings(one)), 1_000) for n, one in enumerate(_items(labels))
    ]
    texts += [(f"abstracts:{n}", one["summary"], 5) for n, one in enumerate(abstracts)]
    for path in sorted((SHARED / "pdfs").glob("*/*.pdf")):
        texts.append((f"pdfs:{path.name}", _pdf_text(path), 400))
    for path in sorted((SAMPLE / "leaflets").glob("*.pdf")):
        texts.append((f"leaflets:{path.name}", _pdf_text(path), 400))
    for path in sorted((ROOT / "train").glob("*/*.md")):
        texts.append((f"leaflets:{path.name}", path.read_text("utf-8"), 400))
    for source, whole, most in texts:
        found = [" ".join(whole[start:end].split()) for start, end in sentence_spans(whole)]
        found = [one for one in found if 4 <= len(one.split()) <= 60]
        yield from ((source, one) for one in chosen.sample(found, min(most, len(found))))


def _items(labels: object) -> list[object]:
    return list(labels.values()) if isinstance(labels, dict) else list(labels)  # type: ignore[call-overload]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _pdf_text(path: Path) -> str:
    import pypdf

    try:
        pages = pypdf.PdfReader(path).pages
        return "\n".join(page.extract_text() or "" for page in pages[:30])
    except Exception:  # a broken file is no text
        return ""


def _examples(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _learned(
    examples: Sequence[dict[str, Any]], real: Sequence[str]
) -> dict[str, dict[str, float]]:
    """By kind, the weights of features; under "" the sum's value without any."""
    found = [features(one["text"]) for one in examples] + [features(text) for text in real]
    counts = Counter(feature for one in found for feature in one)
    names = sorted(name for name, count in counts.items() if count >= _FEWEST)
    column = {name: n for n, name in enumerate(names)}
    pairs = [(n, column[name]) for n, one in enumerate(found) for name in one if name in column]
    rows, columns = np.array(pairs).T
    matrix = sparse.csr_matrix((np.ones(len(pairs)), (rows, columns)), (len(found), len(names)))
    weight = np.array([1.0] * len(examples) + [_REAL_WEIGHT] * len(real))
    learned = {}
    telling = np.array([name not in _FUNCTION_WORDS for name in names])
    for kind in (ORDER, REFUSAL):
        target = [one["label"] == kind for one in examples] + [False] * len(real)
        used = telling if kind == ORDER else np.ones(len(names), bool)
        model = LogisticRegression(C=_INVERSE_PENALTY, max_iter=1000)
        model.fit(matrix[:, used], target, sample_weight=weight)
        weights = zip(np.array(names)[used].tolist(), model.coef_[0], strict=True)
        kept = {name: round(float(w), 3) for name, w in weights if abs(w) >= _LEAST_WEIGHT}
        learned[kind] = {"": round(float(model.intercept_[0]), 3), **kept}
    return learned


def _print_told(
    learned: dict[str, dict[str, float]], examples: Sequence[dict[str, Any]], real: Sequence[str]
) -> None:
    table = Table("kind", "from", "found", "others taken for it", "of real sentences")
    for kind, weights in learned.items():

        def odds(text: str, weights: dict[str, float] = weights) -> float:
            total = weights[""] + sum(weights.get(one, 0.0) for one in features(text))
            return float(1 / (1 + np.exp(-total)))

        told = [(one["label"], odds(one["text"])) for one in examples]
        others = [odds(text) for text in real]
        for least in (0.15, 0.3, 0.5, 0.6, 0.7):
            shares = (
                np.mean([p >= least for label, p in told if label == kind]),
                np.mean([p >= least for label, p in told if label == "other"]),
            )
            real_share = np.mean([p >= least for p in others])
            table.add_row(kind, f"{least}", *(f"{s:.3f}" for s in shares), f"{real_share:.5f}")
    console.print(table)


if __name__ == "__main__":
    app()
