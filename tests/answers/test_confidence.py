"""The confidence of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.confidence import (
    CEILING,
    calibrated,
    confidence,
    may_not_answer,
    passage_relevance,
    plan_kind,
)
from core.domain.answers import Citation, DocumentCitation, Sentence, State, Support
from core.domain.graph import Fact
from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.domain.serial import answer_to_public
from core.evidence.citations import CitationBook
from core.evidence.evidence import ClauseEvidence, Evidence
from core.questions.clauses import Clause
from core.resources import read_table
from core.workspace import Workspace
from tests.support.asking import HEADLINE, UNANSWERABLE, WHEN_NOT, quoting
from tests.support.fake_openai import FakeOpenAI
from tests.support.records import DIABETES, METFORMIN, a_hit, cite, passages, with_fact

Made = tuple[list[Sentence], tuple[Citation, ...], Mapping[int, float]]

_TEXTS = (
    "Keep it dry.",
    "It lowers vitamin B12.",
    "The maximum is 3,000 mg a day.",
    "Take 2 tablets.",
)
_AMOUNTS = st.builds(
    "Take {} {} a day.".format, st.integers(1, 5000), st.sampled_from(["mg", "ml", "tablets"])
)
_SHARES = st.floats(0, 1)
TREATS = Fact(METFORMIN, "TREATS", DIABETES)
TREATED = Selection(
    ("Drug",),
    ((Condition(("TREATS",), Named("diabetes", (DIABETES.id,), "diabetes", "Disease")),),),
)
NESTED = Selection(("Protein",), ((Condition(("TARGETS",), TREATED),),))


@st.composite
def answers(draw: st.DrawFn) -> Made:
    """Sentences, citations from both stores, and the passages' relevance."""
    pages = draw(st.integers(0, 4))
    citations = passages(*(f"Page {page}." for page in range(pages)))
    if draw(st.booleans()):
        citations = with_fact(*citations, fact=TREATS)
    numbers = [one.n for one in citations]
    some = st.lists(st.sampled_from(numbers), unique=True) if numbers else st.just([])
    sentences = st.builds(
        Sentence,
        st.sampled_from(_TEXTS),
        st.sampled_from(Support),
        some.map(tuple),
    )
    relevance = {n: draw(_SHARES) for n in numbers}
    return draw(st.lists(sentences, min_size=1, max_size=8)), citations, relevance


def sure(made: Made) -> float:
    found = confidence(*made)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("plan", "kind"),
    [
        (Plan(Want.LIST, (TREATED,)), "list"),
        (Plan(Want.LIST, (replace(TREATED, conditions=TREATED.conditions * 2),)), "list, several conditions"),
        (Plan(Want.COUNT, (NESTED,)), "count, chain"),
        (Plan(Want.COMPARE, (TREATED, TREATED)), "compare"),
        (Plan(Want.PATH), "path"),
    ],
)  # fmt: skip
def test_plans_are_counted_apart_by_what_they_want_and_say(plan: Plan, kind: str) -> None:
    assert plan_kind(plan) == kind
    assert read_table(plan_kind.__code__.co_filename, "plan_confidence.toml")["kinds"][kind] > 0.5


@given(answers())
def test_an_answer_of_passages_alone_is_called_one_from_a_confidence_of_70_on(made: Made) -> None:
    relationships = any(not isinstance(one, DocumentCitation) for one in made[1])
    assert may_not_answer(*made) == (not relationships and sure(made) < 0.70)


@given(answers())
def test_it_is_a_share_below_certainty(made: Made) -> None:
    assert 0 <= sure(made) <= CEILING < 1


@given(answers(), st.data())
def test_it_never_rises_when_a_sentence_loses_support(made: Made, data: st.DataObject) -> None:
    sentences, citations, relevance = made
    place = data.draw(st.integers(0, len(sentences) - 1))
    lost = replace(sentences[place], support=Support.UNSUPPORTED, problems=("says something else",))
    changed = [*sentences[:place], lost, *sentences[place + 1 :]]
    assert sure((changed, citations, relevance)) <= sure(made)


@given(answers(), _AMOUNTS, st.data())
def test_a_number_without_evidence_leaves_next_to_nothing(
    made: Made, said: str, data: st.DataObject
) -> None:
    sentences, citations, relevance = made
    place = data.draw(st.integers(0, len(sentences)))
    invented = Sentence(said, Support.UNSUPPORTED, ())
    told = sure(([*sentences[:place], invented, *sentences[place:]], citations, relevance))
    assert told <= 0.05 and told <= sure(made)


@given(answers(), st.randoms(use_true_random=False))
def test_the_order_of_sentences_and_citations_does_not_matter(made: Made, random: Random) -> None:
    sentences, citations, relevance = made
    mixed, others = list(sentences), list(citations)
    random.shuffle(mixed)
    random.shuffle(others)
    assert confidence(mixed, tuple(others), relevance) == sure(made)


@given(answers(), st.data())
def test_a_more_relevant_passage_never_lowers_it(made: Made, data: st.DataObject) -> None:
    sentences, citations, relevance = made
    better = {n: data.draw(st.floats(value, 1)) for n, value in relevance.items()}
    assert sure((sentences, citations, better)) >= sure(made)


