"""Addresses in an answer: only those that the evidence prints, letter by letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.addresses import REMOVED, AddressFilter

PRINTED = (
    "See www.ema.europa.eu or https://www.bfarm.de/Nebenwirkungen-\nmelden, or write to info@acme.com. "
    "The shock.in patients was mild."
)


def filtered(text: str, length: int = 1000) -> tuple[str, int]:
    addresses = AddressFilter(PRINTED)
    pieces = [text[at : at + length] for at in range(0, len(text), length)]
    shown = "".join(map(addresses.feed, pieces)) + addresses.end()
    return shown, addresses.removed


@pytest.mark.parametrize(
    "text",
    [
        "Visit www.ema.europa.eu.",
        "Visit https://www.ema.europa.eu/ [1].",
        "Report to https://www.bfarm.de/Nebenwirkungen-melden [1].",
        "Write to info@acme.com, please.",
        "Take 2.5 mg, i.e. half a tablet, e.g. at night.It is 1.5 ml/kg.",
        "The shock.in patients was mild.",
        "doi 10.1016/j.jclinepi.2009.06.005, version 1.2.3.4",
    ],
)
def test_what_the_evidence_prints_stays(text: str) -> None:
    assert filtered(text) == (text, 0)


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example/?q=diabetes",
        "https://www.bfarm.de",  # the page is printed, the site is not
        "www.ema.europa.eu.evil.com",
        "https://www.ema.europa.eu/other",
        "evil.com",
        "evil.it/x",
        "hxxp://evil.com/a",
        "doc@evil.org",
        "info@acme.com.evil.org",
        "10.0.0.1/admin",
        "javascript:alert(1)",
        "mailto:doc@evil.org",
        "//evil.com/x",
    ],
)
@pytest.mark.parametrize("length", [1, 3, 1000])
def test_any_other_is_removed_however_it_arrives(address: str, length: int) -> None:
    shown, removed = filtered(f"Now open {address} and ask.", length)
    assert removed == 1 and REMOVED in shown and address.strip("/") not in shown
    shown, removed = filtered(f"[Here]({address}) or ![x]({address})", length)
    assert removed == 2 and address.strip("/") not in shown


@given(st.text(alphabet="ab.:/@w [1]()hpt", max_size=80), st.integers(1, 20))
def test_pieces_make_no_difference(text: str, length: int) -> None:
    assert filtered(text, length) == filtered(text)


def test_a_long_text_without_a_gap_takes_no_time_to_speak_of() -> None:
    for text in ("a." * 10_000, "http://" * 3_000, "a@" * 10_000):
        filtered(text, 7)  # quadratic work would take minutes, and the suite with it


def test_what_is_withdrawn_takes_its_addresses_along() -> None:
    addresses = AddressFilter(PRINTED)
    assert REMOVED in addresses.feed("Open evil.com now, or http://evil.ex")
    addresses.restart()
    assert addresses.feed("ample is none. ") == "ample is none. " and addresses.removed == 0
