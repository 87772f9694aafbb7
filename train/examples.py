"""What the product finds for questions with known answers, before it chooses: what relevance is fitted to."""

from __future__ import annotations

import hashlib
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench.inputs import ROOT
from core.answers.candidates import Candidates
from core.documents.library.outcomes import Source
from core.evaluation.judging import has_string
from core.evaluation.questions import Question, read_questions
from core.evidence.signals import Signals
from core.maintenance.sample import SAMPLE
from core.settings import load_settings
from core.workspace import Workspace, open_workspace
from train.label_pdfs import make_label_pdfs

QUESTIONS = ROOT / "train" / "questions"
DATA = ROOT.parent / "shared" / "data"
JUDGED = QUESTIONS / "judged.tsv"
WORK = ROOT / "build" / "train"
GRADES = _ANSWERS, _HELPS, _DOES_NOT = 2, 1, 0
console = Console(width=120)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """The statements of one clause of a question, and which of them answer it.

    Attributes:
        home: the document that the question is about; where it names none, the one that most statements are of.
        asked: the clause as statements are read beside it; `texts` of shape (n,) are these statements.
        right: shape (n,), of each statement.
        says: the same, whether its text in `texts` has all that is expected, wherever it stands.
        on_page: the same, whether it stands on a right page.
        forbidden: the same, whether what is told with it has what no answer may have.
        unsure: the same, whether nothing is to be learned from it.
    """

    question: Question
    home: str
    signals: Signals
    asked: str
    texts: tuple[str, ...]
    right: Array
    says: Array
    on_page: Array
    forbidden: Array
    unsure: NDArray[np.bool_]

    @property
    def key(self) -> str:
        """What is kept of an example is found by it."""
        parts = (self.question.id, self.asked, *self.texts)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def statement_key(self, place: int) -> str:
        """What was judged of a statement is found by it."""
        parts = (self.question.id, self.asked, self.texts[place])
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:10]

    def judged(self, grades: Mapping[str, int]) -> Example:
        """With what its statements were judged: 2 answers, 1 helps, 0 does not; by their keys.

        A statement that answers is right wherever it stands. From one that helps, and from one that has the
        expected strings and was judged not to answer, nothing is learned."""
        found = [grades.get(self.statement_key(place), -1) for place in range(len(self.texts))]
        grade = np.array(found)
        answers = grade == _ANSWERS
        disputed = (grade == _DOES_NOT) & (self.says > 0)
        right = ((self.right > 0) & ~disputed) | answers
        return replace(
            self,
            right=right.astype(np.float64),
            says=(((self.says > 0) & ~disputed) | answers).astype(np.float64),
            on_page=np.maximum(self.on_page, answers),
            unsure=~right & (self.unsure | disputed | (grade == _HELPS)),
        )

    def fold(self, folds: int) -> int:
        """Questions of one document stay together, those without an answer, too: so none is judged by what it
        taught, and no learner can tell the questions of the left-out documents by their never having one."""
        return zlib.crc32(self.home.encode()) % folds


def examples(workspace: Workspace, questions: Sequence[Question]) -> Iterator[Example]:
    """What the product finds for each question, before it chooses."""
    chat = workspace.chat
    finder, sources = chat._finder, workspace.sources
    scope = chat._scope()
    reader = chat._reader.calling(scope)
    for question in questions:
        spelt = reader.spelling(question.question, scope).applied(question.question)
        clauses = reader.planned(spelt, reader.planner.read(spelt), scope)
        found = finder.retrieve(clauses, scope, all_of_them=False)
        relevance = sources.relevance(found.indexes)
        for part in found.parts:
            passages = sources.passages()
            candidates = Candidates(part, sources, passages, relevance, 0.0)
            quotes, signals = candidates.signals()
            if not quotes:
                continue
            on_page = np.array(
                [_is_right(question, q.hit.document.file, q.hit.chunk.page) for q in quotes],
                dtype=np.float64,
            )
            told = [" ".join(one.text for one in candidates.told(quote)) for quote in quotes]
            said = np.array(
                [[has_string(text, wanted) for wanted in question.answer] for text in told]
            ).reshape(len(quotes), -1)
            right = on_page * (said.all(axis=1) if question.answer else np.zeros(len(quotes)))
            # Where no statement tells all, one that tells a part is right.
            right = right if right.any() else on_page * said.any(axis=1)
            forbidden = np.array(
                [any(has_string(text, one) for one in question.forbidden) for text in told],
                dtype=np.float64,
            )
            texts = tuple(candidates.text_beside(one, one.text) for one in quotes)
            says = np.array([has_all(question, text) for text in texts], dtype=np.float64)
            asked = part.clause.search_text
            # Another author might have named the page of a statement that says it elsewhere.
            unsure = (says > 0) & ~(right > 0)
            home = (
                question.document
                or Counter(q.hit.document.file for q in quotes).most_common(1)[0][0]
            )
            yield Example(
                question, home, signals, asked, texts, right, says, on_page, forbidden, unsure
            )


