"""A question's whole way without a language model, over real stores and a real embedding model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.answers import prompts
from core.domain.answers import Sentence, Support
from core.domain.events import Answered, Expanded, Retrieved, Routed
from core.domain.graph import NAMED_IN_QUESTION as NAMED
from core.errors import InputError
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.asking import (
    HEADLINE,
    UNANSWERABLE,
    assert_evidence,
    assert_true,
    contraindications,
    documents,
    documents_of,
    relationships,
)


@pytest.mark.req("KG-46")
def test_the_steps_come_in_their_order(workspace: Workspace) -> None:
    events = list(workspace.chat.ask(HEADLINE))
    assert [type(event) for event in events] == [Routed, Retrieved, Expanded, Answered]
    routed, retrieved, expanded, answered = events
    assert isinstance(routed, Routed) and routed.query_type == "hybrid"
    assert isinstance(retrieved, Retrieved) and isinstance(expanded, Expanded)
    scores = [hit.score for hit in retrieved.hits]
    assert scores == sorted(scores, reverse=True) and 0 <= scores[-1] <= scores[0] <= 1
    assert retrieved.searched == workspace.library_store.count_chunks(("leaflets",)) > len(scores)
    assert {one.hops for one in expanded.subgraph.entities} <= {0, 1, 2}
    assert isinstance(answered, Answered)
    assert set(answered.answer.timings_ms) == {"retrieve", "expand", "generate"}


@pytest.mark.req("KG-45")
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("List the drugs that treat asthma", "exact"),
        ("What is the mechanism of metformin?", "structural"),
        ("Which drugs are similar to ibuprofen?", "semantic"),
        ("Who must not take warfarin?", "hybrid"),
    ],
)
def test_the_kind_of_a_question_is_logged(
    question: str, kind: str, workspace: Workspace, log_text: Callable[[], str]
) -> None:
    assert workspace.chat.answer(question).query_type == kind
    routed = [json.loads(line) for line in log_text().splitlines() if '"routed"' in line]
    assert [line["query_type"] for line in routed] == [kind]
    assert routed[0]["correlation_id"] != "-"


@pytest.mark.req("KG-9", "KG-11", "KG-30", "PR-3")
def test_the_headline_question_is_answered_from_leaflet_and_graph(workspace: Workspace) -> None:
    answer = workspace.chat.answer(HEADLINE)
    assert not answer.refused and len(answer.sentences) >= 3
    assert all(s.citations and s.support is not Support.UNSUPPORTED for s in answer.sentences)
    assert_evidence(answer, workspace)
    assert {c.file for c in documents(answer)} == {"Metformin.pdf"}
    facts = relationships(answer)
    assert {c.relationship for c in facts} == {"TREATS", "CONTRAINDICATED_IN"}
    assert len({c.source_id for c in facts}) > 5  # several drugs, not metformin alone
    told = " ".join(" ".join(sentence.text.split()) for sentence in answer.sentences)
    bullets = contraindications("Metformin")
    assert len(bullets) == 9 and [b for b in bullets if b.rstrip(".") not in told] == []
    named = {link.name for link in answer.entities if link.reason == NAMED}
    assert named == {"Metformin", "type 2 diabetes mellitus"}
    assert answer.disclaimer == prompts.CLOSING and answer.model == "extractive"


@pytest.mark.parametrize("leaflet", ["Metformin", "Ibuprofen"])
def test_a_list_of_contraindications_is_told_whole(leaflet: str, workspace: Workspace) -> None:
    answer = workspace.chat.answer(f"When must {leaflet.lower()} not be taken?")
    told = " ".join(sentence.text for sentence in answer.sentences)
    assert [b for b in contraindications(leaflet) if b.rstrip(".") not in told] == []


def test_a_dose_keeps_the_words_that_say_for_whom(workspace: Workspace) -> None:
    answer = workspace.chat.answer("What is the maximum daily dose of metformin for adults?")
    told = [sentence.text for sentence in answer.sentences]
    adults = next(i for i, words in enumerate(told) if words.startswith("Adults with normal"))
    assert adults < told.index("The highest dose is 3,000 mg a day, divided into three doses.")
    # What the paragraph on children says after it has named them is theirs, too.
    assert not any("2,000 mg" in words or "Children" in words for words in told)


def test_of_a_paragraph_on_several_patients_only_theirs_is_told(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "Zemtivol.txt"
    path.write_text(
        "3. How to take Zemtivol\n\nAdults take 400 mg of Zemtivol in the morning. The highest dose is "
        "1,200 mg a day. Children from 6 years take 100 mg of Zemtivol in the morning. The highest dose is "
        "300 mg a day.\n"
    )
    assert own_workspace.library.ingest(path).state == "ready"
    for asked, own, others in (
        ("adults", "1,200 mg", ("100 mg", "300 mg")),
        ("a child of 8 years", "300 mg", ("400 mg", "1,200 mg")),
    ):
        answer = own_workspace.chat.answer(f"What is the highest dose of Zemtivol for {asked}?")
        told = " ".join(sentence.text for sentence in answer.sentences)
        assert own in told and not any(other in told for other in others)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "file", "section", "words"),
    [
        ("How should warfarin be stored?", "Warfarin.pdf", "storage", "25 °C"),
        ("Can I drink alcohol with metformin?", "Metformin.pdf", "interactions", "alcohol"),
        ("Can I drink alcohol with Glucophage?", "Metformin.pdf", "interactions", "alcohol"),
        ("What should I do if I take too much ibuprofen?", "Ibuprofen.pdf", "overdose", "hospital"),
        ("How does metformin work?", "Metformin.pdf", "indications", "liver"),
        (
            "What are the ingredients of metformin tablets?",
            "Metformin.pdf",
            "composition",
            "povidone",
        ),
        ("Ibuprofen, is it safe in pregnancy?", "Ibuprofen.pdf", "pregnancy", "last 3 months"),
    ],
)
def test_an_answer_stands_on_the_section_that_is_asked_for(
    question: str, file: str, section: str, words: str, workspace: Workspace
) -> None:
    answer = workspace.chat.answer(question)
    assert_evidence(answer, workspace)
    assert {c.file for c in documents(answer)} == {file}
    assert section in {c.section for c in documents(answer)}
    assert words in " ".join(sentence.text for sentence in answer.sentences)


def test_two_medicines_together_are_answered_with_both_kinds(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Can I take ibuprofen and warfarin together?")
    assert_evidence(answer, workspace)
    assert Support.BOTH in {sentence.support for sentence in answer.sentences}
    assert {c.relationship for c in relationships(answer)} == {"INTERACTS_WITH"}
    assert all("arfarin" in s.text or "buprofen" in s.text for s in answer.sentences)


def test_a_list_of_another_medicine_is_not_the_answer(workspace: Workspace) -> None:
    """Ibuprofen's leaflet mentions aspirin; its contraindications are not aspirin's."""
    answer = workspace.chat.answer("When must aspirin not be taken?")
    for sentence in answer.sentences:
        if documents_of(answer, sentence):
            assert "aspirin" in sentence.text and "pregnancy" not in sentence.text
    assert any(c.source == "Acetylsalicylic acid" for c in relationships(answer))


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    "question",
    [
        *UNANSWERABLE,
        "What is the dose of paracetamol?",  # an entity of the graph without a leaflet
        "Who invented ibuprofen?",  # a leaflet without the fact
        "Can I give metformin to my dog?",
        "When was metformin first approved by the FDA?",
    ],
)
def test_what_is_not_there_is_refused(question: str, workspace: Workspace) -> None:
    answer = workspace.chat.answer(question)
    assert answer.refused and answer.citations == ()
    assert answer.sentences == (Sentence(prompts.REFUSAL, Support.UNSUPPORTED, (), entities=()),)
    assert answer.text == prompts.REFUSAL and answer.disclaimer == prompts.CLOSING
    assert answer.nearest and answer.model == "extractive"
    for citation in answer.nearest:
        assert_true(citation, workspace, SAMPLE / "leaflets")


@pytest.mark.parametrize(
    ("question", "code"),
    [("", "EMPTY_QUESTION"), (" \n\t ", "EMPTY_QUESTION"), ("x" * 10_000, "QUESTION_TOO_LONG")],
)
def test_no_question_and_too_long_a_question(
    question: str, code: str, workspace: Workspace
) -> None:
    before = len(workspace.conversations.list())
    with pytest.raises(InputError) as caught:
        workspace.chat.answer(question)
    assert caught.value.code == code and caught.value.advice
    assert len(workspace.conversations.list()) == before
