"""Notices: a line each, the first sentence apart from what explains it."""

from __future__ import annotations

import pytest

from core.answers import notices as texts
from core.domain.evidence.notices import Notice, joined, notices_of


@pytest.mark.parametrize(
    ("line", "said", "more"),
    [
        ("One thing is so. Do this, or that.", "One thing is so.", "Do this, or that."),
        ("Only this is told.", "Only this is told.", ""),
        ("Did you mean “St. Johns Wort”? Ask so.", "Did you mean “St. Johns Wort”?", "Ask so."),
        (
            "From “A” (Dr. Who.pdf, Roe Ltd. Bern). More.",
            "From “A” (Dr. Who.pdf, Roe Ltd. Bern).",
            "More.",
        ),
        (
            "It is 2.5 mg, e.g. twice a day. So it says.",
            "It is 2.5 mg, e.g. twice a day.",
            "So it says.",
        ),
        # Nothing is folded away where it is not clear what a name is.
        ("No dose is told: “Dr. Who.pdf has none. It is for adults.", "", ""),
    ],
)
def test_the_first_sentence_stands_apart(line: str, said: str, more: str) -> None:
    assert notices_of(line) == (Notice(said or line, more),)


def test_notices_stand_on_lines_each_once() -> None:
    text = joined(["A is so. Do b.", "", "C.\nD  is\tso.", "C."])
    assert text == "A is so. Do b.\nC.\nD is so."
    assert [one.said for one in notices_of(text)] == ["A is so.", "C.", "D is so."]
    assert joined(["", ""]) == "" and notices_of("") == ()


def test_what_is_passed_over_of_a_patient_is_in_the_first_sentence() -> None:
    (unread,) = notices_of(texts._UNREAD.format(language="French"))
    assert "an age, a weight, a kidney function" in unread.said and unread.more
