"""Weighted fusion of similarities and BM25."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.fusion import fuse, min_max

keys = st.text("abcdef", min_size=1, max_size=3)
scores = st.dictionaries(keys, st.floats(-100, 100, allow_nan=False, allow_subnormal=False))
weights = st.floats(0, 1)


@pytest.mark.req("KG-3")
@given(dense=scores, lexical=scores, weight=weights)
def test_scores_in_range_and_descending(
    dense: dict[str, float], lexical: dict[str, float], weight: float
) -> None:
    fused = fuse(dense, lexical, weight)
    values = [score for _, score in fused]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    assert values == sorted(values, reverse=True)
    assert {key for key, _ in fused} == dense.keys() | lexical.keys()
    assert len(fused) == len({key for key, _ in fused})


@given(dense=scores, lexical=scores, weight=weights, data=st.data())
def test_the_order_of_the_candidates_does_not_matter(
    dense: dict[str, float], lexical: dict[str, float], weight: float, data: st.DataObject
) -> None:
    shuffled = dict(data.draw(st.permutations(list(dense.items()))))
    mixed = dict(data.draw(st.permutations(list(lexical.items()))))
    assert fuse(shuffled, mixed, weight) == fuse(dense, lexical, weight)


@given(values=scores)
def test_scaling_keeps_the_order_and_fills_the_range(values: dict[str, float]) -> None:
    scaled = min_max(values)
    assert scaled.keys() == values.keys()
    for a in values:
        for b in values:
            if values[a] < values[b]:
                assert scaled[a] <= scaled[b]
    if values:
        assert max(scaled.values()) == 1.0
        assert min(scaled.values()) == (0.0 if len(set(values.values())) > 1 else 1.0)


@given(dense=scores, lexical=scores)
def test_the_weight_at_its_ends(dense: dict[str, float], lexical: dict[str, float]) -> None:
    by_dense, by_words = dict(fuse(dense, lexical, 1.0)), dict(fuse(dense, lexical, 0.0))
    for one, other in itertools.combinations(by_dense, 2):
        similar = max(0.0, dense.get(one, 0.0)) - max(0.0, dense.get(other, 0.0))
        assert (by_dense[one] - by_dense[other]) * similar >= 0
        matching = max(0.0, lexical.get(one, 0.0)) - max(0.0, lexical.get(other, 0.0))
        assert (by_words[one] - by_words[other]) * matching >= 0


@given(dense=scores, lexical=scores, weight=weights)
def test_better_in_both_is_never_worse(
    dense: dict[str, float], lexical: dict[str, float], weight: float
) -> None:
    fused = dict(fuse(dense, lexical, weight))
    for one, other in itertools.permutations(dense.keys() & lexical.keys(), 2):
        if dense[one] >= dense[other] and lexical[one] >= lexical[other]:
            assert fused[one] >= fused[other]


def test_an_example() -> None:
    fused = fuse({"a": 0.9, "b": 0.5, "c": 0.1}, {"b": 12.0, "d": 2.0}, 0.7)
    # .63, .35 + .3, .07 and .05, of which the greatest becomes 1 and the least 0
    assert fused == [
        ("b", 1.0),
        ("a", pytest.approx(58 / 60)),
        ("c", pytest.approx(2 / 60)),
        ("d", 0.0),
    ]


def test_nothing_found() -> None:
    assert fuse({}, {}, 0.7) == [] and min_max({}) == {}
    assert fuse({"a": -3.0}, {}, 0.7) == [("a", 1.0)]