def has_all(question: Question, text: str) -> bool:
    """Whether a text has all that an answer is expected to have."""
    return bool(question.answer) and all(has_string(text, one) for one in question.answer)


def _is_right(question: Question, file: str, page: int) -> bool:
    """Whether a page is a right one; of a file without pages the file."""
    return question.is_right_page(file, page) or (not question.pages and question.document == file)


def all_examples() -> list[Example]:
    """Those of all sets of sets.toml; their libraries are filled first and kept in build/train."""
    WORK.mkdir(parents=True, exist_ok=True)
    found: list[Example] = []
    for row in tomllib.loads((QUESTIONS / "sets.toml").read_text("utf-8"))["sets"]:
        found += read_set(row, WORK)
        console.print(f"{row['name']}: {len(found)} clauses so far")
    grades = read_grades()
    # Those of a statement that is read otherwise by now are found no more.
    keys = {one.statement_key(place) for one in found for place in range(len(one.texts))}
    console.print(f"{len(keys & grades.keys())} of {len(grades)} judged statements are there")
    return [one.judged(grades) for one in found]


def read_grades() -> dict[str, int]:
    """What statements were judged, by their keys: the lines of judged.tsv are a question's id and the keys of
    those that answer, help, and do not."""
    found: dict[str, int] = {}
    for line in JUDGED.read_text("utf-8").splitlines():
        for grade, keys in zip(GRADES, line.split("\t")[1:], strict=True):
            found |= dict.fromkeys(keys.split(), grade)
    return found


def read_set(row: dict[str, Any], work: Path, more: Sequence[Question] = ()) -> list[Example]:
    """The examples of one row of sets.toml; its library is filled first and kept in `work`.

    Args:
        more: questions that are asked, too.
    """
    questions = [
        one
        for name in row["questions"]
        for one in read_questions(ROOT / name)
        if one.document not in row.get("without", [])
    ]
    folder = work / row["name"]
    if not folder.is_dir():
        files = [ROOT / one for one in row.get("files", [])]
        files += [DATA / "pdfs" / "drug" / one for one in row.get("pdfs", [])]
        if row.get("labels"):
            source = DATA / "labels" / "fda_labels.json"
            files += make_label_pdfs(source, row["labels"], work / f"{row['name']}-labels")
        with closing(open_workspace(_settings(folder, work / "models"))) as workspace:
            if row.get("sample"):
                workspace.sample.load()
            else:
                workspace.graph_tasks.import_folder(SAMPLE / "graph")
            for result in workspace.library.ingest_many([Source(f, f.name) for f in files]):
                if result.state != "ready":
                    raise SystemExit(f"{result.file}: {result.message}")
    with closing(open_workspace(_settings(folder, work / "models"), writer=False)) as workspace:
        return list(examples(workspace, [*questions, *more]))


def _settings(folder: Path, models: Path) -> Any:
    return load_settings(
        data_dir=folder,
        models_dir=models,
        llm_provider="openai",
        llm_api_key="",
        sample=False,
        warm_up=False,
        log_level="WARNING",
    )
