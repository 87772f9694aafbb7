"""The weights of the int8 copy that ships, as what goes on with it takes them."""

from __future__ import annotations

import numpy as np

from core.encoders.fine_tuned import STATEMENTS, statement_model
from train.going_on import weights_in
from train.reader import Reader

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
