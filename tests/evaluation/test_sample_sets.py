"""No expectation of the question sets is invented: each stands in the sample's files."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from core.documents.cutting.sections import SECTION_CODES
from core.evaluation.judging import has_string
from core.evaluation.questions import SAMPLE_SET, Question, read_questions
from core.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
CALIBRATION = ROOT / "bench" / "questions"
QUESTIONS = read_questions(SAMPLE_SET)
SETS = {"sample": QUESTIONS, "calibration": read_questions(CALIBRATION / "sample.jsonl")}


@pytest.fixture(scope="module")
def pages(sample_workspace: Workspace) -> dict[tuple[str, int], str]:
    """Text of every page of the leaflets, as the product extracts it."""
    store = sample_workspace.library_store
    return {
        (document.file, page.number): page.text
        for document in store.documents("leaflets")
        for page in store.pages(document.id)
    }


@pytest.fixture(scope="module")
def names() -> set[str]:
    with (ROOT / "data" / "graph" / "nodes.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"] for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", SETS)
def test_documents_and_pages_exist_and_have_the_answers(
    pages: dict[tuple[str, int], str], name: str
) -> None:
    with_document = [question for question in SETS[name] if question.document]
    assert with_document
    for question in with_document:
        assert question.pages, question.id
        places = [(question.document or "", page) for page in question.pages]
        places += [(file, page) for file, found in question.also.items() for page in found]
        assert all(place in pages for place in places), question.id
        own = " ".join(pages[place] for place in places if place[0] == question.document)
        missing = [wanted for wanted in question.answer if not has_string(own, wanted)]
        assert not missing, (question.id, missing)


def test_entities_and_strings_of_graph_questions_are_names_of_the_graph(names: set[str]) -> None:
    for question in QUESTIONS:
        assert set(question.entities or ()) <= names, question.id
        if question.answerable and not question.document and question.answer:
            for wanted in question.answer:
                assert any(has_string(name, wanted) for name in names), (question.id, wanted)


def test_one_hop_lists_are_all_that_the_file_has() -> None:
    """Such a list is all neighbours that some entity has by one type of relationship."""
    graph = ROOT / "data" / "graph"
    with (graph / "nodes.csv").open(encoding="utf-8", newline="") as file:
        name_of = {row["id"]: row["name"] for row in csv.DictReader(file)}
    neighbours: dict[tuple[str, str], set[str]] = {}
    with (graph / "relationships.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source, target = row["source"], row["target"]
            neighbours.setdefault((source, row["type"]), set()).add(name_of[target])
            neighbours.setdefault((target, row["type"]), set()).add(name_of[source])
    lists = [question for question in QUESTIONS if question.kind == "one-hop" and question.entities]
    assert len(lists) >= 20
    for question in lists:
        assert set(question.entities or ()) in neighbours.values(), question.id


def test_the_set_has_what_it_promises() -> None:
    kinds = Counter(question.kind for question in QUESTIONS)
    least = {"leaflet": 60, "one-hop": 20, "two-hop": 8, "both": 10, "unanswerable": 30}
    assert all(kinds[kind] >= number for kind, number in least.items())
    assert set(kinds) == set(least)
    leaflets = {question.document for question in QUESTIONS if question.kind == "leaflet"}
    assert leaflets == {path.name for path in (ROOT / "data" / "leaflets").glob("*.pdf")}
    sections = {question.section for question in QUESTIONS if question.document}
    assert sections == set(SECTION_CODES)
    assert all((one.kind == "unanswerable") is not one.answerable for one in QUESTIONS)
    texts = [question.question.casefold() for question in QUESTIONS]
    assert len(set(texts)) == len(texts)


def test_calibration_has_enough_of_both_and_repeats_no_question() -> None:
    labels: list[Question] = read_questions(CALIBRATION / "labels.jsonl")
    both = [*SETS["calibration"], *labels]
    assert sum(question.answerable for question in both) >= 60
    assert sum(not question.answerable for question in both) >= 60
    evaluated = {question.question.casefold() for question in QUESTIONS}
    assert not evaluated & {question.question.casefold() for question in both}
