"""How often answers like this one are right: `Answer.confidence`.

Of answers with a confidence of c, about the share c cited a right page and told all that was expected when the
calibration questions were asked, a third of which have no answer in the library:

    confidence = supported * calibrated(probability)

- *probability* is that of the best statement found to answer the question (`core.evidence.learned`), in
  [0, 1], which questions that took no part in fitting set against the share of right answers (rightness.toml),
  of leaflets and of papers apart.
  An answer from the graph alone has that of its relationships, which is 1 where the question
  asks for them: 29 of 29 such answers to the questions of data/evaluation are right. The kind of its plan
  limits it to the share that was right where the answer is known, and so does a plan that leaves out words
  which were not understood (plan_confidence.toml).
- *supported* is the share of sentences that their evidence supports. Quoted answers, which the
  constants come from, always have 1; for a language model's it is a rule, not a measurement.
- A number in an unsupported sentence leaves no more than 0.05: a dose may be invented.
- A source that contradicts what is cited, graph and document at odds on what is asked, or a cited
  passage that speaks to language models, leaves no more than 0.5: a rule too. So do passages in the place
  of a list that the graph was asked for, where they have none of the words that kept it from being made, or
  where the graph has nothing that is called as what it is asked of, and so does a question for a yes or a no
  of which the graph says neither,
  and passages that name one of the medicines that are asked about together, or held against each other,
  and not the other, or that do not say what the question says is not so, or that tell no dose for the
  patient who is asked about, or that a question in a language is matched with whose conditions nothing reads.

It says nothing about what an answer leaves out, and nothing about a patient. bench/README.md has the
measured reliability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.answers import Citation, DocumentCitation, Sentence, Support
from core.domain.evidence.doubts import AT_ODDS, RIVAL
from core.domain.plans import Plan, Want
from core.evidence.evidence import Evidence
from core.evidence.learned import right_share
from core.evidence.naming.denied import denied
from core.evidence.naming.unnamed import for_another_illness, leaves_one_out, unnamed
from core.evidence.patients.distinguished import is_forbidden, passes_over_patients
from core.evidence.reading.foreign import unread_language, was_english
from core.evidence.reading.papers import papers_in
from core.questions.planned import ReadPlan
from core.resources import read_table
from core.text.quantities import quantities
from core.text.stems import stems

# Of the 38 surest of those answers 37 are right, which proves no more than (37 + 1) / (38 + 2), by the
# rule of succession.
CEILING = 0.95
_UNPROVEN_NUMBER = 0.05
_TABLE = read_table(__file__, "plan_confidence.toml")
_OF_KIND: dict[str, float] = _TABLE["kinds"]
_UNMEASURED: float = _TABLE["unmeasured"]
_LIKENED: float = _TABLE["likened"]
_WITHOUT_WORDS: float = _TABLE["without_words"]
_DOUBTFUL_SOURCE = 0.5
# Of the 13 such answers to the sets of bench-labels that may be looked at 11 are right: (11 + 1) / (13 + 2).
_FORBIDDEN = 0.8
# From here on an answer is called one. Of those that the scale was fitted to .87 of 452 above are right and
# .63 of 178 from .50 on to here; of others .81 of 214 and .55 of 110 (docs/decisions/relevance.md).
ANSWERED_FROM = 0.70


def confidence(
    sentences: Sequence[Sentence],
    citations: Sequence[Citation],
    relevance: Mapping[int, float],
    evidence: Evidence | None = None,
    as_read: ReadPlan | None = None,
) -> float | None:
    """Confidence of an answer, in [0, 0.95]; None for a refusal, which has no sentences.

    Args:
        relevance: citation number -> relevance of the passage, in [0, 1]; see `passage_relevance`.
        evidence: what the answer was made from.
        as_read: of a corrected plan, the one that it takes the place of.
    """
    if not sentences:
        return None
    supported = sum(one.support is not Support.UNSUPPORTED for one in sentences) / len(sentences)
    # An empty set is an answer too, and has nothing to cite.
    nothing = 1.0 if _planned(evidence) or _lacks_words(evidence) else 0.0
    shares = _of_passages(citations, relevance, evidence) or [
        calibrated(one.relevance) for one in citations
    ]
    best = max(shares, default=calibrated(nothing))
    sure = min([best, *(_of_plan(one, as_read) for one in _planned(evidence))])
    sure = supported * max(sure, _of_prohibition(citations, sentences, evidence))
    # "The graph does not say that ...": neither a yes nor a no.
    if not citations and any(one.plan.want is Want.YES_NO for one in _planned(evidence)):
        sure = min(sure, _DOUBTFUL_SOURCE)
    if any(isinstance(one, DocumentCitation) and one.orders for one in citations) or any(
        RIVAL in problem or problem == AT_ODDS for one in sentences for problem in one.problems
    ):
        sure = min(sure, _DOUBTFUL_SOURCE)
    if evidence is not None and _passes_over(citations, sentences, evidence):
        sure = min(sure, _DOUBTFUL_SOURCE)
    return min(sure, _UNPROVEN_NUMBER) if any(map(_has_unproven_number, sentences)) else sure


def _lacks_words(evidence: Evidence | None) -> bool:
    """Whether documents were asked for that do not have some words: these have nothing to cite."""
    parts = evidence.clauses if evidence is not None else ()
    asked = (part.clause.mentioned.asked for part in parts if part.clause.mentioned is not None)
    return any(one.lacking for one in asked)


def may_not_answer(
    sentences: Sequence[Sentence],
    citations: Sequence[Citation],
    relevance: Mapping[int, float],
    evidence: Evidence | None = None,
) -> bool:
    """Whether an answer that rests on passages alone has a confidence below `ANSWERED_FROM`, or passes over
    what the question says is not so.

    One that cites relationships is an answer: all that the evaluation knows of are right.

    Args:
        sentences, citations, relevance, evidence: as `confidence` takes them.
    """
    if evidence is not None and not _planned(evidence) and denied(evidence, citations):
        return True
    if not all(isinstance(one, DocumentCitation) for one in citations):
        return False
    sure = confidence(sentences, citations, relevance, evidence)
    return sure is not None and sure < ANSWERED_FROM


def _of_prohibition(
    citations: Sequence[Citation], sentences: Sequence[Sentence], evidence: Evidence | None
) -> float:
    """Share of right answers among those to a question for a dose that say clearly that the medicine is not for
    its patient; 0 for others."""
    parts = evidence.clauses if evidence is not None else ()
    return _FORBIDDEN if len(parts) == 1 and is_forbidden(parts[0], citations, sentences) else 0.0


def _passes_over(
    citations: Sequence[Citation], sentences: Sequence[Sentence], evidence: Evidence
) -> bool:
    return (
        _passes_over_words(citations, evidence)
        or _lacks_name(evidence)
        or bool(unnamed(evidence, citations))
        or leaves_one_out(evidence, citations)
        or bool(denied(evidence, citations))
        or bool(for_another_illness(evidence, citations))
        or passes_over_patients(evidence, citations, sentences)
        or _is_in_unread_language(citations, evidence)
        or _is_matched_word_by_word(citations, evidence)
    )


def _lacks_name(evidence: Evidence) -> bool:
    """Whether the graph was asked for a list and has no such name: what documents say of what is called so is
    no list, and may be of another kind, as where an illness stands beside an interaction."""
    plans = [part.clause.plan for part in evidence.clauses if part.computed is None]
    return any(one.plan.lacks_name for one in plans if one is not None)


def _is_matched_word_by_word(citations: Sequence[Citation], evidence: Evidence) -> bool:
    """Whether documents are quoted for a question that was put from English into their words: of such answers
    too few are right to be called sure (docs/decisions/glosses.md)."""
    quotes = any(isinstance(one, DocumentCitation) for one in citations)
    parts = evidence.clauses
    # Of what each document says, those in the question's own language are told as surely as ever.
    of_some = all if all(part.clause.titled for part in parts) else any
    return quotes and of_some(map(was_english, parts))


def _is_in_unread_language(citations: Sequence[Citation], evidence: Evidence) -> bool:
    quotes = any(isinstance(one, DocumentCitation) for one in citations)
    return quotes and any(unread_language(part.clause) for part in evidence.clauses)


def _passes_over_words(citations: Sequence[Citation], evidence: Evidence) -> bool:
    """Whether the graph was asked for a list, words of the question had no part in its plan, and no quoted
    passage has any of them either: ``Which topical drugs treat gout?`` and a passage on drugs for gout; or none
    names what the list is about: ``Which drugs treat gout in pregnancy?`` and a passage on pregnancy."""
    lists = [
        part.clause
        for part in evidence.clauses
        if part.clause.asks_list and part.computed is None and part.clause.plan is not None
    ]
    left = [
        one.text
        for clause in lists
        if clause.plan is not None
        for one in clause.plan.plan.left_over
    ]
    if not left:
        return False
    quoted = stems(
        " ".join(
            f"{one.heading} {one.quote}" for one in citations if isinstance(one, DocumentCitation)
        )
    )
    named = [entity for clause in lists for entity in clause.entities]
    names = [stems(name) for one in named for name in (one.name, *one.synonyms)]
    return not stems(" ".join(left)) & quoted or (
        bool(names) and not any(name and name <= quoted for name in names)
    )


def answers(probability: float) -> bool:
    """Whether what answers with this probability is called an answer."""
    return calibrated(probability) >= ANSWERED_FROM


def _of_passages(
    citations: Sequence[Citation], relevance: Mapping[int, float], evidence: Evidence | None
) -> list[float]:
    """Of each document that is cited, the share of right answers."""
    parts = evidence.clauses if evidence is not None else ()
    papers = papers_in(hit for part in parts for hit in (*part.hits, *part.further))
    return [
        calibrated(relevance.get(one.n, 0.0), one.document_id in papers)
        for one in citations
        if isinstance(one, DocumentCitation)
    ]


def _planned(evidence: Evidence | None) -> list[ReadPlan]:
    """The plans that an answer was computed from."""
    parts = evidence.clauses if evidence is not None else ()
    return [part.computed.read for part in parts if part.computed is not None]


def _of_plan(read: ReadPlan, as_read: ReadPlan | None) -> float:
    """Share of such plans that were right where the answer is known."""
    plan = read.plan
    share = _OF_KIND.get(plan_kind(plan), _UNMEASURED)
    if read.likened:
        share = min(share, _LIKENED)
    if as_read is None or as_read.plan.complete:
        return share
    leaves_out = plan in (as_read.offer, replace(as_read.plan, left_over=()))
    return min(share, _WITHOUT_WORDS) if leaves_out else share


def plan_kind(plan: Plan) -> str:
    """What a plan wants and how much it says of its sets: the kinds that are counted apart."""
    if any(one.hops > 1 for one in plan.sets):
        return f"{plan.want.value}, chain"
    several = plan.want in (Want.LIST, Want.COUNT) and any(
        len(list(one.all_conditions())) > 1 for one in plan.sets
    )
    return f"{plan.want.value}, several conditions" if several else plan.want.value


def calibrated(probability: float, of_papers: bool = False) -> float:
    """Share of answers that are right, of those whose evidence answers with this probability.

    Args:
        of_papers: papers are the evidence.
    """
    return CEILING * right_share(probability, of_papers)


def passage_relevance(
    citations: Sequence[Citation], evidence: Evidence, probabilities: Sequence[float]
) -> dict[int, float]:
    """Citation number -> the probability, in [0, 1], that the clause whose evidence it is from is
    answered; of document citations only.

    Args:
        probabilities: of the clauses of `evidence` that were looked at.
    """
    found: dict[int, float] = {}
    for citation in citations:
        if isinstance(citation, DocumentCitation):
            of_clauses = zip(evidence.clauses, probabilities, strict=False)
            found[citation.n] = max(
                (
                    probability
                    for part, probability in of_clauses
                    if any(hit.document.id == citation.document_id for hit in part.hits)
                ),
                default=0.0,
            )
    return found


def _has_unproven_number(sentence: Sentence) -> bool:
    return sentence.support is Support.UNSUPPORTED and any(
        not quantity.loose for quantity in quantities(sentence.text)
    )
