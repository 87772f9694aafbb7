"""Names of medicines that are known, whatever the library and the graph hold.

medicines.txt has the names that DrugBank's open vocabulary (CC0), MedlinePlus, the NHS and MeSH know, those
of one substance on a line: names of one word, and those of several that no word of theirs tells ("dimethyl
fumarate"), what the substance itself is called before its other names; train/medicine_names.py makes it. A
word of it is spelt right: it is never read as another medicine's name, and a misspelt one may be meant for it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, takewhile
from unicodedata import combining, normalize

from core.resources import read_text
from core.text.spelling.greek import GREEK_NAMES, spelt_out
from core.text.word_lists import word_frequencies

_FEWEST_NAMES = 3  # of a substance
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
# What stands between the words of one name.
_BETWEEN = re.compile(r"[ \t\n\u00a0]+|[-‐‑–]")
_BETWEEN_WORDS = "_"  # of a name in the list
# What tells one of several alike from the others by the rules of nonproprietary names (WHO, The use of stems in
# the selection of INN): "beta-1a", "alfa-2b".
_LONG_NAME = 6  # letters of a name that German or Dutch may spell otherwise
_NO_ENDS = "aeiousz"  # letters that a name without its last "e" does not end with
_DESIGNATION = re.compile(
    rf"[\s-]+(?:{'|'.join(GREEK_NAMES)}|alfa|[α-ω])[\s-]?\d{{1,2}}[a-z](?![^\W_])", re.IGNORECASE
)


def substances(word: str) -> frozenset[int]:
    """Numbers of the substances that a name in lower case is one of, with or without its accents
    ("nitrofurantoïne"), and with signs or blanks between its words; none for any other."""
    return known_medicines().get(_listed(word)) or _of_words().get(_key(word), frozenset())


def of_the_same(word: str) -> tuple[str, ...]:
    """The other names of one word of the one substance that a name in lower case is one of; none where it is a
    name of several, and no name that is one of several."""
    if len(own := substances(word)) != 1:
        return ()
    return tuple(
        name
        for number in own
        for name in _lines()[number]
        if name != word and _BETWEEN_WORDS not in name and substances(name) == own
    )


def is_generic(name: str) -> bool:
    """Whether the list has a name of one word in lower case as what a substance is called, and no trade name;
    of many substances it has none so."""
    return name in _generic_names()


@lru_cache(maxsize=10_000)
def is_medicine(word: str) -> bool:
    """Whether a name in lower case is one medicine's.

    The list has classes too, in singular and plural ("antibiotic"), and some everyday plurals. A substance of
    which the list has a plural ("morphines") is known by its other names.
    """
    if _key(word) in _of_words():
        return True
    known, word = known_medicines(), _listed(word)
    if word not in known or (f"{word}s" in known and not _has_own_names(word)):
        return False
    return not word.endswith("s") or (word[:-1] not in known and word not in word_frequencies("en"))


def _has_own_names(word: str) -> bool:
    """Whether a line of the list has several names for it that have no plural there: those of a class have."""
    known = known_medicines()

    def is_class(name: str) -> bool:
        return f"{name}s" in known or (name.endswith("s") and name[:-1] in known)

    lines = (_lines()[number] for number in known[word])
    return any(sum(not is_class(one) for one in line) >= _FEWEST_NAMES for line in lines)


def is_designated(name: str) -> bool:
    """Whether a name of several words ends with what tells it from its like: "interferon beta-1a"."""
    found = _DESIGNATION.search(name)
    return found is not None and found.start() > 0 and found.end() == len(name)


def _listed(word: str) -> str:
    """A word as the list may have it: without accents where it does not have it with them, and as English
    spells what is German or Dutch, unless it is an English word."""
    known = known_medicines()
    if word in known:
        return word
    plain = word
    if not word.isascii():
        plain = "".join(sign for sign in normalize("NFKD", word) if not combining(sign))
    if plain in known or len(plain) < _LONG_NAME or word in word_frequencies("en"):
        return plain
    return next((one for one in _as_in_english(plain) if one in known), plain)


def _as_in_english(word: str) -> Iterator[str]:
    """How English may spell a substance's name: German leaves the "e" at its end ("Sertralin"), Dutch has "aat"
    for "ate", "ine" for "in" and "f" for "ph" ("methotrexaat", "fenytoine")."""
    for one in dict.fromkeys((word, word.replace("f", "ph"))):
        yield one
        if one[-1] not in _NO_ENDS:
            yield f"{one}e"
        if one.endswith("aat"):
            yield f"{one.removesuffix('aat')}ate"
        if one.endswith("ine"):
            yield one.removesuffix("e")


@lru_cache(maxsize=2_000)
def in_english_spelling(text: str) -> str:
    """A text with the names of substances as English spells them where the list has them so alone:
    "methotrexaat" as "methotrexate"."""

    def spelt(found: re.Match[str]) -> str:
        word = found[0].casefold()
        listed = _listed(word)
        return listed if listed != word and listed in known_medicines() else found[0]

    return _WORD.sub(spelt, text)


def substances_in(text: str) -> frozenset[int]:
    """The medicines that a text names, by what they contain; of those that the list of all names has. A word of
    a longer name names none beside it: "trastuzumab deruxtecan" is not trastuzumab."""
    folded = text.casefold()
    found = frozenset[int]()
    for start, end in places_of_words(folded):
        found |= substances(folded[start:end])
        folded = f"{folded[:start]}{' ' * (end - start)}{folded[end:]}"
    words = (word for word in _WORD.findall(folded) if is_medicine(word))
    return found.union(*map(substances, words))


def places_of_words(text: str) -> Iterator[tuple[int, int]]:
    """Where names of several words stand in a text, the longest at each place, in order; also those that the
    list has another of the same kind of ("interferon beta-1c")."""
    parts = list(_PART.finditer(text))
    first = 0
    while first < len(parts):
        last = _last_of_name(text, parts, first)
        start, end = parts[first].start(), parts[last].end()
        is_listed = last > first or text[start:end].casefold() in known_medicines()
        if is_listed and (designation := _DESIGNATION.match(text, end)):
            end = designation.end()
            while last + 1 < len(parts) and parts[last + 1].end() <= end:
                last += 1
        if last > first:
            yield start, end
        first = last + 1


def _last_of_name(text: str, parts: Sequence[re.Match[str]], first: int) -> int:
    """Place of the last part of the longest listed name of several words that begins with a part; that one's
    own where there is none."""
    begins, most = _beginnings()
    key, last = _part_key(parts[first][0]), first
    if key not in begins:
        return first
    for place in range(first + 1, min(first + most, len(parts))):
        if not _BETWEEN.fullmatch(text, parts[place - 1].end(), parts[place].start()):
            break
        key += _part_key(parts[place][0])
        if key in _of_words():
            last = place
    return last


@cache
def known_medicines() -> Mapping[str, frozenset[int]]:
    """Each name of one word with the numbers of its substances."""
    return _numbered(lambda name: "" if _BETWEEN_WORDS in name else name)


@cache
def _of_words() -> Mapping[str, frozenset[int]]:
    """Each name of several words, by `_key`, with the numbers of its substances."""
    return _numbered(lambda name: _key(name) if _BETWEEN_WORDS in name else "")


def _numbered(key_of: Callable[[str], str]) -> Mapping[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, names in enumerate(_lines()):
        for key in filter(None, map(key_of, names)):
            found[key] = found.get(key, frozenset()) | {number}
    return found


@cache
def _beginnings() -> tuple[frozenset[str], int]:
    """The first parts of names of several words, and the most parts that one has."""
    parts = [_PART.findall(one) for line in _lines() for one in line if _BETWEEN_WORDS in one]
    return frozenset(_part_key(one[0]) for one in parts), max(map(len, parts), default=0)


def _key(name: str) -> str:
    """What names of several words are compared by: their letters and digits."""
    return "".join(map(_part_key, _PART.findall(name)))


@lru_cache(maxsize=10_000)
def _part_key(part: str) -> str:
    """A part of a name, with Greek letters by their names: of nonproprietary ones "alfa" is "alpha"."""
    return spelt_out(part.casefold())


@cache
def _lines() -> Sequence[Sequence[str]]:
    return [line.split() for line in read_text(__file__, "medicines.txt").splitlines()]


@cache
def _generic_names() -> frozenset[str]:
    lines = read_text(__file__, "medicines.txt").splitlines()
    return frozenset(name for line in lines for name in line.partition("\t")[0].split())


@cache
def names_of_length(length: int) -> Sequence[str]:
    """The names with so many letters."""
    return tuple(name for name in known_medicines() if len(name) == length)


def names_begun(letters: str) -> Sequence[str]:
    """The names of substances that begin with some letters in lower case, in order of the alphabet."""
    names = _sorted_generic()
    first = bisect_left(names, letters)
    return [*takewhile(lambda one: one.startswith(letters), islice(names, first, None))]


@cache
def _sorted_generic() -> Sequence[str]:
    return sorted(_generic_names())
