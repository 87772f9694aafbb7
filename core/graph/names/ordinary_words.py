"""English words that some entity is called by and that, in a sentence, hardly ever mean it.

Gene symbols and their synonyms supply most ("CAT", "Rest", "MAX"); pathways and processes a few
("Disease", "translation"). Real findings, however common the word, are not here: pain, cough.
"""

from __future__ import annotations

from core.resources import read_table
from core.text.function_words import FUNCTION_WORDS_OF, OF_QUESTIONS

_TABLE = read_table(__file__, "ordinary_words.toml")

# No entity of any type is meant by these.
NEVER_NAMES: frozenset[str] = (
    FUNCTION_WORDS_OF["en"] | OF_QUESTIONS | frozenset(_TABLE["general"].split())
)
# No protein, pathway or process is meant by these when they are in lower or title case.
GENE_WORDS: frozenset[str] = frozenset(_TABLE["genes"].split())
