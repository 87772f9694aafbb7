"""The weights of the int8 copy that ships, as what goes on with it takes them."""

from __future__ import annotations

import tomllib

import numpy as np

from bench.inputs import ROOT
from core.encoders.fine_tuned import STATEMENTS, statement_model
from core.evaluation.questions import read_questions
from train.examples import QUESTIONS
from train.going_on import HELD_OUT, contrasts, weights_in
from train.reader import Reader
from train.rightness import JUDGE, LEAFLETS

ASKED = "What is the dose of Zorvexil in severe renal impairment?"
TOLD = (
    "Zorvexil tablets: Table 2 – Renal impairment: Severe; Dose: 10 mg once daily.",
    "Zorvexil tablets: Keep this medicine out of the sight and reach of children.",
    "Zorvexil tablets: The dose in severe renal impairment is not known.",
)


def test_weights_of_the_copy_say_what_the_copy_says() -> None:
    reader = Reader()
    before = reader.scores(ASKED, TOLD)
    reader.begin_with({**reader.state(), **weights_in(STATEMENTS)})
    found, expected = reader.scores(ASKED, TOLD), statement_model().scores(ASKED, TOLD)
    # The copy rounds what it computes to bytes, the model to sixteen bits.
    assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.99
    assert np.abs(found - expected).max() < 1.5 < np.abs(before - expected).max()
    assert np.argmax(found[:, 0]) == np.argmax(expected[:, 0]) == 0


def test_groups_that_were_written_as_such_have_what_they_need() -> None:
    groups = contrasts()
    assert len(groups) == 320 and all(len(one.texts) == len(one.right) for one in groups)
    assert all(len(set(one.texts)) == len(one.texts) and len(one.texts) >= 5 for one in groups)
    none_answers = sum(not any(one.right) for one in groups)
    assert 80 <= none_answers < len(groups)


def test_each_set_is_there_once_and_no_held_out_one_is_learned_from() -> None:
    rows = tomllib.loads((QUESTIONS / "going_on.toml").read_text("utf-8"))["sets"]
    assert {row["step"] for row in rows} == {"earlier", "later", "last", "newest", HELD_OUT}
    folders = [row["folder"] for row in rows]
    assert len(set(folders)) == len(folders)
    for row in rows:
        asked = [one for name in row["questions"] for one in read_questions(ROOT / name)]
        files = {one.name for one in (ROOT / row["folder"]).glob("*.pdf")}
        assert asked and {one.document for one in asked if one.answerable} <= files
    learned = {row["name"] for row in rows if row["step"] != HELD_OUT}
    judging = {f"judge{number}" for number in (*LEAFLETS, *JUDGE)}
    assert not learned & judging
