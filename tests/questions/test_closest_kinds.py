"""Where words were not understood, the likeliest kind of question is carried out if all its words are vouched
for, and offered if not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.domain.plans import words_left_out
from core.domain.vectors import TokenVectors
from core.encoders.fine_tuned import question_model
from core.errors import ModelError
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.closest.kinds import NONE, SLOT, ClosestKind, kinds
from core.questions.closest.meaning import same_meaning
from core.questions.planned import Listed
from core.questions.planning import Planner
from core.resources import read_table
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Metformin", importance=0.9),
    Entity("D2", "Drug", "Ibuprofen", importance=0.4),
    Entity("S1", "Disease", "gout", importance=0.8),
    Entity("S2", "ClinicalDisease", "asthma", importance=0.8),
    Entity("E2", "Phenotype", "Asthma", importance=0.2),
    Entity("P1", "Protein", "ADRB1", importance=0.7),
]
RELATIONSHIPS = [
    Relationship("D1", "TREATS", "S1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("D2", "TARGETS", "P1"),
    Relationship("D2", "TREATS", "S2"),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "E2"),
    Relationship("D2", "PALLIATES", "S1"),
]


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("closest")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph), ClosestKind(question_model().read))


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "same", "left"),
    [
        (
            "For the target ADRB1, what topical drugs exist?",
            "Which drugs target ADRB1?",
            {"topical"},
        ),
    ],
)
def test_the_closest_is_offered_and_says_what_it_leaves_out(
    planner: Planner, question: str, same: str, left: set[str]
) -> None:
    read, whole = planner.read(question), planner.read(same)
    assert read is not None and whole is not None and whole.plan.complete
    assert not read.plan.complete and read.closest
    assert read.offer == whole.plan and read.offered == whole.understood
    assert left <= set(words_left_out(read.plan, read.offer)), read.plan.left_over
    assert whole.offer is None and not whole.closest


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "same", "over"),
    [
        (
            "targets exploited by gout therapies",
            "What are the targets of drugs for gout?",
            ("exploited",),
        ),
        (
            "Among treatments of gout, pick those hitting ADRB1.",
            "Which drugs treat gout and target ADRB1?",
            ("pick",),
        ),
        ("Verify that Metformin hits ADRB1.", "Does Metformin target ADRB1?", ("Verify",)),
        (
            "Lay out what Metformin targets against what Ibuprofen targets.",
            "Compare the targets of Metformin and Ibuprofen.",
            ("Lay",),
        ),
        ("For the target ADRB1, what drugs exist?", "Which drugs target ADRB1?", ()),
        (
            "Drugs that are aimed at ADRB1, for my handout, thx",
            "Which drugs target ADRB1?",
            ("handout", "thx"),
        ),
        ("dig out drugs for asthma", "Which drugs treat asthma?", ("dig",)),
        ("full roster of the drugs for asthma", "Which drugs treat asthma?", ("roster",)),
    ],
)
def test_the_closest_is_carried_out_where_nothing_narrows(
    planner: Planner, question: str, same: str, over: tuple[str, ...]
) -> None:
    read, whole = planner.read(question), planner.read(same)
    assert read is not None and whole is not None
    assert read.likened and read.plan == whole.plan and read.understood == whole.understood
    assert read.passed_over == over and read.offer is None
    assert not whole.likened


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("follow_up", "same"),
    [
        ("What does that come to in total?", "How many of them are there?"),
        ("Hand over the complete roster.", "List all of them."),
        ("Drop whichever hit ADRB1.", "Which of them do not target ADRB1?"),
        ("And the runner-up's targets?", "Which proteins does the second one target?"),
    ],
)
def test_what_goes_on_about_a_list_is_likened_too(
    planner: Planner, follow_up: str, same: str
) -> None:
    first = planner.read("Which drugs treat gout?")
    assert first is not None
    told = Listed(first.plan.sets[0], (ENTITIES[0], ENTITIES[1]))
    read, whole = planner.read(follow_up, told), planner.read(same, told)
    assert read is not None and whole is not None and whole.plan.complete
    assert read.likened and read.of_before and same_meaning(read.plan, whole.plan)
    alone = planner.read(follow_up)
    assert alone is None or not (alone.likened and alone.of_before)


@pytest.mark.parametrize(
    "said",
    [
        "the second one",
        "Which of them don't?",
        "thanks!",
        "Thank you, that helps",
        "ok",
        "vielen Dank",
        "bedankt",
        "I don't understand",
    ],
)
def test_what_asks_for_nothing_is_not_likened(planner: Planner, said: str) -> None:
    first = planner.read("Which drugs treat gout?")
    assert first is not None
    read = planner.read(said, Listed(first.plan.sets[0], (ENTITIES[0], ENTITIES[1])))
    assert read is None or not read.plan.complete, read.understood


@pytest.mark.req("KG-14")
def test_german_and_dutch_are_likened_and_answered_in_their_language(planner: Planner) -> None:
    same = planner.read("Which drugs treat gout?")
    read = planner.read("Tegen gout, wat bestaat er aan medicatie?")
    assert read is not None and same is not None and same_meaning(read.plan, same.plan)
    assert read.likened and read.understood == "Geneesmiddelen die gout behandelen"


@pytest.mark.req("KG-14")
def test_a_known_kind_that_is_certain_overrules_another_that_the_words_seem_to_say(
    planner: Planner,
) -> None:
    read = planner.read("gout: what drugs are there for palliation?")
    same = planner.read("Which drugs palliate gout?")
    assert read is not None and same is not None and not same.likened
    assert read.likened and same_meaning(read.plan, same.plan)
    words_alone = Planner(planner.graph, planner.names).read(
        "gout: what drugs are there for palliation?"
    )
    assert words_alone is not None and not same_meaning(words_alone.plan, same.plan)


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "narrowed",
    [
        "what {} drugs exist?",
        "what drugs exist {}?",
    ],
)
@pytest.mark.parametrize("word", ["topical", "not", "in children", "most common", "2", "in mice"])
def test_a_narrowing_word_is_never_passed_over(planner: Planner, narrowed: str, word: str) -> None:
    read = planner.read(f"For the target ADRB1, {narrowed.format(word)}")
    assert read is None or not read.plan.complete, read.passed_over


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "question",
    [
        "For the target ADRB1, what was the first drug?",
        "For the target ADRB1, what drugs exist that hit nothing else?",
        "For the target ADRB1, what drugs exist, and why?",
        "For the target ADRB1, only selective drugs please.",
        "For the target ADRB1, what drugs exist besides beta blockers?",
        "For the target ADRB1, what drugs have been on sale since 2015?",
        "For the target ADRB1, what drugs exist that a pregnant woman may take?",
        "Drugs for gout, the cheapest ones.",
        "Drugs for gout that can be bought over the counter.",
        "Round up the injectable drugs for gout.",
        "Round up gout drugs with few interactions.",
    ],
)
def test_a_narrowing_clause_is_never_passed_over(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is None or not read.plan.complete, read.passed_over


@pytest.mark.req("KG-14")
def test_a_name_of_two_types_is_not_taken_for_the_other(planner: Planner) -> None:
    for question in ("Which drugs aggravate asthma?", "Which drugs set asthma back?"):
        read = planner.read(question)
        assert read is None or not read.likened, question


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "question",
    [
        "Pick the drugs that treat gout or hit ADRB1.",
        "Pick the drugs that hit ADRB1 and do not treat gout.",
        "Pick everything for gout or for asthma.",
        "Pick the elderly gout drugs that hit ADRB1.",
        "Pick which drugs for gout are metabolised by ADRB1.",
    ],
)
def test_likeness_never_passes_over_what_joins_or_denies(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is None or not read.likened, read.understood


def test_a_name_of_two_types_and_a_not_that_nobody_said(planner: Planner) -> None:
    """ "Gout drugs in asthma" are not those without asthma as a side effect."""
    read = planner.read("Pick gout drugs in asthma.")
    assert read is None or not (read.likened and read.plan.denies)


def test_a_word_beside_a_name_is_never_passed_over(planner: Planner) -> None:
    for question in (
        "Rx for juvenile gout, what is there?",
        "Targets on record, topical Metformin?",
    ):
        read = planner.read(question)
        assert read is None or not read.plan.complete, question


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs are in phase III trials for gout?",  # no graph answers it
        "Which transporters ferry Metformin?",  # this graph has no such relationship
        "What is the half-life of Metformin?",
        "For juvenile gout, what drugs exist?",  # a narrower name has an offer of its own
    ],
)
def test_nothing_is_offered_that_cannot_be_computed(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is None or (not read.plan.complete and not read.closest), read.offered


def test_what_is_understood_but_for_a_word_keeps_its_own_offer(planner: Planner) -> None:
    read = planner.read("Which topical drugs treat gout?")
    assert read is not None and read.offer is not None and not read.closest


def test_without_the_model_nothing_is_offered(planner: Planner) -> None:
    def away(_texts: Sequence[str]) -> Sequence[TokenVectors]:
        raise ModelError("away")

    alone = Planner(planner.graph, planner.names, ClosestKind(away))
    read = alone.read("For the target ADRB1, what drugs exist?")
    assert read is not None and not read.plan.complete and read.offer is None


def test_every_kind_that_is_offered_was_learned_and_has_slots_that_can_be_masked() -> None:
    table = read_table(str(Path("core/questions/closest/kinds.py").resolve()), "wordings.toml")
    model = kinds()
    assert NONE in model.labels and set(table["wordings"]) <= set(model.labels)
    slots = {
        re.sub(r"\d", "", one) for text in table["wordings"].values() for one in SLOT.findall(text)
    }
    assert slots == set(table["slots"].values()) == set(table["masks"])
