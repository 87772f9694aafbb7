"""What a medicine contains, by what its document says of its composition."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.documents import CONTAINS, Page
from core.resources import any_of, read_table
from core.text.language import language
from core.text.model_talk import order_spans
from core.text.spelling.medicines import is_medicine, known_medicines
from core.text.spelling.salts import SALTS
from core.text.word_lists import word_frequencies

_TABLE = read_table(__file__, "composition.toml")
_WORD = re.compile(r"[^\W\d_]+")
# "beta-1a"; "natalizumab-sztn" (FDA, "Nonproprietary Naming of Biological Products", 2017)
_DESIGNATED = re.compile(r"[^\W\d_]+-(?:\d+[a-z]?|[a-z]{4})")
_OF = "|".join(_TABLE["contains"]["of"])
_JOINED = "|".join(_TABLE["contains"]["joined"])
_AMOUNT = r"\d[\d.,]*\s?[^\W\d_]{1,3}(?:/[\w ]{1,6})?"
_CONTAINED = re.compile(
    rf"{_AMOUNT}(?:\s(?:{_JOINED})\s{_AMOUNT})*\s(?:(?:{_OF})\s)?(?P<substance>[^\W\d_][^\W\d_-]{{4,40}})"
)
_CONTAINS = any_of(
    [rf"\b(?:{'|'.join(_TABLE['contains']['before'])})\s(?P<what>{_AMOUNT}[^.;]{{5,120}})"]
)
_DECLARED = re.compile(
    rf"^[ \t•\-–]*(?:{'|'.join(_TABLE['contains']['declared'])})(?:\s(?:{'|'.join(_TABLE['contains']['is'])}))?"
    r"\s*:?\s*(?P<what>[^\W\d_][^.;:()\n]{3,80})",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(rf",\s*|\s(?:{_JOINED})\s")
_EXCIPIENTS = frozenset(_TABLE["contains"]["excipients"].split())
_BESIDE_NAMES = SALTS | {"acid", "and", "und", "en", "et"}
_PARTED = re.compile(r"[\s,/]+")
_LONG_WORD = 8  # letters
_FIRST_PAGES = 3  # with text; what comes before them is a cover
_PAGES_OF_LINES = 10  # among which a line may say what is active
_MOST_TEXT = 200_000  # characters of a page that are looked at


def read_contained(title: str, pages: Sequence[Page]) -> dict[str, str]:
    """``contains`` of a document on one product whose title names no substance: those of its composition ("Each
    tablet contains 2.5 mg apixaban"), but for excipients, or those that a line says are its active ones."""
    if any(word in known_medicines() for word in words_of(title)):
        return {}
    pages = [page for page in pages if page.text.strip()]
    for page in pages[:_PAGES_OF_LINES]:
        is_english = language(page.text) == "en"
        for found in _DECLARED.finditer(page.text[:_MOST_TEXT]):
            named = [one.strip() for one in _LISTED.split(found["what"])]
            if all(is_substance(one, is_english=is_english) for one in named):
                return {CONTAINS: ", ".join(dict.fromkeys(named))}
    for page in pages[:_FIRST_PAGES]:
        is_english = language(page.text) == "en"
        for found in _CONTAINS.finditer(" ".join(page.text[:_MOST_TEXT].split())):
            said = dict.fromkeys(one["substance"] for one in _CONTAINED.finditer(found["what"]))
            if said and all(
                one.casefold() not in _EXCIPIENTS and is_substance(one, is_english=is_english)
                for one in said
            ):
                return {CONTAINS: ", ".join(said)}
    return {}


def words_of(text: str) -> list[str]:
    """The words of a text, case-folded."""
    return [word.casefold() for word in _WORD.findall(text)]


def is_substance(text: str, *, is_english: bool) -> bool:
    """Whether a text is the name of a substance and nothing else.

    Its first word is a listed name, or in English text a long one that is no everyday word ("diroximel
    fumarate"); the others are names too, salts, "and", or what tells a name from its like ("beta-1a").
    """
    if order_spans(text):
        return False
    parts = _PARTED.split(text)
    designated = any(map(_DESIGNATED.fullmatch, parts))

    def is_name(part: str) -> bool:
        return all(
            word in known_medicines() or (is_english and word not in word_frequencies("en"))
            for word in words_of(part)
        )

    first = words_of(parts[0])[0]
    listed = is_medicine(first) or (designated and first in known_medicines())
    unknown = is_english and len(first) >= _LONG_WORD and first not in word_frequencies("en")
    return (listed or unknown) and all(
        part in _BESIDE_NAMES or _DESIGNATED.fullmatch(part) or (words_of(part) and is_name(part))
        for part in parts
    )
