"""What "it", "they" and "this drug" stand for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import EntityLink
from core.domain.conversations import Turn
from core.domain.graph import NAMED_IN_QUESTION
from core.domain.leaflets.conditions import Illness, Partner
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import AnswerList, Member, Named
from core.questions.following.references import focus, of_named, resolve, several
from tests.domain.answers import an_answer

METFORMIN = EntityLink("D1", "Drug", "Metformin", 1.0, NAMED_IN_QUESTION)
WARFARIN = EntityLink("D2", "Drug", "Warfarin", 1.0, NAMED_IN_QUESTION)
DIABETES = EntityLink("X1", "Disease", "type 2 diabetes", 1.0, NAMED_IN_QUESTION)


def turn(position: int, *entities: EntityLink) -> Turn:
    answer = an_answer(f"Question {position}", "Yes.", *entities)
    return Turn(f"t{position}", "s", position, answer, datetime.now(UTC))


def read(question: str, named_at: int | None = None, **flags: bool) -> str:
    given_flags = {"names_entity": False, "goes_on": False, **flags}
    return resolve(question, METFORMIN.name, named_at=named_at, **given_flags)


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("What are the side effects of it?", "What are the side effects of Metformin?"),
        ("Does it interact with alcohol?", "Does Metformin interact with alcohol?"),
        ("What do they treat?", "What do Metformin treat?"),
        ("May I combine them?", "May I combine Metformin?"),
        ("What about the dose of that?", "What about the dose of Metformin?"),
        ("Does that interact with alcohol?", "Does Metformin interact with alcohol?"),
        ("Is that safe in pregnancy?", "Is Metformin safe in pregnancy?"),
        ("Is this drug safe in pregnancy?", "Is Metformin safe in pregnancy?"),
        ("Who must not take that medicine?", "Who must not take Metformin?"),
        ("Who must not take THE SAME DRUG?", "Who must not take Metformin?"),
        ("What are its side effects?", "What are Metformin's side effects?"),
        ("IT is taken when?", "Metformin is taken when?"),
        ("Wie oft wird es eingenommen?", "Wie oft wird Metformin eingenommen?"),
        ("Darf man dieses Medikament teilen?", "Darf man Metformin teilen?"),
        ("Hoe vaak neem ik dit middel in?", "Hoe vaak neem ik Metformin in?"),
    ],
)
def test_references_are_read_as_the_entity_in_focus(question: str, read_as: str) -> None:
    assert read(question) == read_as


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs that treat asthma are safe?",
        "Is Warfarin a drug that thins blood?",
        "The kit is written in italics with items.",
        "Which medicines treat asthma?",
        "Does that patient information exist?",
        "Gibt es Tabletten?",
        "Ist es gefährlich, Alkohol zu trinken?",
    ],
)
def test_other_words_stay(question: str) -> None:
    assert read(question) == question


def test_an_it_that_stands_for_nothing() -> None:
    question = "Is it safe to take warfarin with alcohol?"
    assert read(question, names_entity=True) == question
    assert read("Is it safe in pregnancy?") == "Is Metformin safe in pregnancy?"


@pytest.mark.req("KG-14")
def test_a_follow_up_without_a_pronoun() -> None:
    assert read("And the dose?") == "And the dose (Metformin)?"
    assert read("What about children?") == "What about children (Metformin)?"
    assert read("En bij kinderen?") == "En bij kinderen (Metformin)?"
    assert read("Side effects?", goes_on=True) == "Side effects (Metformin)?"
    assert read("Suppose it's for a clot.", goes_on=True) == "Suppose it's for a clot (Metformin)?"
    assert read("And warfarin?", names_entity=True) == "And warfarin?"


@given(
    question=st.text(max_size=80)
    | st.lists(
        st.sampled_from("does it them that this drug its and what about warfarin ?".split()),
        max_size=8,
    ).map(" ".join),
    name=st.text(min_size=1, max_size=20) | st.sampled_from(["\\1", "\\g<0>", "a\\b", "{0}", "%s"]),
    names_entity=st.booleans(),
    goes_on=st.booleans(),
)
def test_any_name_and_question_are_survived(
    question: str, name: str, names_entity: bool, goes_on: bool
) -> None:
    flags = {"names_entity": names_entity, "goes_on": goes_on}
    found = resolve(question, name, **flags)
    assert found == question or name in found
    assert resolve(question, "", **flags) == question


def in_focus(*turns: Turn, absent: str = "") -> str:
    return focus(turns, lambda word: word == absent).name


def asked_of(one: Turn, *subjects: Named) -> Turn:
    """A turn whose question was read as one about these."""
    return replace(one, answer=replace(one.answer, document_plans=(DocumentPlan(subjects),)))


@pytest.mark.req("KG-14")
def test_the_focus_is_what_was_named_last() -> None:
    assert not in_focus() and not in_focus(turn(0))
    assert in_focus(turn(0, METFORMIN), turn(1, WARFARIN)) == "Warfarin"
    assert in_focus(turn(0, METFORMIN), turn(1)) == "Metformin", "turns without a name are skipped"
    assert in_focus(turn(0, DIABETES)) == "type 2 diabetes"
    assert in_focus(turn(0, METFORMIN, DIABETES)) == "Metformin", "a drug comes before others"
    assert in_focus(turn(0, METFORMIN, WARFARIN)) == "Warfarin"


@pytest.mark.req("KG-14")
def test_a_medicine_that_no_graph_knows_comes_into_focus() -> None:
    fooxil, written_small = (Named(name, (), name, "") for name in ("Fooxil", "fooxil"))
    before = turn(0, METFORMIN)
    assert in_focus(before, asked_of(turn(1), fooxil)) == "Fooxil"
    assert in_focus(before, asked_of(turn(1, WARFARIN), fooxil)) == "Fooxil", "with warfarin"
    assert in_focus(before, asked_of(turn(1), written_small)) == "Metformin", "a word of documents"
    assert in_focus(before, asked_of(turn(1), written_small), absent="fooxil") == "fooxil"


def test_what_was_only_found_is_not_in_focus() -> None:
    found = replace(WARFARIN, reason="neighbour of Metformin")
    assert in_focus(turn(0, METFORMIN, found)) == "Metformin"
    assert not in_focus(turn(0, found))


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("Compare their side effects", "Compare Metformin and Warfarin's side effects"),
        ("How are they stored?", "How are Metformin and Warfarin stored?"),
        ("Can both of them be taken together?", "Can Metformin and Warfarin be taken together?"),
        ("Hoe bewaar ik beide?", "Hoe bewaar ik Metformin and Warfarin?"),
        ("What are its side effects?", "What are its side effects?"),
        ("What treats both gout and asthma?", "What treats both gout and asthma?"),
    ],
)
def test_of_several_medicines_plural_words_mean_all(question: str, read_as: str) -> None:
    def told(*turns: Turn) -> str:
        return several(question, turns, lambda _: False)

    assert told(turn(0, DIABETES), turn(1, METFORMIN, WARFARIN)) == read_as
    assert told(turn(0, METFORMIN, WARFARIN), turn(1, METFORMIN)) == question, "one is in focus"


@pytest.mark.req("KG-14")
def test_plural_words_behind_a_list_of_drugs_mean_the_list() -> None:
    listed = turn(0, METFORMIN, WARFARIN)
    drugs = AnswerList("Drugs that interact with both", (Member("D3", "Drug", "Ibuprofen"),))
    listed = replace(listed, answer=replace(listed.answer, lists=(drugs,)))
    question = "What are their side effects?"
    assert several(question, [listed], lambda _: False) == question


def test_what_is_taken_beside_or_inherited_does_not_come_into_focus() -> None:
    fever = Named("fever", (), "fever", "")
    avonex, metformin = (
        Named("Avonex", (), "Avonex", ""),
        Named("metformin", ("D1",), "Metformin", ""),
    )
    common = asked_of(turn(0, DIABETES))
    about = replace(
        common.answer,
        document_plans=(DocumentPlan(conditions=(Illness(fever), Partner(avonex))),),
    )
    assert in_focus(replace(common, answer=about)) == "Avonex", "fever with Avonex"
    inherited = asked_of(turn(1, METFORMIN, WARFARIN), metformin)
    said = replace(
        inherited.answer, question="he takes warfarin, may he use it?",
        read_as="he takes warfarin, may he use Metformin?",
    )  # fmt: skip
    assert in_focus(replace(inherited, answer=said)) == "Metformin"


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("Which of the two is safer?", "Which of Metformin and Warfarin is safer?"),
        ("Are both safe in pregnancy?", "Are Metformin and Warfarin safe in pregnancy?"),
        ("Sind beide sicher?", "Sind Metformin and Warfarin sicher?"),
        ("What treats both gout and asthma?", "What treats both gout and asthma?"),
    ],
)
def test_the_two_are_those_of_two_questions(question: str, read_as: str) -> None:
    turns = [turn(0, METFORMIN), turn(1, WARFARIN)]
    assert several(question, turns, lambda _: False) == read_as


def test_a_question_may_come_back_to_a_name() -> None:
    assert of_named("back to ibuprofen: how is it stored?") == ("ibuprofen", "how is it stored?")
    assert of_named("Zurück zu Ibuprofen, und bei Kindern?") == ("Ibuprofen", "und bei Kindern?")
    assert of_named("Is back pain a side effect of it?") is None


@pytest.mark.req("KG-14")
def test_a_pronoun_behind_a_medicine_of_the_question_is_that_medicine() -> None:
    question = "Is ibuprofen safe, and can it be crushed?"
    assert read(question, names_entity=True, named_at=3) == question
    taken = "Can ibuprofen be taken with it?"
    assert read(taken, names_entity=True, named_at=4) == "Can ibuprofen be taken with Metformin?"
    assert read("Darf man dabei Alkohol trinken?", names_entity=True, named_at=15) == (
        "Darf man dabei Alkohol trinken (Metformin)?"
    )
