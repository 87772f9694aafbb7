"""The order of a search's first passages, by what the best of their statements says: a passage of a thousand
characters is like a question as a whole, and what answers it is one sentence or row of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.domain.documents import Hit
from core.evidence.passages import PassageReader
from core.evidence.reading.interaction import best_cosines
from core.evidence.reading.statement_tokens import StatementTokens

# Passages that are looked into, of those that search and the asked sections bring.
_MOST_LOOKED_INTO = 20


def by_statements(
    text: str, hits: Sequence[Hit], reader: PassageReader, tokens: StatementTokens
) -> list[Hit]:
    """Hits, the first twenty of them by the sum of their promise (`Hit.relative`) and of how well the best of
    their statements meets the tokens of a question: the mean, over these, of the best cosine to one of the
    statement's (late interaction), in [-1, 1].

    Raises:
        ModelError, StoreError: the bundled model or the library cannot be used.
    """
    first, rest = list(hits[:_MOST_LOOKED_INTO]), hits[_MOST_LOOKED_INTO:]
    if len(first) < 2:
        return list(hits)
    told = [reader.quotes(hit, unclear=True) for hit in first]
    ends = np.cumsum([0, *map(len, told)]).tolist()
    every = [quote for own in told for quote in own]
    met = best_cosines(tokens.question(text), tokens.statements(every)).mean(axis=1)
    best = [float(met[begin:end].max(initial=-1.0)) for begin, end in pairwise(ends)]
    order = sorted(range(len(first)), key=lambda one: (-first[one].relative - best[one], one))
    return [*(first[one] for one in order), *rest]
