"""What is quoted, in blocks: which sentence decides, what is told with it, and how sure an answer is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.answers import Answer, DocumentCitation, GraphCitation, Sentence, State, Support
from core.evaluation.quantities import invented_quantities
from core.workspace import Workspace

ZORVEXIL = """# Zorvexil 5 mg tablets

## 3. How to take Zorvexil

Swallow the tablets whole. The recommended dose of Zorvexil for adults is 5 mg once a day. Take it
at the same time each day.

## 4. Possible side effects

Up to 1 in 10 people who take 5 mg of Zorvexil may get:

- a headache that goes away by itself after some hours
- a swelling of the ankles, above all in warm weather
- a dry cough that keeps you awake at night
"""
QUOLVANE = """# Quolvane 20 mg capsules

## 3. How to take Quolvane

The recommended dose of Quolvane for adults is 20 mg twice a day. Do not open the capsules.
"""


@pytest.fixture
def library(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    for name, text in (("Zorvexil.md", ZORVEXIL), ("Quolvane.md", QUOLVANE)):
        (tmp_path / name).write_text(text)
        assert own_workspace.library.ingest(tmp_path / name).state == "ready"
    return own_workspace


def in_blocks(answer: Answer) -> dict[str, list[Sentence]]:
    """Sentences by the subject of their block."""
    subjects = {block.n: block.subject for block in answer.blocks}
    found: dict[str, list[Sentence]] = {}
    for one in answer.sentences:
        found.setdefault(subjects[one.block], []).append(one)
    return found


def test_the_sentence_that_answers_is_decisive_in_its_paragraph(library: Workspace) -> None:
    answer = library.chat.answer("What is the recommended dose of Zorvexil for adults?")
    (told,) = in_blocks(answer).values()
    assert [one.text for one in told if one.decisive] == [
        "The recommended dose of Zorvexil for adults is 5 mg once a day."
    ]
    assert {one.text for one in told if not one.decisive} == {
        "Swallow the tablets whole.",
        "Take it at the same time each day.",
    }
    (block,) = answer.blocks
    assert block.subject == "Zorvexil 5 mg tablets" and block.place == "Zorvexil.md"
    assert "How to take Zorvexil" in block.heading


def test_each_medicine_has_its_block(library: Workspace) -> None:
    answer = library.chat.answer(
        "What is the recommended dose of Zorvexil, and what is the recommended dose of Quolvane?"
    )
    subjects = [subject.split()[0] for subject in in_blocks(answer)]
    assert sorted(subjects) == ["Quolvane", "Zorvexil"]
    decisive = {
        subject: [o.text for o in told if o.decisive] for subject, told in in_blocks(answer).items()
    }
    for subject, amount in (("Zorvexil", "5 mg"), ("Quolvane", "20 mg")):
        (found,) = [told for name, told in decisive.items() if name.startswith(subject)]
        assert any(amount in one for one in found)
    assert [one.n for one in answer.blocks] == list(range(1, len(answer.blocks) + 1))


@pytest.mark.parametrize(
    "question", ["What side effects has Zorvexil?", "Can Zorvexil make my ankles swell?"]
)
def test_a_number_in_the_lead_in_of_a_list_is_cited(library: Workspace, question: str) -> None:
    answer = library.chat.answer(question)
    listed = [one for one in answer.sentences if one.items]
    assert listed and all(one.decisive for one in listed), "a list is one statement"
    for one in listed:
        assert one.text.startswith("Up to 1 in 10 people who take 5 mg")
        cited = [c for c in answer.citations if c.n in one.citations]
        assert invented_quantities(one, cited) == []
        quotes = " ".join(c.quote for c in cited if isinstance(c, DocumentCitation))
        said = " ".join(quotes.split())
        assert all(one.text[begin:end] in said for begin, end in one.items)
    for citation in answer.citations:
        assert isinstance(citation, DocumentCitation)
        page = library.library_store.page(citation.document_id, citation.page)
        assert page is not None and page.text[citation.start : citation.end] == citation.quote


def test_one_document_has_its_blocks_side_by_side(sample_workspace: Workspace) -> None:
    """And no sentence twice, whatever is asked."""
    for question in (
        "Can I take ibuprofen with warfarin?",
        "Which medicines must not be taken in pregnancy?",
    ):
        answer = sample_workspace.chat.answer(question)
        documents = [one.document_id for one in answer.blocks]
        runs = [one for place, one in enumerate(documents) if documents[place - 1 : place] != [one]]
        assert len(runs) == len(set(runs))
        texts = [one.text for one in answer.sentences]
        assert len(texts) == len(set(texts))


def test_beside_a_list_stands_only_what_speaks_of_its_members(sample_workspace: Workspace) -> None:
    borne_out = sample_workspace.chat.answer("Which drugs can cause tendon rupture?")
    (sentence,) = [one for one in borne_out.sentences if one.block]
    assert sentence.support is Support.BOTH and "tendon rupture" in sentence.text
    alone = sample_workspace.chat.answer("Which drugs target F10?")
    assert all(isinstance(one, GraphCitation) for one in alone.citations) and not alone.blocks
    assert alone.state is State.ANSWERED


def test_the_three_states(sample_workspace: Workspace) -> None:
    answered = sample_workspace.chat.answer("When must metformin not be taken?")
    assert answered.state is State.ANSWERED
    closest = sample_workspace.chat.answer("Can sertraline tablets be split?")
    assert closest.state is State.MAY_NOT_ANSWER and closest.blocks
    assert closest.confidence is not None and closest.confidence < 0.6
    refused = sample_workspace.chat.answer("What is the capital of France?")
    assert refused.state is State.NOT_IN_LIBRARY and not refused.blocks


BOXED = """# Zorvexil 5 mg tablets

