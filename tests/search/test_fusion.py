"""Weighted min-max fusion."""

from __future__ import annotations

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
    for key in dense:
        assert by_dense[key] == min_max(dense)[key]
    for key in lexical:
        assert by_words[key] == min_max(lexical)[key]


@given(dense=scores, lexical=scores, weight=weights)
def test_found_by_both_is_never_worse_than_by_one(
    dense: dict[str, float], lexical: dict[str, float], weight: float
) -> None:
    fused = dict(fuse(dense, lexical, weight))
    for key in dense.keys() & lexical.keys():
        assert fused[key] >= weight * min_max(dense)[key] - 1e-12
        assert fused[key] >= (1 - weight) * min_max(lexical)[key] - 1e-12


def test_an_example() -> None:
    fused = fuse({"a": 0.9, "b": 0.5, "c": 0.1}, {"b": 12.0, "d": 2.0}, 0.7)
    assert fused == [
        ("a", pytest.approx(0.7)),
        ("b", pytest.approx(0.65)),
        ("c", 0.0),
        ("d", 0.0),
    ]


def test_nothing_found() -> None:
    assert fuse({}, {}, 0.7) == [] and min_max({}) == {}
    assert fuse({"a": -3.0}, {}, 0.7) == [("a", 0.7)]
