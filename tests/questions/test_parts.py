"""Parts of a statement are read as they would be alone, without looking for what the whole has nowhere."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.questions.leaflets.question_text import QuestionText

_WORDS = st.sampled_from(
    "adults children infants tablets injection orally pregnant breast-feeding severe renal impairment"
    " hepatic dialysis creatinine clearance below 30 mL/min 12 years kg , ; and or the of take".split()
)
_TABLES = ("groups", "routes", "forms")
_KEYS = [
    ("pregnancy", "words"),
    ("feeding", "words"),
    ("kidney", "dialysis"),
    ("kidney", "clearance"),
]


@settings(max_examples=200)
@given(st.lists(_WORDS, min_size=1, max_size=14), st.data())
def test_a_part_has_what_its_text_has(words: list[str], data: st.DataObject) -> None:
    whole = QuestionText.of(" ".join(words))
    breaks = [0, *(n for n, sign in enumerate(whole.text) if sign == " "), len(whole.text)]
    start = data.draw(st.sampled_from(breaks))
    end = data.draw(st.sampled_from([one for one in breaks if one >= start]))
    part = whole.part(start, end)
    assert part.text == whole.text[start:end].strip()
    keys = [*_KEYS, *((table, key) for table in _TABLES for key in whole.words.keys(table))]
    for table, key in keys:
        found = [one.span() for one in part.matches(table, key)]
        pattern = whole.words.pattern(table, key)
        assert found == [one.span() for one in pattern.finditer(part.text)]
        assert not found or table not in _TABLES or key in part.keys(table)
    for organ in ("kidney", "liver"):
        alone = whole.words.organ(organ).finditer(part.text)
        assert [one.span() for one in part.impaired(organ)] == [one.span() for one in alone]
