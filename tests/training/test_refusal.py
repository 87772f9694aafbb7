"""The last model, fitted to what was read of documents that no model has learned from."""

from __future__ import annotations

import tomllib

import numpy as np

from core.evidence.learned import ANSWERABLE_READ, CHOICE_READ
from train.refusal import Row, fitted, judged, replaced
from train.relevance import TARGET, applied

COUNT = 400


def rows() -> list[Row]:
    """Clauses of two sets; those with an answer have higher scores, of each question two."""
    chance = np.random.default_rng(1)
    found = []
    for number in range(COUNT):
        answerable = number % 5 < 3
        values = chance.normal(0.35 * answerable, 1.0, len(ANSWERABLE_READ))
        values[chance.integers(len(values))] = np.nan
        name = "one" if number < COUNT / 2 else "other"
        found.append(Row(name, f"{name}-{number // 10}-{number % 5}", answerable, values))
    return found


def test_a_share_of_the_questions_with_an_answer_is_refused() -> None:
    given = rows()
    odds = applied(fitted(given), np.array([one.values for one in given]))
    best: dict[str, float] = {}
    for one, value in zip(given, odds.tolist(), strict=True):
        if one.answerable:
            best[one.question] = max(best.get(one.question, value), value)
    refused = np.mean([value < 0 for value in best.values()])
    assert 0.04 < refused <= 0.07  # by the surest clause of each
    without = [value for one, value in zip(given, odds, strict=True) if not one.answerable]
    assert np.mean(np.array(without) < 0) > 0.6
    area = float(judged(given).split(";")[0].rsplit(" ", 1)[1])
    assert 0.7 < area < 0.99


def test_all_but_the_last_model_stays_as_it_was() -> None:
    before = tomllib.loads(TARGET.read_text("utf-8"))
    after = tomllib.loads(replaced(before, fitted(rows()), "what came out"))
    for name in ("choice", "answerable", "choice_read", "answerable_read"):
        assert after[name] == before[name]
    assert list(after["choice_read"]["signals"]) == list(CHOICE_READ)
    assert after["refusal"] != before["refusal"]
    assert list(after["refusal"]["signals"]) == list(ANSWERABLE_READ)
    assert after["card"]["refusal"] == "what came out"
    assert after["card"]["cross_validated"] == before["card"]["cross_validated"]