@given(st.lists(_SHARES, max_size=5))
def test_a_refusal_has_none(shares: list[float]) -> None:
    citations = passages(*map(str, shares))
    relevance = dict(enumerate(shares, start=1))
    assert confidence((), citations, relevance) is None


def test_relationships_that_are_asked_for_are_sure() -> None:
    told = [Sentence("Metformin treats type 2 diabetes.", Support.GRAPH, (1,))]
    citations = with_fact(fact=TREATS)
    assert sure((told, citations, {})) == calibrated(1.0) > 0.94
    around = tuple(replace(one, relevance=0.5) for one in citations)
    assert sure((told, around, {})) == calibrated(0.5) < 0.9


def test_what_papers_say_is_right_less_often() -> None:
    hits = [a_hit("Pain fell by 2 points.", heading=one) for one in ("Results", "Overdose")]
    told = [Sentence("Pain fell by 2 points.", Support.DOCUMENT, (1,))]
    found = []
    for hit in hits:
        book = CitationBook()
        cite(book, hit)
        part = ClauseEvidence(Clause("Did pain fall?"), np.zeros(384, np.float32), (hit,))
        made = told, book.citations, {1: 0.9}
        found.append(confidence(*made, evidence=Evidence("", (part,))))
    assert found == [calibrated(0.9, of_papers=True), calibrated(0.9)]
    assert found[0] is not None and found[1] is not None and found[0] < found[1]


def test_relationships_do_not_make_a_page_right() -> None:
    citations = with_fact(*passages("Keep it dry."), fact=TREATS)
    told = [
        Sentence("Keep it dry.", Support.DOCUMENT, (1,)),
        Sentence("Metformin treats type 2 diabetes.", Support.GRAPH, (2,)),
    ]
    assert sure((told, citations, {1: 0.4})) == calibrated(0.4)


# -- over the sample leaflets ----------------------------------------------------------------------


def test_every_answer_has_one_and_a_refusal_has_none(workspace: Workspace) -> None:
    for question in (HEADLINE, WHEN_NOT, "List all drugs that treat type 2 diabetes"):
        answer = workspace.chat.answer(question)
        assert answer.confidence is not None and 0.85 < answer.confidence <= CEILING
        assert answer_to_public(answer)["confidence"] == pytest.approx(answer.confidence, abs=1e-4)
        kept = workspace.conversations.history(answer.session)[-1].answer
        assert kept.confidence == answer.confidence
    for question in UNANSWERABLE:
        answer = workspace.chat.answer(question)
        assert answer.refused and answer.confidence is None
        assert answer_to_public(answer)["confidence"] is None


def test_an_unsupported_sentence_costs_its_share_and_an_invented_dose_all(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    quoted = ("Metformin must not be taken in circulatory shock", ("circulatory shock",))
    found = []
    for more in ((), ("Ask the pharmacist",), ("Take 700 mg a day",)):
        provider.play(quoting(quoted, *((said, quoted[1]) for said in more)))
        answer = with_provider.chat.answer(WHEN_NOT)
        assert answer.confidence is not None
        found.append((len(answer.sentences), answer.confidence))
    (_, whole), (two, half), (_, invented) = found
    assert whole > 0.85 and two == 2 and half == pytest.approx(whole / 2)
    assert invented <= 0.05


def test_relevance_is_that_of_the_clause_a_passage_is_from() -> None:
    hit = a_hit("Metformin is stored below 25 °C.", heading="Storage")
    book = CitationBook()
    cite(book, hit)
    (citation,) = book.citations
    assert isinstance(citation, DocumentCitation)
    vector = np.zeros(384, dtype=np.float32)
    asked, other = (
        ClauseEvidence(Clause(words), vector, hits)
        for words, hits in (("How is it stored?", (hit,)), ("Who invented it?", ()))
    )

    def of(one: DocumentCitation, *given: tuple[ClauseEvidence, float]) -> float:
        evidence = Evidence("", tuple(part for part, _ in given))
        return passage_relevance((one,), evidence, [sure for _, sure in given])[1]

    assert of(citation, (asked, 0.8)) == of(citation, (other, 0.9), (asked, 0.8)) == 0.8
    assert of(citation, (asked, 0.6), (asked, 0.8)) == 0.8
    # A list may run on beyond the hit, in a chunk that search did not bring; another document may not.
    assert of(replace(citation, chunk_id="beyond"), (asked, 0.8)) == 0.8
    assert of(replace(citation, document_id="other"), (asked, 0.8)) == 0
    # A clause that was not looked at any more has no probability.
    assert passage_relevance((citation,), Evidence("", (asked,)), [])[1] == 0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which drugs for hypertension are used in adults?", True),
        ("Which topical drugs treat hypertension?", False),
    ],
)
def test_passages_in_the_place_of_a_list_say_what_kept_it_from_being_made(
    sample_workspace: Workspace, question: str, said: bool
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert answer.plan is not None and answer.plan.left_over and not answer.lists
    (word,) = (one.text for one in answer.plan.left_over)
    quotes = [one.quote for one in answer.citations if isinstance(one, DocumentCitation)]
    assert any(word in quote for quote in quotes) == said
    assert answer.state is (State.ANSWERED if said else State.MAY_NOT_ANSWER)
    assert answer.confidence is not None and (answer.confidence > 0.5) == said
