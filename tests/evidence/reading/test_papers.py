"""Answers from papers: what was found, and not what was assumed, what others found, or who wrote it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answers.candidates import Candidates
from core.domain.answers import Answer, State
from core.evidence.naming.of_papers import is_own_study, unsaid_of
from core.evidence.reading.papers import with_papers
from core.workspace import Workspace
from tests.evidence.reading.conftest import WithPaper

PAPER = """Larvexin 200 mg once daily in adults with uncontrolled migraine

A. Berg, C. Dahl, Department of Neurology, University Hospital

Introduction

In an earlier trial the responder rate with larvexin 200 mg was 44%.

Methods

The calculation was based on the responder rate. We assumed a responder rate of 33% with larvexin
200 mg and of 18% with placebo.

Results

The responder rate was 39.1% with larvexin 200 mg and 20.4% with placebo.

Discussion

In another study of larvexin 200 mg the responder rate was 28%. A limitation of this trial is that it
lasted 12 weeks alone.

Funding

The trial of larvexin was paid for by the Norvane Foundation.
"""


@pytest.fixture(scope="module")
def paper(with_paper: WithPaper) -> Workspace:
    return with_paper("larvexin-trial.md", PAPER)


@pytest.mark.req("PR-3")
def test_what_answers_may_stand_in_a_passage_of_a_paper_that_is_not_among_the_first(
    paper: Workspace,
) -> None:
    question, scope = "What was the responder rate with larvexin 200 mg?", ("leaflets",)
    chat, sources = paper.chat, paper.sources
    clauses = chat._reader.planned(question, chat._reader.planner.read(question))
    (part,) = chat._finder.retrieve(clauses, scope, all_of_them=False).parts
    every = (*part.hits, *part.further)
    has_it = tuple(hit for hit in every if "39.1%" in hit.chunk.text)
    others = tuple(hit for hit in every if hit not in has_it)
    part = replace(part, hits=others, further=has_it)
    wider, papers = with_papers(part)
    assert has_it and others and wider.hits == (*others, *has_it)
    assert papers == {hit.document.id for hit in every}
    candidates = Candidates(part, sources, sources.passages(), sources.relevance(scope), 0.0)
    assert "39.1%" in candidates.found(())[0].quote.text


def first(answer: Answer) -> str:
    return next(one.text for one in answer.sentences if one.decisive)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the responder rate with larvexin 200 mg?", "39.1%"),
        ("Which responder rate was assumed for the sample size of larvexin 200 mg?", "33%"),
        ("Who funded the trial of larvexin?", "Norvane Foundation"),
        ("What are the limitations of the trial of larvexin?", "12 weeks"),
    ],
)
def test_the_part_that_is_asked_for_answers(paper: Workspace, question: str, said: str) -> None:
    assert said in first(paper.chat.answer(question))


STUDY = """Candesartan and propranolol in adults with Horton's headache

A. Berg, C. Dahl, for the MIGRANT Study Group

Abstract

In MIGRANT, adults with Horton's headache were given candesartan or propranolol. The responder rate at week 24
was 39.1% with candesartan and 20.4% with propranolol.

Introduction

In the ORBITA study candesartan was given to 40 adults in hospital.

Methods

MIGRANT was an open trial at 41 hospitals. Adults aged 18 to 70 years with four attacks a month or more took
part. Tablets were counted at each visit.

Results

The responder rate at week 24 was 39.1% with candesartan and 20.4% with propranolol. Attacks fell by 3.2.

Discussion

ORBITA was smaller.
"""


@pytest.fixture(scope="module")
def study(with_paper: WithPaper) -> Workspace:
    return with_paper("s13054-24.md", STUDY)


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("Responder rate with candesartan at week 24?", ""),
        ("Responder rate with candesartan at six months?", ""),
        ("Responder rate with candesartan at week 24 in children?", "a child"),
        ("Responder rate with candesartan 200 mg at week 24?", "200 mg"),
    ],
)
def test_what_limits_a_question_and_stands_in_nothing_quoted_is_named(
    study: Workspace, question: str, unsaid: str
) -> None:
    answer = study.chat.answer(question)
    assert "39.1%" in answer.text
    assert ("No passage that is quoted names" in answer.notice) == bool(unsaid)
    assert not unsaid or f"names “{unsaid}”" in answer.notice
    assert not unsaid or answer.state is State.MAY_NOT_ANSWER


@pytest.mark.parametrize(
    ("asked", "said", "unsaid"),
    [
        ("how much is removed in an 8-hour session", "A 4-hour session removed 49%.", ["8-hour"]),
        ("how much is removed in an 8-hour session", "In 8 hours 70% was removed.", []),
        ("mortality at one year", "At 12 months 8% had died.", []),
        ("mortality at one year", "At week 52 8% had died.", []),
        ("mortality at week 12", "At week 52 8% had died.", ["week 12"]),
        (
            "rate in patients over 75",
            "In those of 18 to 70 years it was 9%.",
            ["a patient of at least 75 years"],
        ),
        ("rate in patients over 75", "In those aged 80 years it was 9%.", []),
        ("rate in patients over 75", "In adults it was 9%.", ["a patient of at least 75 years"]),
        ("rate in children", "In adults it was 9%.", ["a child"]),
        ("rate in adults", "It was 9%.", []),
        ("rate with 5 mg", "The rate was 9% with 10 mg.", ["5 mg"]),
    ],
)
def test_times_ages_and_doses_that_a_text_has_not(
    study: Workspace, asked: str, said: str, unsaid: list[str]
) -> None:
    plan = study.sources.leaflets.read(asked)
    assert list(unsaid_of(plan, asked, said)) == unsaid


def test_a_paper_is_asked_by_the_name_of_its_study(study: Workspace) -> None:
    assert (
        "18 to 70 years" in study.chat.answer("How old were those who took part in MIGRANT?").text
    )
    (document,) = study.library_store.documents(study.library_store.indexes()[0].name)
    chunks = study.library_store.document_chunks(document.id)
    for name, own in (("MIGRANT", True), ("ORBITA", False), ("candesartan", False)):
        assert (
            is_own_study(name, lambda name=name: [one for one in chunks if name in one.text]) is own
        )


def test_what_is_compared_must_be_named_itself(study: Workspace) -> None:
    """Horton's is said of both, and makes no answer on a medicine that no passage names."""
    named = study.chat.answer("Candesartan vs propranolol in Horton's, responder rate at week 24")
    absent = study.chat.answer("Candesartan vs flunarizine in Horton's, responder rate at week 24")
    assert named.state is State.ANSWERED and absent.state is State.MAY_NOT_ANSWER
