"""Words for the conditions of a question, by language: lexicon.toml as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from core.resources import any_of, read_table, read_text
from core.text.function_words import FUNCTION_WORDS
from core.text.language import language

_TABLE = read_table(__file__, "lexicon.toml")
_LANGUAGES = ("en", "de", "nl")
# A name in a list: one or two words, none of which is "so", "the", "of".
_WORD = rf"(?!(?:{'|'.join(sorted(FUNCTION_WORDS))})[\s,])[^\s,;.:/]+"
_NAMED = rf"{_WORD}(?:\s{_WORD})?"
_NEVER = re.compile(r"(?!)")


class LeafletWords:
    """The words of some languages; a pattern matches whole words.

    Args:
        codes: languages whose words count.
    """

    def __init__(self, codes: tuple[str, ...]) -> None:
        self._codes = codes
        self._patterns: dict[tuple[str, str, str], re.Pattern[str]] = {}
        self._whole: dict[str, re.Pattern[str]] = {}
        self._keys: dict[str, tuple[str, ...]] = {}

    def pattern(
        self, table: str, key: str, *, frame: str = r"(?<!\w)(?:{})(?!\w)"
    ) -> re.Pattern[str]:
        """The words of ``[CODE.table] key`` of every language, put into `frame`."""
        found = self._patterns.get((table, key, frame))
        if found is None:
            words = self.words(table, key)
            # Not `format`: the words have braces of their own.
            found = any_of([frame.replace("{}", "|".join(words))]) if words else _NEVER
            self._patterns[table, key, frame] = found
        return found

    def words(self, table: str, key: str) -> list[str]:
        """The regular expressions of ``[CODE.table] key``, longest first."""
        found = {word for code in self._codes for word in _TABLE[code].get(table, {}).get(key, ())}
        return sorted(found, key=lambda word: (-len(word), word))

    def keys(self, table: str) -> tuple[str, ...]:
        """The keys of a table, of all languages, in the order of the file."""
        found = self._keys.get(table)
        if found is None:
            found = tuple(dict.fromkeys(key for code in self._codes for key in _TABLE[code][table]))
            self._keys[table] = found
        return found

    def person_before(self) -> re.Pattern[str]:
        """Somebody with whom a text ends but for small words, which are its first group: "my son is "."""
        found = self._whole.get("person")
        if found is None:
            groups = [word for key in self.keys("groups") for word in self.words("groups", key)]
            people = _either([*self.words("people", "words"), *groups])
            between = _either(self.words("age", "between"))
            found = any_of([rf"(?<!\w){people}((?:[\s,(:-]+{between})*)[\s,(:-]*$"])
            self._whole["person"] = found
        return found

    def illness(self) -> re.Pattern[str]:
        """A word for an illness, with what belongs to it before it."""
        found = self._whole.get("illness")
        if found is None:
            words, before = _either(self.words("illness", "words")), self.words("illness", "before")
            found = any_of([rf"(?<!\w)((?:{_either(before)}\s+){{0,3}}{words})(?!\w)"])
            self._whole["illness"] = found
        return found

    def before_illness(self) -> frozenset[str]:
        """More words that belong to an illness's name where they stand before its noun ("multiple"), in lower
        case; English ones, of ICD-10-CM."""
        return _modifiers() if "en" in self._codes else frozenset()

    def organ(self, table: str) -> re.Pattern[str]:
        """An organ that does not work well: what is wrong and the organ, in either order."""
        found = self._whole.get(table)
        if found is None:
            organ = _either(self.words(table, "organ"))
            wrong = _either(self.words(table, "impaired"))
            between = r"\W+(?:(?![.;?!])\w+\W+){0,3}?"
            whole = _either(self.words(table, "whole")) if self.words(table, "whole") else "(?!)"
            found = any_of(
                [
                    # What is wrong may be said of a whole word, too: "eingeschränkte Leberfunktion".
                    rf"(?<!\w)(?:{wrong}{between}(?:{organ}|{whole})|(?:{organ}|{whole}){between}{wrong}"
                    rf"|{whole})(?!\w)"
                ]
            )
            self._whole[table] = found
        return found

    def not_taken(self) -> re.Pattern[str]:
        """What says before a name that it is not taken, with the names of a list between them as its group
        `listed`: "not taking X, Y or "."""
        found = self._whole.get("not taken")
        if found is None:
            without = _either(self.words("partners", "without"))
            found = any_of([rf"(?<!\w){without}[\s,:(=]*(?P<listed>(?>{_NAMED}{self._joins()})*)$"])
            self._whole["not taken"] = found
        return found

    def goes_on(self) -> re.Pattern[str]:
        """A list of names from one of them on, up to what joins its last: "X, Y or"."""
        found = self._whole.get("goes on")
        if found is None:
            joins = _either(self.words("partners", "and"))
            found = any_of([rf"{_NAMED}(?:\s*,\s*{_NAMED})*\s*,?\s{joins}\s"])
            self._whole["goes on"] = found
        return found

    def _joins(self) -> str:
        joins = _either(self.words("partners", "and"))
        return rf"(?:\s*,\s*(?:{joins}\s+)?|\s+{joins}\s+|\s*/\s*)"


@cache
def _modifiers() -> frozenset[str]:
    """illness_modifiers.txt, which train/illness_modifiers.py makes."""
    return frozenset(read_text(__file__, "illness_modifiers.txt").split())


def _either(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


@cache
def lexicon(code: str) -> LeafletWords:
    """The words of a language; of all three where the language is none of them."""
    return LeafletWords((code,) if code in _LANGUAGES else _LANGUAGES)


def lexicon_of(text: str) -> LeafletWords:
    """The words of the language that a text is in."""
    return lexicon(language(text))


_JOINED = any_of(
    [
        rf"(?<=\d)-?(?=(?:{'|'.join(word for words in _TABLE['joined'].values() for word in words)})(?!\w))"
    ]
)


def spaced(text: str) -> str:
    """A text with a space between a number and what is written together with it ("79yo")."""
    return _JOINED.sub(" ", text)
