"""What is in work: an index is filled by many, or changed by one alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.in_work import InWork
from core.errors import Conflict


def test_an_index_that_is_filled_cannot_be_changed_as_a_whole() -> None:
    work = InWork()
    work.begin(["d1", "d2"], "a")
    with pytest.raises(Conflict) as caught, work.alone("a"):
        pass
    assert (caught.value.code, caught.value.retryable) == ("INDEX_BUSY", True)
    assert not work.is_changing("a")
    with work.alone("b"):
        pass
    work.end(["d1"], "a")
    assert work.has("d2") and not work.has("d1")
    with pytest.raises(Conflict), work.alone("a"):
        pass
    work.end(["d2"], "a")
    with work.alone("a"):
        assert work.is_changing("a")


def test_nothing_is_added_to_an_index_that_is_changed() -> None:
    work = InWork()
    with work.alone("a"):
        for again in ("begin", "alone"):
            with pytest.raises(Conflict):
                if again == "begin":
                    work.begin(["d1"], "a")
                else:
                    work.alone("a").__enter__()
        assert not work.has("d1") and work.is_changing("a")
        work.begin(["d1"], "b")
    work.begin(["d1"], "a")
    work.end(["d1"], "b")
    assert work.has("d1"), "begun twice, ended once"


def test_a_change_that_fails_frees_the_index() -> None:
    work = InWork()
    with pytest.raises(KeyError), work.alone("a"):
        raise KeyError
    assert not work.is_changing("a")
    work.begin(["d1"], "a")


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from("abc"), st.sampled_from("xyz")), max_size=30)
)
def test_what_was_begun_and_not_ended_is_in_work(steps: list[tuple[bool, str, str]]) -> None:
    work = InWork()
    begun: Counter[tuple[str, str]] = Counter()
    for begins, document, index in steps:
        if begins:
            work.begin([document], index)
            begun[document, index] += 1
        elif begun[document, index]:
            work.end([document], index)
            begun[document, index] -= 1
        for one in "abc":
            assert work.has(one) == any(begun[one, index] for index in "xyz")
    for index in "xyz":
        if any(begun[one, index] for one in "abc"):
            with pytest.raises(Conflict), work.alone(index):
                pass
        else:
            with work.alone(index):
                pass
