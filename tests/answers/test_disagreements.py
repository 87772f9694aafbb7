"""Graph and leaflet at odds about the same two: said above both, with both sources."""

from __future__ import annotations

from pathlib import Path

from core.answers import prompts
from core.domain.answers import Answer, DocumentCitation, GraphCitation, Support
from core.domain.evidence.doubts import AT_ODDS
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public
from core.workspace import Workspace
from tests.support.answering import Open, with_model
from tests.support.fake_openai import FakeOpenAI, text

# Of the sample graph: metformin treats type 2 diabetes mellitus.
LEAFLET = """What Metformin is used for

Metformin is a medicine for the blood sugar.

Contraindications

Do not take Metformin:
- if you have type 2 diabetes;
- if you have severe heart failure;
- if you have circulatory shock.
"""
ODDS = (
    "The graph says that Metformin treats type 2 diabetes mellitus; Metformin.txt lists type 2 diabetes "
    "mellitus as a contraindication: “Do not take Metformin: if you have type 2 diabetes.”"
)


def add(workspace: Workspace, folder: Path, name: str, words: str) -> None:
    path = folder / name
    path.write_text(words)
    assert workspace.library.ingest(path).state == "ready"


def at_odds(answer: Answer) -> list[str]:
    return [one.text for one in answer.sentences if AT_ODDS in one.problems]


def assert_both_sources(answer: Answer) -> None:
    first = answer.sentences[0]
    assert first.support is Support.BOTH
    document, fact = map(answer.citation, first.citations)
    assert isinstance(document, DocumentCitation) and "type 2 diabetes" in document.quote
    assert isinstance(fact, GraphCitation) and fact.relationship == "TREATS"
    assert [c.n for c in answer.citations] == list(range(1, len(answer.citations) + 1))


QUESTIONS = (
    "Does metformin treat type 2 diabetes?",
    "Is metformin contraindicated in type 2 diabetes?",
    "Which drugs treat type 2 diabetes?",
    "What is metformin used for?",
    "When must metformin not be taken?",
)
OTHERS = (
    "Does metformin treat heart failure?",
    "How should metformin be stored?",
    "Which drugs treat hypertension?",
)


def test_the_answer_begins_with_it(own_workspace: Workspace, tmp_path: Path) -> None:
    add(own_workspace, tmp_path, "Metformin.txt", LEAFLET)
    for question in QUESTIONS:
        answer = own_workspace.chat.answer(question)
        assert at_odds(answer) == [answer.sentences[0].text] == [ODDS]
        assert len(answer.sentences) > 1
        assert_both_sources(answer)
        assert answer.confidence is not None and answer.confidence <= 0.5
        assert answer_from_json(answer_to_json(answer)) == answer
        assert AT_ODDS in answer_to_public(answer)["sentences"][0]["problems"]
    for question in OTHERS:
        assert at_odds(own_workspace.chat.answer(question)) == []


def test_what_is_narrower_or_of_another_medicine_is_not_at_odds(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    for file, words in {
        "Metformin.txt": LEAFLET.replace("have type", "have badly controlled type"),
        "Metformin tablets.txt": LEAFLET.replace("have type 2 diabetes", "have asthma"),
        "Metformin capsules.txt": LEAFLET.replace("Contraindications", "Pregnancy"),
        # Another component's contraindication, and another medicine's.
        "Metformin and glipizide.txt": LEAFLET,
        "Warfarin.txt": LEAFLET.replace("Metformin", "Warfarin"),
    }.items():
        add(own_workspace, tmp_path, file, words)
    for question in QUESTIONS:
        assert at_odds(own_workspace.chat.answer(question)) == []


def test_the_model_is_told_and_the_answer_begins_with_it_all_the_same(
    own_workspace: Workspace, open_workspace: Open, provider: FakeOpenAI, tmp_path: Path
) -> None:
    add(own_workspace, tmp_path, "Metformin.txt", LEAFLET)
    asked = open_workspace(own_workspace.settings.root, **with_model(provider))
    provider.play(text("Metformin must not be taken in circulatory shock [1]."))
    answer = asked.chat.answer("When must metformin not be taken?")
    (request,) = provider.requests
    head, _, told = request.user.partition(prompts.ODDS_HEAD)
    assert prompts.EVIDENCE_HEAD in head and told.lstrip().startswith("[")
    assert "lists type 2 diabetes" in told.splitlines()[1]
    assert answer.model == "fake-model" and len(answer.sentences) == 2
    assert_both_sources(answer)
    provider.play(text(prompts.REFUSAL))
    assert asked.chat.answer("When must metformin not be taken?").refused
