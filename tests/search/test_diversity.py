"""Copies shown once, and passages that differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.shelves import LEAFLETS
from core.domain.documents import Chunk, Hit
from core.search.diversity import choose_diverse, without_copies
from core.search.options import MODES, SearchOptions
from tests.search.test_retriever import add
from tests.support.shelf import open_shelf, unfinished


def hit(name: str, relative: float, text: str = "") -> Hit:
    document = unfinished(name.partition(":")[0])
    chunk = Chunk(name, document.id, 0, 1, "", "", 0, 1, text or name, "")
    return Hit(chunk, document, relative, 0.0, relative)


unit = st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(
    lambda row: np.array([*row, 0.1]) / np.linalg.norm([*row, 0.1])
)
ranked = st.lists(st.tuples(st.floats(0, 1), unit), max_size=12).map(
    lambda pairs: sorted(pairs, key=lambda pair: -pair[0])
)


@given(pairs=ranked, k=st.integers(1, 15), share=st.floats(0, 1))
def test_the_choice_follows_the_formula_and_keeps_the_order(
    pairs: list[tuple[float, np.ndarray]], k: int, share: float
) -> None:
    hits = [hit(f"d{n}:0", score) for n, (score, _) in enumerate(pairs)]
    vectors = {one.chunk.id: vector for one, (_, vector) in zip(hits, pairs, strict=True)}
    chosen = choose_diverse(hits, vectors, k, share)
    assert len(chosen) == min(k, len(hits)) == len({one.chunk.id for one in chosen})
    assert [hits.index(one) for one in chosen] == sorted(hits.index(one) for one in chosen)
    if hits:
        assert chosen[0].relative == pytest.approx(hits[0].relative), "the best one always"
    if share == 1:
        assert chosen == hits[:k]

    def value(one: Hit, others: list[Hit]) -> float:
        alike = [float(vectors[one.chunk.id] @ vectors[other.chunk.id]) for other in others]
        return share * one.relative - (1 - share) * max([0.0, *alike])

    left, taken = list(hits), []
    while left and len(taken) < k:
        best = max(value(one, taken) for one in left)
        # Of equal ones the model may take either.
        good = [one for one in left if value(one, taken) >= best - 1e-9]
        pick = next((one for one in good if one in chosen), None)
        assert pick is not None
        taken.append(pick)
        left.remove(pick)


def test_passages_without_a_vector_resemble_nothing() -> None:
    hits = [hit(f"d{n}:0", 1 - n / 10) for n in range(4)]
    assert choose_diverse(hits, {}, 2, 0.5) == hits[:2]


@given(
    texts=st.lists(st.sampled_from(["5 mg a day", "5  MG\na day", "50 mg a day", "x"]), max_size=8)
)
def test_the_best_of_the_same_words_stays_and_counts_the_others(texts: list[str]) -> None:
    hits = [hit(f"d{n}:0", 1.0, text) for n, text in enumerate(texts)]
    kept = without_copies(hits)
    words = [" ".join(text.casefold().split()) for text in texts]
    assert [one.copies + 1 for one in kept] == [words.count(w) for w in dict.fromkeys(words)]
    assert [replace(one, copies=0) for one in kept] == [
        hits[words.index(w)] for w in dict.fromkeys(words)
    ]


@pytest.mark.parametrize("mode", MODES)
def test_the_same_text_in_two_documents_is_shown_once(tmp_path: Path, mode: str) -> None:
    shelf = open_shelf(tmp_path)
    for n in range(4):
        add(shelf, LEAFLETS, f"copy{n}", "Store warfarin below 25 degrees.")
    add(shelf, LEAFLETS, "other", "Store warfarin below 30 degrees.")
    options = SearchOptions(k=2, candidates=1, mode=mode)
    query = "Store warfarin below"
    assert len(shelf.retriever.search(query, options).hits) == 2
    hits = shelf.retriever.search(query, replace(options, diverse=True)).hits
    assert sorted((one.copies, one.chunk.text[-11:]) for one in hits) == [
        (0, "30 degrees."),
        (3, "25 degrees."),
    ]


def test_several_documents_rather_than_one(tmp_path: Path) -> None:
    """Four passages of one leaflet say nearly the same; another leaflet is a little less near."""
    shelf = open_shelf(tmp_path)
    for n in range(4):
        add(shelf, LEAFLETS, f"same{n}", f"warfarin bleeding risk grows with aspirin {n}")
    add(shelf, LEAFLETS, "else", "warfarin bleeding risk of aspirin in many elderly women")
    for n in range(6):
        add(shelf, LEAFLETS, f"far{n}", f"the risk of fever and cough in winter {n}")
    query = "warfarin bleeding risk aspirin"
    plain = shelf.retriever.search(query, SearchOptions(k=2)).hits
    diverse = shelf.retriever.search(query, SearchOptions(k=2, diverse=True)).hits
    assert "else.pdf" not in {one.document.file for one in plain}
    assert "else.pdf" in {one.document.file for one in diverse}
    scores = [one.score for one in diverse]
    assert scores == sorted(scores, reverse=True) and diverse[0] == plain[0]
