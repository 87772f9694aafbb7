"""The model of relevance: what it says of any signals, and what it says of real statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.answers.candidates import Candidates
from core.domain.vectors import Vectors
from core.encoders.fine_tuned import FineTuned
from core.errors import ModelError
from core.evidence.learned import (
    ANSWERABLE,
    ANSWERABLE_READ,
    CHOICE_READ,
    MOST_READ,
    Judged,
    judge,
    models,
    right_share,
    summary,
)
from core.evidence.passages import PassageReader, Quote
from core.evidence.reading.pairs import LONGEST_READ, PairReader, text_beside
from core.evidence.reading.papers import with_papers
from core.evidence.signals import QUESTION, STATEMENT, Signals
from core.evidence.sources import Sources
from core.workspace import Workspace
from tests.support.records import a_row

_SHARES = st.floats(0, 1, allow_nan=False)


@st.composite
def signals(draw: st.DrawFn) -> Signals:
    """Of one to five statements."""
    count = draw(st.integers(1, 5))
    statements = draw(arrays(np.float64, (count, len(STATEMENT)), elements=_SHARES))
    question = draw(arrays(np.float64, (len(QUESTION),), elements=_SHARES))
    return Signals(statements, question, np.zeros((count, 2), np.float32))


@given(signals())
def test_each_statement_is_judged_and_the_whole_has_a_probability(given_signals: Signals) -> None:
    judged = judge(given_signals)
    assert judged.log_odds.shape == (len(given_signals.statements),)
    assert 0 <= judged.probability <= 1
    assert summary(given_signals, judged.log_odds).shape == (len(ANSWERABLE),)


@given(signals(), st.randoms(use_true_random=False))
def test_the_order_of_statements_does_not_matter(given_signals: Signals, random: object) -> None:
    order = list(range(len(given_signals.statements)))
    random.shuffle(order)  # type: ignore[attr-defined]
    mixed = Signals(
        given_signals.statements[order], given_signals.question, given_signals.vectors[order]
    )
    one, other = judge(given_signals), judge(mixed)
    assert other.log_odds == pytest.approx(one.log_odds[order])
    if len(set(one.log_odds.round(9))) == len(order):  # no two are equally good
        assert other.probability == pytest.approx(one.probability)


@given(_SHARES, _SHARES)
def test_surer_evidence_is_right_more_often(one: float, other: float) -> None:
    assert (right_share(max(one, other)) >= right_share(min(one, other))) and 0 < right_share(
        one
    ) < 1


@given(signals(), st.data())
def test_what_reads_better_comes_before_and_those_not_read_behind(
    given_signals: Signals, data: st.DataObject
) -> None:
    statements = np.repeat(given_signals.statements, 3, axis=0)
    statements[:, 0] += np.linspace(0, 1, len(statements))
    many = Signals(statements, given_signals.question, np.zeros((len(statements), 2), np.float32))
    first = judge(many)
    asked: list[int] = []

    def read(places: Sequence[int]) -> Vectors:
        asked.extend(places)
        scores = np.zeros((len(places), 2), np.float32)
        scores[best] = 100
        return scores

    best = data.draw(st.integers(0, min(MOST_READ, len(statements)) - 1))
    judged = judge(many, read)
    assert len(asked) == min(MOST_READ, len(statements))
    assert set(first.log_odds[asked]) >= set(np.sort(first.log_odds)[-len(asked) :])
    assert judged.log_odds[asked[best]] == judged.log_odds.max()
    left = np.setdiff1d(np.arange(len(statements)), asked)
    assert (judged.log_odds[left] <= judged.log_odds[asked].min() + 1e-9).all()
    assert 0 <= judged.probability <= 1


@given(signals())
def test_without_the_model_that_reads_the_signals_decide(given_signals: Signals) -> None:
    judged, alone = judge(given_signals, lambda _: None), judge(given_signals)
    assert judged.log_odds.tolist() == alone.log_odds.tolist()
    assert judged.probability == alone.probability


def test_every_signal_has_its_numbers() -> None:
    made = models()
    for linear, names in (
        (made.choice, STATEMENT),
        (made.answerable, ANSWERABLE),
        (made.choice_read, CHOICE_READ),
        (made.answerable_read, ANSWERABLE_READ),
    ):
        assert linear.weights.shape == (len(names),)
        assert (linear.scale > 0).all()


# -- over the sample leaflets ----------------------------------------------------------------------


def _candidates(workspace: Workspace, question: str, sources: Sources) -> Candidates:
    """What is found for a question of one clause, before it is judged."""
    chat = workspace.chat
    reader, finder, scope = chat._reader, chat._finder, ("leaflets",)
    clauses = reader.planned(question, reader.planner.read(question))
    (part,) = finder.retrieve(clauses, scope, all_of_them=False).parts
    passages = PassageReader(sources.library)
    return Candidates(part, sources, passages, sources.relevance(scope), 0.0)


def _judged(workspace: Workspace, question: str) -> tuple[list[Quote], Judged, Signals]:
    """The statements found, best first, judged, with the signals of all."""
    sources = workspace.sources
    candidates = _candidates(workspace, question, sources)
    quotes, signals = candidates.signals()
    judged = judge(signals, lambda places: candidates._read([quotes[n] for n in places]))
    order = np.argsort(-judged.log_odds)
    return [quotes[place] for place in order], judged, signals


def test_what_is_told_follows_what_was_read(workspace: Workspace) -> None:
    question, read = "What are the side effects of metformin?", []

    def scores(_: str, texts: Sequence[str]) -> Vectors:
        read.extend(texts)
        return np.array(
            [[100.0 * (n == len(texts) - 1)] * 2 for n in range(len(texts))], np.float32
        )

    sources = replace(workspace.sources, pairs=PairReader(scores))
    best, *_ = _candidates(workspace, question, sources).found(())
    assert 1 < len(read) <= MOST_READ
    assert read[-1] == text_beside(best.quote, best.quote.text)


def test_a_row_is_read_with_what_leads_its_table_in() -> None:
    row, led = a_row("Weight: 10 kg", "Dose: 5 mg"), ["For adults.", "The dose for hay fever is:"]
    read = text_beside(row, row.text, led)
    assert "The dose for hay fever is: Weight: 10 kg; Dose: 5 mg" in read and "adults" not in read
    for others in ([], ["The dose is as follows, " + "and so on " * 20]):
        assert text_beside(row, row.text, others) == f"{row.context}: {row.text}"
    sentence = replace(row, row=False)
    assert text_beside(sentence, row.text, led) == f"{sentence.context}: {row.text}"


def test_of_a_leaflet_further_passages_are_not_looked_into(workspace: Workspace) -> None:
    chat = workspace.chat
    question = "What is the maximum dose of metformin with an eGFR of 45 to 59?"
    clauses = chat._reader.planned(question, chat._reader.planner.read(question))
    (part,) = chat._finder.retrieve(clauses, ("leaflets",), all_of_them=False).parts
    assert part.further and with_papers(part) == (part, frozenset())


def test_statements_of_papers_are_read_by_a_model_of_their_own() -> None:
    def general(_: str, texts: Sequence[str]) -> Vectors:
        return np.array([[len(one), 0] for one in texts], np.float32)

    def of_papers(_: str, texts: Sequence[str]) -> Vectors:
        return np.array([[len(one), 1] for one in texts], np.float32)

    reader, texts = PairReader(general, of_papers), ["a", "bb", "ccc"]
    found = reader.read("", texts, [True, False, True])
    assert found is not None and found.tolist() == [[1, 1], [2, 0], [3, 1]]
    alone = reader.read("", texts)
    assert alone is not None and alone.tolist() == [[1, 0], [2, 0], [3, 0]]
    one = PairReader(general).read("", texts, [True] * 3)
    assert one is not None and one.tolist() == alone.tolist()
    none = reader.read("", [], [])
    assert none is not None and none.shape == (0, 2)


def test_answers_go_on_without_the_model_that_reads(workspace: Workspace) -> None:
    def scores(_: str, texts: Sequence[str]) -> Vectors:
        raise ModelError(f"{len(texts)} texts cannot be read.", advice="")

    sources = replace(workspace.sources, pairs=PairReader(scores))
    candidates = _candidates(workspace, "How should metformin be stored?", sources)
    best, *_ = candidates.found(())
    assert "°C" in " ".join(one.text for one in best.told) and candidates.probability > 0.5


def test_of_a_long_list_the_asked_item_is_read(workspace: Workspace) -> None:
    read: list[str] = []

    def scores(_: str, texts: Sequence[str]) -> Vectors:
        read.extend(texts)
        return np.zeros((len(texts), 2), np.float32)

    sources = replace(workspace.sources, pairs=PairReader(scores))
    candidates = _candidates(workspace, "Does ibuprofen interact with lithium?", sources)
    quotes, _ = candidates.signals()
    (whole,) = (one for one in quotes if "Tell your doctor if you take" in one.text)
    assert len(whole.text) > LONGEST_READ
    candidates.found(())
    (beside,) = (one for one in read if "Tell your doctor if you take" in one)
    assert "lithium" in beside and "warfarin" not in beside and len(beside) < len(whole.text)


@pytest.mark.req("PR-3")
def test_the_statement_that_answers_is_chosen_in_words_that_it_lacks(workspace: Workspace) -> None:
    (best, *_), _, _ = _judged(workspace, "How warm may the place be where metformin is kept?")
    assert "°C" in best.text or "stor" in best.text.lower()


@pytest.mark.req("PR-4")
def test_what_the_library_tells_is_likelier_than_what_it_does_not(workspace: Workspace) -> None:
    known, unknown = (
        _judged(workspace, question)[1].probability
        for question in (
            "How should metformin be stored?",
            "Which company sells metformin in Portugal?",
        )
    )
    assert known > 0.5 > unknown


@pytest.mark.req("PR-3")
def test_what_was_kept_of_statements_judges_as_what_is_read_now(workspace: Workspace) -> None:
    workspace.library.tokens.reset()
    for question in ("How should metformin be stored?", "Who must not take ibuprofen?"):
        told, first, now = _judged(workspace, question)
        again, second, kept = _judged(workspace, question)
        assert [one.key for one in again] == [one.key for one in told]
        assert np.abs(judge(kept).log_odds - judge(now).log_odds).max() < 0.02
        assert abs(first.probability - second.probability) < 0.005


def test_statements_cannot_be_read_without_the_model(tmp_path: Path) -> None:
    gone = PairReader(FineTuned(tmp_path / "gone.onnx", "0", 128).scores)
    gone.warm_up()
    assert gone.read("How should metformin be stored?", ["Store below 25 °C."]) is None


def test_another_spelling_of_a_word_counts_nearly_as_much(workspace: Workspace) -> None:
    column = STATEMENT.index("words_near")
    shares = [
        _judged(workspace, f"Does metformin cause {word}?")[2].statements[:, column].max()
        for word in ("diarrhoea", "diarrhea")
    ]
    assert shares[0] >= shares[1] >= 0.8 * shares[0] > 0
