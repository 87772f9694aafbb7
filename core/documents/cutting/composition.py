"""What a medicine contains, by what its document says of its composition."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.documents import CONTAINS, Page
from core.resources import any_of, read_table
from core.text.language import language
from core.text.model_talk import order_spans
from core.text.spelling.everyday import is_compound
from core.text.spelling.medicines import (
    is_medicine,
    known_medicines,
    places_of_words,
    substances,
)
from core.text.spelling.name_stems import NAME_STEMS
from core.text.spelling.salts import SALTS, parted_salts
from core.text.word_lists import word_frequencies

_TABLE = read_table(__file__, "composition.toml")
_WORD = re.compile(r"[^\W\d_]+")
# "beta-1a"; "natalizumab-sztn" (FDA, "Nonproprietary Naming of Biological Products", 2017)
_DESIGNATED = re.compile(r"[^\W\d_]+-(?:\d+[a-z]?|[a-z]{4})")
_OF = "|".join(_TABLE["contains"]["of"])
_JOINED = "|".join(_TABLE["contains"]["joined"])
_AMOUNT = r"\d[\d.,]*\s?[^\W\d_]{1,3}(?:/[\w ]{1,6})?"
_CONTAINED = re.compile(
    rf"{_AMOUNT}(?:(?:,|\s(?:{_JOINED}))\s{_AMOUNT})*\s(?:(?:{_OF})\s)?(?P<substance>[^\W\d_][^\W\d_-]{{4,40}})"
)
_CONTAINS = any_of(
    [
        rf"\b(?:{'|'.join(_TABLE['contains']['before'])})\s(?P<what>{_AMOUNT}(?:[^.;]|\.(?=\s?\d)){{5,120}})"
    ]
)
_DECLARED = re.compile(
    rf"^[ \t•\-–]*(?:{'|'.join(_TABLE['contains']['declared'])})(?:\s(?:{'|'.join(_TABLE['contains']['is'])}))?"
    r"\s*:?\s*(?P<what>[^\W\d_][^.;:\n]{3,120})",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(rf",\s*|\s(?:{_JOINED})\s")
_BRACKETS = re.compile(r"\s*\([^()]*(?:\)|$)")
_SUBSTANCE_BEHIND = re.compile(r"\([^\W\d_]{4}")  # a trade name
_EXCIPIENTS = frozenset(_TABLE["contains"]["excipients"].split())
_BESIDE_NAMES = SALTS | {"acid", "and", "und", "en", "et"}
_PARTED = re.compile(r"[\s,/]+")
_LONG_WORD = 8  # letters
_FIRST_PAGES = 3  # with text; what comes before them is a cover
_PAGES_OF_LINES = 10  # among which a line may say what is active
# Up to the end of a sentence, which no "bzw." is.
_WHAT = r"(?P<what>(?:[^.;]|\.(?=\d| (?-i:[a-zäöü\d]))){3,160})"
_IS_ACTIVE = re.compile(
    rf"(?<!\w)(?:{'|'.join(_TABLE['contains']['active'])})(?!\w){_WHAT}", re.IGNORECASE
)
_LISTED_LANGUAGES = frozenset({"en", "de", "nl"})
_FEWEST_WORDS = 4  # of a title that is no name
_NEAR = 40  # characters between what says so and the first name
_MOST_ACTIVE = 3  # substances of a product
_MOST_TEXT = 200_000  # characters of a page that are looked at


def read_contained(title: str, pages: Sequence[Page]) -> dict[str, str]:
    """``contains`` of a document on one product whose title names no substance: those of its composition ("Each
    tablet contains 2.5 mg apixaban"), but for excipients, or those that a line says are its active ones."""
    words = words_of(title)
    if any(word in known_medicines() for word in words) or _is_in_words(words):
        return {}
    pages = [page for page in pages if page.text.strip()]
    for page in pages[:_PAGES_OF_LINES]:
        code = language(page.text)
        for found in _DECLARED.finditer(page.text[:_MOST_TEXT]):
            named = [one.strip() for one in _LISTED.split(_BRACKETS.sub(" ", found["what"]))]
            if found["what"].count("(") > found["what"].count(")"):
                continue  # the line is not all of it
            if all(named) and all(is_substance(one, code) for one in named):
                return {CONTAINS: ", ".join(dict.fromkeys(named))}
    for page in pages[:_FIRST_PAGES]:
        code = language(page.text)
        for found in _CONTAINS.finditer(" ".join(page.text[:_MOST_TEXT].split())):
            said = dict.fromkeys(one["substance"] for one in _CONTAINED.finditer(found["what"]))
            if said and all(
                one.casefold() not in _EXCIPIENTS and is_substance(one, code) for one in said
            ):
                return {CONTAINS: ", ".join(said)}
    if _SUBSTANCE_BEHIND.search(title):
        return {}
    for said_so, count in ((_IS_ACTIVE, _PAGES_OF_LINES), (_sayings(title), _FIRST_PAGES)):
        for page in pages[:count]:
            if named := _said_in(page.text[:_MOST_TEXT], said_so):
                return {CONTAINS: ", ".join(named)}
    return {}


def _is_in_words(words: Sequence[str]) -> bool:
    """Whether a title is in everyday words, as no product's is: "Medicines for the prevention of malaria"."""
    everyday = any(all(one in word_frequencies(code) for one in words) for code in ("en", "de"))
    return everyday and len(words) >= _FEWEST_WORDS


def _said_in(text: str, said_so: re.Pattern[str]) -> list[str]:
    """The substances that stand behind what says so in a text."""
    for paragraph in text.split("\n\n"):
        bare = _BRACKETS.sub(" ", " ".join(paragraph.split()))  # "(Ph. Eur.)" ends no sentence
        for found in said_so.finditer(parted_salts(bare)):
            named = _listed_in(found["what"])
            # What is absorbed slowly, beside others that inhibit it, is no name.
            if named and found["what"].find(named[0]) <= _NEAR:
                return named
    return []


def _sayings(title: str) -> re.Pattern[str]:
    """What says what a unit of the product contains, or the product that a title names."""
    contains, before = ("|".join(_TABLE["contains"][key]) for key in ("contains", "before"))
    called = words_of(title)[:1]
    name = rf"|{re.escape(called[0])}(?: \w+){{0,2}} (?:{contains})" if called else ""
    return re.compile(rf"(?<!\w)(?:{before}{name})(?!\w){_WHAT}", re.IGNORECASE)


def _listed_in(text: str) -> list[str]:
    """The substances that a text names, as it writes them, each once; none where these are many. Excipients are
    none."""
    places = [
        (start, end)
        for start, end in places_of_words(text)
        if substances(text[start:end].casefold())
    ]
    words = [one.span() for one in _WORD.finditer(text) if _is_named(one.group().casefold())]
    places += [one for one in words if not any(start <= one[0] < end for start, end in places)]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and text[joined[-1][1] : start] == " ":  # "Insulin glargin"
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    named: dict[str, str] = {}
    for start, end in joined:
        named.setdefault(text[start:end].casefold(), text[start:end])
    found = [
        one
        for key, one in named.items()
        if not set(words_of(one)) <= _EXCIPIENTS | SALTS
        and not any(set(words_of(key)) < set(words_of(other)) for other in named)
    ]
    return found if len(found) <= _MOST_ACTIVE else []


def _is_named(word: str) -> bool:
    return is_medicine(word) or bool(NAME_STEMS.fullmatch(word))


def _is_unknown(word: str, code: str) -> bool:
    """Whether a word of a language whose words are listed is built like a medicine's name, or is none of them
    and not made of some."""
    if NAME_STEMS.fullmatch(word):
        return True
    return code in _LISTED_LANGUAGES and not (
        word in word_frequencies(code) or is_compound(word, code)
    )


def words_of(text: str) -> list[str]:
    """The words of a text, case-folded."""
    return [word.casefold() for word in _WORD.findall(text)]


def is_substance(text: str, code: str) -> bool:
    """Whether a text is the name of a substance and nothing else.

    Its first word is a listed name, or a long one that is no everyday word ("diroximel fumarate"), nor made of
    such; the others are names too, salts, "and", or what tells a name from its like ("beta-1a").

    Args:
        code: of the language that it stands in.
    """
    if order_spans(text) or not words_of(text):
        return False
    if substances(text.casefold()):
        return True
    parts = _PARTED.split(text)
    designated = any(map(_DESIGNATED.fullmatch, parts))

    def is_name(part: str) -> bool:
        return all(word in known_medicines() or _is_unknown(word, code) for word in words_of(part))

    first = words_of(parts[0])[0]
    listed = is_medicine(first) or (designated and first in known_medicines())
    unknown = len(first) >= _LONG_WORD and _is_unknown(first, code)
    return (listed or unknown) and all(
        part in _BESIDE_NAMES or _DESIGNATED.fullmatch(part) or (words_of(part) and is_name(part))
        for part in parts
    )
