"""Of what each document says, which of them say what is asked and which may say something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.answers.leaflets.of_each import DocumentStanding, certain_first
from core.domain.answers import Answer, Block, Sentence, Support
from core.evidence.reading.words_met import asking_words
from core.workspace import Workspace

LEAFLET = """# {name} 10 mg tablets

## 2. What you need to know before you take {name}

### Contraindications

{contraindications}

## 3. How to take {name}

The dose for adults is 10 mg once a day. Swallow the tablets whole.

## 5. How to store {name}

{storage}
"""
ALLERGY = "Do not take {name} if you are allergic to it or to any of its other ingredients."
ROOM = "Store the tablets below 25 °C in the original package."
LEAFLETS = {
    "Avoxane": (
        "Do not take Avoxane if you had a myocardial infarction in the last 6 months.",
        ROOM,
    ),
    "Belurine": (ALLERGY, "Store the tablets in a refrigerator at 2 °C to 8 °C."),
    "Corvatrol": (ALLERGY, ROOM),
    "Delmorex": (ALLERGY, "Keep the tablets in the fridge until they are used."),
}


@pytest.fixture
def library(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    for name, (contraindications, storage) in LEAFLETS.items():
        file = tmp_path / f"{name}.md"
        said = contraindications.format(name=name)
        file.write_text(LEAFLET.format(name=name, contraindications=said, storage=storage))
        assert own_workspace.library.ingest(file).state == "ready"
    return own_workspace


def subjects(answer: Answer, *, less_certain: bool) -> list[str]:
    blocks = [one for one in answer.blocks if one.less_certain is less_certain]
    return list(dict.fromkeys(one.subject.split()[0] for one in blocks))


@pytest.mark.req("AX-6")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of my medicines must not be taken after a recent heart attack?", ["Avoxane"]),
        ("Which of my medicines need to be kept in the fridge?", ["Belurine", "Delmorex"]),
    ],
)
def test_documents_that_say_something_else_of_the_section_are_told_last(
    library: Workspace, question: str, expected: list[str]
) -> None:
    answer = library.chat.answer(question)
    assert subjects(answer, less_certain=False) == expected
    others = subjects(answer, less_certain=True)
    assert not set(others) & set(expected)
    told = answer.notice.partition("Less certain, and told last:")[2]
    assert others and all(one in told for one in others)
    assert not any(one in told for one in expected)
    marks = [one.less_certain for one in answer.blocks]
    assert marks == sorted(marks)
    assert [one.n for one in answer.blocks] == list(range(1, len(marks) + 1))
    by_number = {one.n: one for one in answer.blocks}
    for one in answer.sentences:  # each still stands in its own document's block
        cited = {answer.citation(n).document_id for n in one.citations}  # type: ignore[union-attr]
        assert cited == {by_number[one.block].document_id}


@pytest.mark.req("AX-6")
def test_what_all_documents_say_in_the_same_words_each_of_them_says(library: Workspace) -> None:
    answer = library.chat.answer("Which of my medicines must be swallowed whole?")
    assert subjects(answer, less_certain=False) == list(LEAFLETS)
    assert "Less certain" not in answer.notice
    whole = [one for one in answer.sentences if one.decisive and "whole" in one.text]
    assert len(whole) == len(LEAFLETS)


def block(n: int, name: str) -> Block:
    return Block(n, name, name, f"{name}.pdf", 1, "", "")


def sentence(text: str, n: int) -> Sentence:
    return Sentence(text, Support.DOCUMENT, (), block=n)


def test_blocks_are_numbered_anew_with_their_sentences() -> None:
    blocks = [block(1, "a"), block(2, "b"), block(3, "c"), block(4, "d")]
    sentences = [sentence(one, n) for n, one in enumerate("gabcd")]  # one of the graph's first
    standings = {
        1: DocumentStanding(0.9, 0.5),
        2: DocumentStanding(0.9, 0.8),
        3: DocumentStanding(0.9, None),
        4: DocumentStanding(0.99, 0.7),
    }
    told, said = certain_first(blocks, sentences, standings, 0.5)
    assert [(one.n, one.subject, one.less_certain) for one in told] == [
        (1, "b", False),
        (2, "c", False),
        (3, "d", False),
        (4, "a", True),
    ]
    assert [(one.text, one.block) for one in said] == [
        ("g", 0),
        ("b", 1),
        ("c", 2),
        ("d", 3),
        ("a", 4),
    ]


def test_what_is_not_asked_of_each_stays_as_it_is() -> None:
    blocks, sentences = [block(1, "a")], [sentence("a", 1), sentence("of the graph", 0)]
    assert certain_first(blocks, sentences, {}, 0.5) == (blocks, sentences)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("must not be taken after a heart attack", {"taken"}),
        ("are contraindicated in severe liver disease", {"contraindicated"}),
        ("dürfen in der Schwangerschaft nicht eingenommen werden", {"eingenommen"}),
        ("must be protected from light", set()),
    ],
)
def test_words_that_only_ask(text: str, expected: set[str]) -> None:
    found = asking_words(text)
    assert expected <= found
    assert not found & {
        "heart",
        "attack",
        "liver",
        "severe",
        "schwangerschaft",
        "light",
        "protected",
    }
