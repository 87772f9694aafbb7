"""Words that carry no subject of their own, by language: function_words.toml.

Which of them a use takes, and why not all, is said where they are put together.
"""

from __future__ import annotations

from core.resources import read_table

_TABLE = read_table(__file__, "function_words.toml")
FUNCTION_WORDS_OF = {code: frozenset(words.split()) for code, words in _TABLE["of"].items()}
"""Of each language that a text may be in, by its code."""

FUNCTION_WORDS = FUNCTION_WORDS_OF["en"] | FUNCTION_WORDS_OF["de"]
"""Left out of a search. Not the Dutch ones: "van" and "den" are also English words."""

OF_QUESTIONS = frozenset(_TABLE["questions"].split())
"""More words of questions that name nothing, left out of the content words. No medical word is in here."""

OF_QUESTIONS_IN = {code: frozenset(words.split()) for code, words in _TABLE["questions_in"].items()}
"""Such words of other languages, by the language's code: no part of what a question to a leaflet says."""
