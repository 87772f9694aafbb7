"""Where the same is asked of each document: what each of them tells, and which of them say what is asked.

Each one's best statement answers with a probability of its own. In "Which of my medicines must not be taken
after a recent heart attack?" that is high for every contraindication: what is missing is seen beside the
document that says it, whose words meet the question's better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from core.answers.candidates import Candidate
from core.domain.answers import Block, Sentence
from core.evidence.evidence import ClauseEvidence
from core.evidence.reading.words_met import WordsMet

# Log-odds that a document loses for each unit of its share of the question's words behind the best document's.
_BEHIND = 20.0  # docs/decisions/several_leaflets.md, "Which of them say it"
_NEVER_SURE = 1e-4  # no probability is nearer to 0 or 1


@dataclass(frozen=True, slots=True)
class DocumentStanding:
    """Of what is told of one document.

    Attributes:
        probability: that it answers, in [0, 1].
        met: its share of the question's words, in [0, 1]; None where there are none to be met.
    """

    probability: float
    met: float | None

    @classmethod
    def of(cls, told: Candidate, probability: float, words: WordsMet) -> Self:
        """Of a document whose best statement is told; of a list the items that are.

        Raises:
            ModelError, StoreError: the bundled model or the library cannot be used.
        """
        return cls(probability, words.share(told.told if told.items else [told.quote]))


def of_own_document(part: ClauseEvidence) -> ClauseEvidence:
    """A clause that is asked of each document, with what its own one says."""
    if not (title := part.clause.titled):
        return part
    hits = tuple(one for one in part.hits if one.document.title == title)
    return replace(
        part, hits=hits, cautions=tuple(one for one in part.cautions if not one.of_other)
    )


def certain_first(
    blocks: Sequence[Block],
    sentences: Sequence[Sentence],
    standings: Mapping[int, DocumentStanding],
    threshold: float,
) -> tuple[list[Block], list[Sentence]]:
    """Blocks with their sentences, numbered anew: behind all others, and marked, those of documents that may
    say something else.

    Args:
        standings: number of a block -> that of its document; none for what is not asked of each.
        threshold: the least probability of what is told.
    """
    best = max((one.met for one in standings.values() if one.met is not None), default=0.0)
    doubtful = {n for n, one in standings.items() if not _is_sure(one, best, threshold)}
    ordered = sorted(blocks, key=lambda one: one.n in doubtful)
    numbers = {one.n: place for place, one in enumerate(ordered, start=1)}
    told = sorted(sentences, key=lambda one: one.block in doubtful)
    return (
        [replace(one, n=numbers[one.n], less_certain=one.n in doubtful) for one in ordered],
        [replace(one, block=numbers.get(one.block, one.block)) for one in told],
    )


def _is_sure(one: DocumentStanding, best: float, threshold: float) -> bool:
    """Whether a statement would still be told if it were as much less likely as its words stand behind."""
    behind = best - one.met if one.met is not None else 0.0
    return _log_odds(one.probability) - _BEHIND * behind >= _log_odds(threshold)


def _log_odds(probability: float) -> float:
    inside = min(max(probability, _NEVER_SURE), 1 - _NEVER_SURE)
    return math.log(inside / (1 - inside))


def less_certain(blocks: Iterable[Block]) -> list[str]:
    """The subjects of blocks that may say something else, each once."""
    return list(dict.fromkeys(one.subject for one in blocks if one.less_certain))
