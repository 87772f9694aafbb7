"""How far statements of a paper stand behind others: for the part that they stand in, as what was assumed for
the size of a trial is not what it found, nor what others found; for a subgroup nobody asked about."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.documents.cutting.parts import ADMINISTRATIVE, METHODS, RESULTS, part_in, part_of
from core.domain.documents import Hit, Kind
from core.evidence.evidence import ClauseEvidence
from core.evidence.passages import Quote
from core.resources import any_of, read_table
from core.text.stems import stems

_LEAST = 0.05  # probability of a part
_OF_SUBGROUP = -2.0  # log-odds of a row of a subgroup that the question does not name
# "Results: nine trials", and at a line's beginning "RESULTS Nine trials".
_LABEL = re.compile(
    r"(?:^|(?<=[.\n]))\s*([^\W\d_]+(?: (?:and )?[^\W\d_]+){0,2}):"
    r"|^[ \t]*([^\W\d_]+)(?=[ \t]+[A-ZÀ-Þ0-9])",
    re.MULTILINE,
)
_LONGEST_LABEL = 40  # characters
_FEWEST_WORDS = 12  # of a sentence
_ABSTRACT = any_of(read_table(__file__, "papers.toml")["abstract"])
_NAMES = "|".join(read_table(__file__, "papers.toml")["subgroups"])
_SUBGROUPS = any_of([rf"(?<!\w)(?:{_NAMES})(?!\w)"])


def papers_in(hits: Iterable[Hit]) -> frozenset[str]:
    """Ids of the documents of which a passage stands under the methods or the results of a paper: a label has
    references too, and a guideline a background."""
    return frozenset(
        one.document.id for one in hits if part_in(one.chunk.titled) in (METHODS, RESULTS)
    )


def is_literature(hit: Hit, papers: Container[str]) -> bool:
    """Whether a passage is a paper's or an abstract, which is read as one.

    Args:
        papers: the ids of those, see `papers_in`.
    """
    return hit.document.id in papers or hit.document.kind is Kind.ABSTRACT


def with_papers(part: ClauseEvidence) -> tuple[ClauseEvidence, frozenset[str]]:
    """What was found for a clause, among its first passages also the further ones of papers, and the ids of the
    papers: many near numbers stand in many places of a paper, and what answers often in none of its first
    passages."""
    papers = papers_in((*part.hits, *part.further))
    further = (one for one in part.further if one.document.id in papers)
    return replace(part, hits=(*part.hits, *further)), papers


def shares_of_part(
    hits: Sequence[Hit], parts_asked: Callable[[], Mapping[str, float]]
) -> Sequence[float]:
    """How likely the answer stands in the part of a paper that each passage stands in, in [0, 1]; 0 for those
    of no paper, or of no part, and for results, which most questions ask for and tables elsewhere have too.

    Args:
        parts_asked: see `behind_others`.
    """
    if not papers_in(hits):
        return [0.0] * len(hits)
    likely = parts_asked()
    parts = (part_in(one.chunk.titled) for one in hits)
    return [likely.get(part, 0.0) * (part != RESULTS) for part in parts]


def behind_others(
    quotes: Sequence[Quote], question: str, parts_asked: Callable[[], Mapping[str, float]]
) -> NDArray[np.float64]:
    """Log-odds, at most 0, shape (n,): 0 for what is of no paper, and for what stands in the likeliest part.

    Args:
        parts_asked: gives how likely the answer stands in each part; asked only where one is of a paper.
    """
    parts = [part_in(one.hit.chunk.titled) for one in quotes]
    behind = np.zeros(len(parts))
    papers = papers_in(one.hit for one in quotes)
    if not papers:
        return behind
    likely = parts_asked()
    most = max(likely.values())
    asked = stems(question)
    for place, (one, part) in enumerate(zip(quotes, parts, strict=True)):
        if one.hit.document.id not in papers:
            continue
        part = _part_of_float(part) if one.row else part or _part_of_front(one)
        if part:
            behind[place] = math.log(max(likely.get(part, 0.0), _LEAST) / most)
        if _is_of_other_subgroup(one, question, asked):
            behind[place] += _OF_SUBGROUP
    return behind


def _part_of_float(part: str) -> str:
    """The part that a table's row belongs to, by the one that its page has it in: a page has tables where there
    is room for them, at times behind the references."""
    return "" if part == METHODS else RESULTS


def _part_of_front(quote: Quote) -> str:
    """The part of a paper that a statement of its abstract, or before its first heading, belongs to: that of
    the abstract's label ("Results: ..."), or title, authors and their places; "" on a later page, and under
    another heading."""
    chunk = quote.hit.chunk
    abstract = bool(_ABSTRACT.fullmatch(chunk.heading))
    if chunk.page > 1 or (chunk.heading and not abstract):
        return ""
    above = chunk.text[: max(quote.start - chunk.start, 0) + _LONGEST_LABEL]
    labels = [
        found[1] or found[2]
        for found in _LABEL.finditer(above)
        if found.start() <= quote.start - chunk.start
    ]
    known = [part for label in labels if (part := part_of(label))]
    if known:
        return known[-1]
    if abstract or part_of(quote.text.partition(":")[0]) or _is_sentence(quote):
        return ""
    return ADMINISTRATIVE


def _is_sentence(quote: Quote) -> bool:
    """Whether a statement is a sentence of an abstract without heading and labels, and no title or author."""
    return quote.text.endswith(".") and len(quote.text.split()) >= _FEWEST_WORDS


def _is_of_other_subgroup(quote: Quote, question: str, asked: Set[str]) -> bool:
    """Whether the head of a row's first cell, or the nearest label above it, says that it is of a subgroup, and
    the question names neither that one nor any."""
    if not quote.row or not quote.parts or _SUBGROUPS.search(question):
        return False
    head, _, own = quote.parts[0].rpartition(":")
    if not _SUBGROUPS.search("\n".join((head, *quote.labels[-1:]))):
        return False
    return stems(" ".join((own, *quote.labels[1:]))).isdisjoint(asked)
