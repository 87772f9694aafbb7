"""The key of a user: one for each, from claims that the identity provider signed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.conversations import LOCAL_USER, UNNAMED_USER, user_key, user_name

TEXTS = st.text(min_size=1).filter(str.strip)


@pytest.mark.req("CG-1")
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_each_issuer_and_subject_is_one_user(a: str, b: str, c: str, d: str) -> None:
    one, other = user_key({"iss": a, "sub": b}), user_key({"iss": c, "sub": d})
    assert (one == other) == ((a.strip(), b.strip()) == (c.strip(), d.strip()))
    assert one not in ("", LOCAL_USER, UNNAMED_USER) and one.isascii() and len(one) == 69
    assert user_key({"iss": a, "sub": b, "email": c, "name": d}) == one


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"sub": "a"},
        {"iss": "i"},
        {"iss": "", "sub": "a"},
        {"iss": ["i"], "sub": {"a": 1}},
        {"name": "Anna"},
        {"email": "a@x.example", "email_verified": False},
    ],
)
def test_what_names_nobody(claims: dict[str, object]) -> None:
    assert user_key(claims) == ""


def test_the_email_address_where_there_is_no_more() -> None:
    assert user_key({"email": "A@x.example"}) == user_key({"email": "a@x.example"}) != ""
    assert user_key({"email": "a@x.example"}) != user_key({"iss": "email", "sub": "a@x.example"})
    assert user_name({"email": "a@x.example", "name": " "}) == "a@x.example"
