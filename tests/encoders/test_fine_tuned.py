"""The fine-tuned copies that come with Materia: whole, and what is said where one is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.fine_tuned import (
    PAPERS,
    PAPERS_SHA256,
    QUESTION_TOKENS,
    QUESTIONS,
    QUESTIONS_SHA256,
    STATEMENTS,
    STATEMENTS_SHA256,
    FineTuned,
    paper_model,
    question_model,
    statement_model,
)
from core.encoders.onnx_int8 import sha256_of
from core.errors import ModelError
from core.questions.closest.kinds import kinds
from core.questions.closest.vouching import vouching


@pytest.mark.parametrize(
    ("path", "sha256"),
    [
        (QUESTIONS, QUESTIONS_SHA256),
        (STATEMENTS, STATEMENTS_SHA256),
        (PAPERS, PAPERS_SHA256),
    ],
)
def test_the_pinned_copies_are_those_that_are_shipped(path: Path, sha256: str) -> None:
    assert sha256_of(path) == sha256
    assert path.stat().st_size < 25_000_000


def test_a_copy_that_is_not_whole_is_not_used(tmp_path: Path) -> None:
    damaged = tmp_path / QUESTIONS.name
    damaged.write_bytes(QUESTIONS.read_bytes()[:1_000])
    for path in (damaged, tmp_path / "gone.onnx"):
        with pytest.raises(ModelError, match="not whole") as told:
            FineTuned(path, QUESTIONS_SHA256).read(["Which drugs treat gout?"])
        assert told.value.advice and told.value.code == "MODEL_UNAVAILABLE"


def test_a_copy_that_cannot_be_loaded_is_said_once_and_for_all(tmp_path: Path) -> None:
    damaged = tmp_path / STATEMENTS.name
    damaged.write_bytes(STATEMENTS.read_bytes()[:1_000])
    copy = FineTuned(damaged)  # whatever it holds
    for _ in range(2):
        with pytest.raises(ModelError, match="cannot be loaded") as told:
            copy.scores("How is it stored?", ["Store below 25 °C."])
        assert told.value.__cause__ is not None
        damaged.write_bytes(STATEMENTS.read_bytes())  # is not tried again


@given(st.text(max_size=300))
def test_any_question_is_read_with_a_vector_for_each_token(text: str) -> None:
    (read,) = question_model().read([text])
    assert read.vector.shape == (384,) and np.isfinite(read.vector).all()
    assert read.tokens.shape == (len(read.spans), 384) and len(read.spans) <= QUESTION_TOKENS
    assert all(0 <= start <= end <= len(text) for start, end in read.spans)
    chances = vouching().narrows(read)
    assert chances.shape == (len(read.spans),) and ((chances >= 0) & (chances <= 1)).all()
    kind, share = kinds().likeliest(read.vector, ("disease",))
    assert kind in kinds().labels and 0 <= share <= 1 + 1e-6


def test_a_question_is_read_alike_beside_others() -> None:
    texts = ["Which drugs treat a disease?", "drugs for a disease, oral ones", "a drug targets"]
    for text, read in zip(texts, question_model().read(texts), strict=True):
        (alone,) = question_model().read([text])
        assert np.array_equal(alone.vector, read.vector)


@given(st.text(max_size=200), st.lists(st.text(max_size=400), max_size=3))
def test_a_statement_has_the_same_scores_beside_whichever_others(
    question: str, texts: list[str]
) -> None:
    scores = statement_model().scores(question, texts)
    assert scores.shape == (len(texts), 2) and np.isfinite(scores).all()
    for text, row in zip(texts, scores, strict=True):
        assert np.array_equal(statement_model().scores(question, [text])[0], row)


def test_what_answers_is_told_from_what_does_not() -> None:
    texts = [
        "Metformin 500 mg tablets · How to store: Do not store above 25 °C.",
        "Metformin 500 mg tablets · Side effects: Very common: nausea, vomiting, diarrhoea.",
        "Metformin 500 mg tablets · Overdose: Tell a doctor at once.",
    ]
    for question, right in (
        ("How warm may the place be where metformin is kept?", 0),
        ("Does metformin upset the stomach?", 1),
        ("What is to be done after an overdose of metformin?", 2),
    ):
        scores = statement_model().scores(question, texts)
        assert int(scores[:, 0].argmax()) == right, question


def test_of_a_paper_what_answers_is_told_from_near_numbers() -> None:
    texts = [
        "Velunamab · 3. Results: At week 24 exacerbations fell by 41% (95% CI 22 to 55) with velunamab.",
        "Velunamab · 2. Methods: We assumed that 18% of patients would leave the trial before week 24.",
        "Velunamab · 3. Results: Nasopharyngitis was reported by 14% with velunamab and 13% with placebo.",
    ]
    for question, right in (
        ("By how much did velunamab lower the exacerbation rate?", 0),
        ("How many patients were assumed to leave the trial early?", 1),
        ("How many had nasopharyngitis on placebo?", 2),
    ):
        scores = paper_model().scores(question, texts)
        assert int(scores[:, 0].argmax()) == right, question