WARNING: SERIOUS LIVER INJURY

Zorvexil can cause liver injury that ends in death. Measure liver enzymes before the first dose:

- monthly in the first 3 months
- every 6 months after that

## 2. Dosage and administration

The recommended dose of Zorvexil for adults is 5 mg once a day.

## 5. Storage

Keep Zorvexil below 25 °C in its box.
"""


# As labels of the older form have it: the word alone, before all sections.
BOXED_ALONE = BOXED.replace(": SERIOUS LIVER INJURY", "")


@pytest.mark.parametrize("boxed", [BOXED, BOXED_ALONE])
def test_a_boxed_warning_travels_with_the_dose(
    own_workspace: Workspace, tmp_path: Path, boxed: str
) -> None:
    for name, text in (("Zorvexil.md", boxed), ("Quolvane.md", QUOLVANE)):
        (tmp_path / name).write_text(text)
        assert own_workspace.library.ingest(tmp_path / name).state == "ready"
    answer = own_workspace.chat.answer("What is the recommended dose of Zorvexil for adults?")
    first, last = answer.blocks[0], answer.blocks[-1]
    assert not first.boxed_warning and last.boxed_warning
    assert last.heading in ("WARNING: SERIOUS LIVER INJURY", "WARNING")
    assert last.subject == "Zorvexil 5 mg tablets"
    told = [one for one in answer.sentences if one.block == last.n]
    assert told == list(answer.sentences[-len(told) :]) and not any(one.decisive for one in told)
    said = " ".join(one.text for one in told)
    assert said.startswith("Zorvexil: Zorvexil can cause liver injury that ends in death.")
    assert "monthly in the first 3 months" in said and "5 mg" not in said
    assert all(one.support is Support.DOCUMENT and one.citations for one in told)
    for question in (
        "How is Zorvexil stored?",
        "What is the recommended dose of Quolvane for adults?",
    ):
        other = own_workspace.chat.answer(question)
        assert other.blocks and not any(block.boxed_warning for block in other.blocks)
