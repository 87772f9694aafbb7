"""What an error of typing costs, and which medicines are known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from core.text.spelling.medicines import is_medicine, known_medicines, names_of_length, substances
from core.text.spelling.typing_errors import Error, ErrorKind, cost, errors_between

WORDS = st.text(st.sampled_from("abemnst"), max_size=9)


@given(WORDS, WORDS)
def test_the_errors_are_the_fewest_that_make_one_word_of_the_other(
    written: str, meant: str
) -> None:
    errors = errors_between(written, meant)
    assert len(errors) == OSA.distance(written, meant)
    assert cost(written, meant) >= 0
    assert (cost(written, meant) == 0) == (written == meant)


def test_each_kind_of_error_is_told_from_the_others() -> None:
    assert errors_between("stroed", "stored") == [Error(ErrorKind.EXCHANGED)]
    assert errors_between("warfarrin", "warfarin") == [Error(ErrorKind.DOUBLED, "", "r")]
    assert errors_between("amoxicilin", "amoxicillin") == [Error(ErrorKind.SINGLE, "l")]
    assert errors_between("heperin", "heparin") == [Error(ErrorKind.WRONG, "a", "e")]
    assert errors_between("atorvstatin", "atorvastatin") == [Error(ErrorKind.MISSING, "a")]
    assert errors_between("metxformin", "metformin") == [Error(ErrorKind.ADDED, "", "x")]


def test_what_comes_often_costs_less() -> None:
    assert cost("levothiroxin", "levothyroxine") < cost("nimodipine", "nifedipine")
    assert cost("heperin", "heparin") < cost("hexarin", "heparin")
    assert cost("warfarrin", "warfarin") < cost("warfarkin", "warfarin")


def test_names_of_one_substance_belong_together() -> None:
    assert substances("glucophage") & substances("metformin")
    assert not substances("nimodipine") & substances("nifedipine")
    assert not substances("storage")
    assert all(len(name) == 9 for name in names_of_length(9))
    assert sum(len(names_of_length(n)) for n in range(100)) == len(known_medicines())


def test_a_medicine_is_known_with_the_accents_that_other_languages_give_it() -> None:
    assert substances("nitrofurantoïne") == substances("nitrofurantoine") != frozenset()
    assert is_medicine("codéine") and not is_medicine("garçon")
