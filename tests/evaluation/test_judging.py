"""What counts as right, and what a report says when it is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.answers import Block
from core.evaluation.judging import has_string, judge
from core.evaluation.questions import Question
from tests.evaluation.make import fact, outcome, passage, told

KNOWN = Question(
    id="q",
    question="What is the highest dose of metformin?",
    document="Metformin.pdf",
    pages=(3,),
    answer=("3,000 mg",),
)
LIST = Question(id="q", question="Which diseases does X treat?", entities=("gout", "obesity"))
NO = Question(id="q", question="What does it cost?", answerable=False)


@pytest.mark.parametrize(
    ("text", "wanted", "there"),
    [
        ("At most 3000 mg a day", "3,000 mg", True),
        ("at MOST\n3,000  mg", "3,000 mg", True),
        ("13 mg", "3 mg", False),
        ("2.3 mg", "3 mg", False),
        ("take 3.5", "3", False),
        ("take 3.", "3", True),
        ("30,000 mg", "3,000 mg", False),
        ("two – three", "two - three", True),
    ],
)
def test_strings(text: str, wanted: str, there: bool) -> None:
    assert has_string(text, wanted) is there


def test_a_right_answer_has_no_problem() -> None:
    answer = told("The highest dose is 3,000 mg.", [passage(1, "The highest dose is 3,000 mg.")])
    verdict = judge(outcome(KNOWN, answer, ("Metformin.pdf", 3)))
    assert (verdict.retrieved, verdict.cited, verdict.answered) == (True, True, True)
    assert (verdict.page_citations, verdict.right_citations) == (1, 1)
    assert verdict.problems == () and verdict.listed is None and not verdict.refused


@pytest.mark.parametrize(("file", "page"), [("Metformin.pdf", 2), ("Other.pdf", 3)])
def test_another_page_or_document_is_wrong(file: str, page: int) -> None:
    quote = "The highest dose is 3,000 mg."
    verdict = judge(outcome(KNOWN, told(quote, [passage(1, quote, file, page)]), (file, page)))
    assert (verdict.retrieved, verdict.cited, verdict.right_citations) == (False, False, 0)
    assert any(f"{file}, p. {page}" in problem for problem in verdict.problems)


def test_one_right_page_is_recalled_and_one_wrong_page_named() -> None:
    quote = "3,000 mg."
    answer = told(quote, [passage(1, quote), passage(2, quote, page=1)])
    verdict = judge(outcome(KNOWN, answer, ("Metformin.pdf", 3)))
    assert verdict.cited and (verdict.right_citations, verdict.page_citations) == (1, 2)
    assert verdict.problems == ("also cites Metformin.pdf, p. 1; right is Metformin.pdf, p. 3",)


def test_another_file_that_tells_the_same_is_right() -> None:
    also = KNOWN.model_copy(update={"also": {"Label.pdf": (7,)}})
    answer = told("3,000 mg.", [passage(1, "3,000 mg.", "Label.pdf", 7)])
    assert judge(outcome(also, answer, ("Label.pdf", 7))).problems == ()


def test_what_must_not_be_told_is_named() -> None:
    question = KNOWN.model_copy(update={"forbidden": ("500 mg",)})
    assert judge(outcome(KNOWN, told("3,000 mg.", []))).forbidden is None
    assert judge(outcome(question, told("3,000 mg, not 1,500 mg.", []))).forbidden is False
    assert judge(outcome(question, told("Not enough.", [], refused=True))).forbidden is False
    verdict = judge(outcome(question, told("500 mg for a child.", [passage(1, "500 mg")])))
    assert verdict.forbidden and "must not be in the answer: 500 mg" in verdict.problems


def test_a_wrong_refusal_counts_everywhere() -> None:
    refused = told("Not enough.", [], refused=True)
    verdict = judge(outcome(KNOWN, refused, ("Metformin.pdf", 3)))
    assert verdict.refused and (verdict.cited, verdict.answered) == (False, False)
    assert verdict.flagged == 0 and verdict.problems == ("refused, although the answer is known",)


def test_a_right_refusal_and_a_missing_one() -> None:
    assert judge(outcome(NO, told("Not enough.", [], refused=True))).problems == ()
    verdict = judge(outcome(NO, told("It is white.", [passage(1, "It is white.")])))
    assert not verdict.refused and "must be refused" in verdict.problems[0]


def test_an_error_is_no_refusal() -> None:
    verdict = judge(outcome(NO, None))
    assert verdict.failed and not verdict.refused and verdict.problems == ("it broke",)


def test_lists_are_exact() -> None:
    gout, obesity, pain = fact(1, "X", "gout"), fact(2, "X", "obesity"), fact(3, "X", "pain")
    exact = judge(outcome(LIST, told("X treats gout and obesity.", [gout, obesity])))
    assert exact.listed and exact.problems == ()
    short = judge(outcome(LIST, told("X treats gout.", [gout])))
    assert short.listed is False and short.problems == ("missing in the list: obesity",)
    long = judge(outcome(LIST, told("X treats gout, obesity and pain.", [gout, obesity, pain])))
    assert long.listed is False and long.problems == ("too much in the list: pain",)


def test_a_name_inside_a_word_is_not_listed() -> None:
    question = LIST.model_copy(update={"entities": ("ACE",)})
    answer = told("X targets a place.", [fact(1, "X", "ACE2", "Protein")])
    assert judge(outcome(question, answer)).listed is False


def test_numbers_and_unsupported_sentences_are_told() -> None:
    verdict = judge(outcome(KNOWN, told("Take 3,000 mg.", [passage(1, "Take 2,000 mg.")])))
    assert verdict.invented == 1 and "number without evidence: 3000 mg" in verdict.problems
    verdict = judge(outcome(LIST, told("Who knows.", [])))
    assert verdict.flagged == 1 and any("unsupported" in one for one in verdict.problems)


def test_the_name_of_what_a_document_is_about_is_no_number_of_the_answer() -> None:
    title = "AVONEX (interferon beta-1a)"
    answer = told(f"{title}: Take 2,000 mg.", [passage(1, "Take 2,000 mg.")])
    block = Block(1, "d", title, "Metformin.pdf", 3, "posology", "Dose")
    quoted = replace(answer.sentences[0], block=1)
    verdict = judge(outcome(KNOWN, replace(answer, blocks=(block,), sentences=(quoted,))))
    assert verdict.invented == 0
    other = replace(quoted, text=f"{title}: Take 3,000 mg.")
    verdict = judge(outcome(KNOWN, replace(answer, blocks=(block,), sentences=(other,))))
    assert verdict.invented == 1


@pytest.mark.parametrize(
    ("prompt", "prompted", "tokens"),
    [("up to 3,000 mg a day", True, 7), ("up to 2,000 mg a day", False, 7), ("", False, 0)],
)
def test_what_a_model_is_given(prompt: str, prompted: bool, tokens: int) -> None:
    answer = told("Something.", ())
    known = Question(id="a", question="How much?", answer=("3,000 mg",))
    judged = judge(replace(outcome(known, answer), prompt=prompt))
    assert judged.prompted is prompted and judged.prompt_tokens == tokens
    assert judge(outcome(Question(id="b", question="Why?"), answer)).prompted is None
