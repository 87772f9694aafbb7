"""Questions in German and Dutch become the plans that English ones become; what nobody knows is left over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.domain.plans import Gap, Named, Plan, Selection, Want
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.planned import Listed
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.contract.test_plans import (
    DISEASES,
    DRUGS,
    EFFECTS,
    ENTITIES,
    KINDS,
    PROTEINS,
    RELATIONSHIPS,
    drugs,
    of,
    said,
)
from tests.support.graphs import graph_data

# {d} and {e} are diseases, {p} and {q} a protein and an effect, as in KINDS.
PHRASINGS = {
    ("de", "list"): (
        "Welche Medikamente behandeln {d}?",
        "Womit wird {d} behandelt?",
        "Arzneimittel gegen {d}",
        "Welche Wirkstoffe werden bei {d} eingesetzt?",
        "Welche Medikamente setzt man bei {d} ein?",
        "Nenne mir bitte Arzneimittel, die {d} behandeln.",
        "Was hilft gegen {d}?",
    ),
    ("de", "both"): (
        "Welche Medikamente behandeln sowohl {d} als auch {e}?",
        "Welche Arzneimittel werden bei {d} und {e} eingesetzt?",
        "Medikamente, die {d} behandeln und {e} behandeln",
        "Welche Medikamente helfen gegen {d} und auch gegen {e}?",
        "Arzneimittel, die {d} und {e} behandeln",
        "Mit welchen Wirkstoffen werden {d} und {e} behandelt?",
    ),
    ("de", "either"): (
        "Welche Medikamente behandeln {d} oder {e}?",
        "Welche Arzneimittel werden entweder bei {d} oder bei {e} eingesetzt?",
        "Medikamente gegen {d} oder {e}",
        "Arzneimittel, die {d} oder {e} behandeln",
        "Womit wird {d} oder {e} behandelt?",
        "Welche Wirkstoffe helfen gegen {d} oder gegen {e}?",
    ),
    ("de", "but not"): (
        "Welche Medikamente behandeln {d} und wirken nicht auf {p}?",
        "Welche Arzneimittel, die {d} behandeln, greifen nicht an {p} an?",
        "Welche Medikamente gegen {d} adressieren {p} nicht?",
        "Medikamente gegen {d}, die nicht auf {p} wirken",
        "Arzneimittel, die {d} behandeln, aber {p} nicht adressieren",
        "Welche Wirkstoffe gegen {d} haben {p} nicht als Zielstruktur?",
        "Womit wird {d} behandelt, ohne {p} zu adressieren?",
    ),
    ("de", "neither"): (
        "Welche Medikamente gegen {d} wirken nicht auf {p} und verursachen kein {q}?",
        "Medikamente, die {d} behandeln, aber nicht auf {p} wirken und kein {q} auslösen",
        "Welche Arzneimittel behandeln {d}, wirken nicht auf {p} und lösen kein {q} aus?",
        "Arzneimittel gegen {d}, die {p} nicht adressieren und {q} nicht verursachen",
        "Medikamente gegen {d}, ohne {p} als Zielstruktur und ohne {q} als Nebenwirkung",
        "Welche Medikamente behandeln {d}, adressieren {p} nicht und verursachen {q} nicht?",
    ),
    ("de", "two hops"): (
        "An welchen Proteinen greifen Medikamente gegen {d} an?",
        "Zielproteine der Arzneimittel, die {d} behandeln",
        "Welche Proteine werden von Wirkstoffen, die {d} behandeln, adressiert?",
        "Auf welche Proteine wirken die Medikamente gegen {d}?",
        "Welche Zielstrukturen haben die bei {d} eingesetzten Arzneimittel?",
        "Worauf wirken Medikamente, die {d} behandeln?",
    ),
    ("de", "count"): (
        "Wie viele Medikamente behandeln {d}?",
        "Anzahl der Arzneimittel gegen {d}",
        "Wieviele Wirkstoffe werden bei {d} eingesetzt?",
        "Mit wie vielen Medikamenten wird {d} behandelt?",
        "Wie viele Arzneimittel gibt es gegen {d}?",
        "Nenne mir die Zahl der Medikamente, die {d} behandeln.",
    ),
    ("de", "most"): (
        "Welches Medikament gegen {d} hat die meisten Zielproteine?",
        "Arzneimittel gegen {d} mit den meisten Zielstrukturen",
        "Welcher Wirkstoff, der {d} behandelt, wirkt auf die meisten Proteine?",
        "Welches Arzneimittel bei {d} hat die größte Anzahl an Zielproteinen?",
        "Welches der Medikamente gegen {d} hat die meisten Targets?",
        "Unter den Medikamenten gegen {d}: welches hat die meisten Zielstrukturen?",
    ),
    ("de", "compare"): (
        "Vergleiche die mit {d} assoziierten Proteine und die mit {e} assoziierten.",
        "Vergleiche die Proteine, die mit {d} und {e} assoziiert sind.",
        "Krankheitsgene von {d} im Vergleich zu {e}",
        "Worin unterscheiden sich die Krankheitsgene von {d} und {e}?",
        "Vergleich der Krankheitsgene von {d} und {e}",
        "Krankheitsgene von {d} gegenüber denen von {e}",
    ),
    ("nl", "list"): (
        "Welke geneesmiddelen behandelen {d}?",
        "Waarmee wordt {d} behandeld?",
        "Medicijnen tegen {d}",
        "Welke middelen worden bij {d} gebruikt?",
        "Noem graag geneesmiddelen die {d} behandelen.",
        "Wat helpt tegen {d}?",
    ),
    ("nl", "both"): (
        "Welke geneesmiddelen behandelen zowel {d} als {e}?",
        "Welke middelen worden bij {d} en {e} gebruikt?",
        "medicijnen die {d} behandelen en {e} behandelen",
        "Welke geneesmiddelen helpen tegen {d} en ook tegen {e}?",
        "geneesmiddelen die {d} en {e} behandelen",
        "Met welke middelen worden {d} en {e} behandeld?",
    ),
    ("nl", "either"): (
        "Welke geneesmiddelen behandelen {d} of {e}?",
        "Welke middelen worden hetzij bij {d}, hetzij bij {e} gebruikt?",
        "medicijnen tegen {d} of {e}",
        "geneesmiddelen die {d} of {e} behandelen",
        "Waarmee wordt {d} of {e} behandeld?",
        "Welke medicijnen helpen tegen {d} of tegen {e}?",
    ),
    ("nl", "but not"): (
        "Welke geneesmiddelen behandelen {d} en werken niet op {p}?",
        "Welke medicijnen die {d} behandelen, grijpen niet aan op {p}?",
        "medicijnen tegen {d} die niet op {p} werken",
        "Welke middelen tegen {d} hebben {p} niet als doelwit?",
        "Waarmee wordt {d} behandeld zonder {p} te raken?",
        "geneesmiddelen die {d} behandelen maar niet op {p} aangrijpen",
    ),
    ("nl", "two hops"): (
        "Op welke eiwitten grijpen medicijnen tegen {d} aan?",
        "doelwitten van de geneesmiddelen die {d} behandelen",
        "Welke eiwitten worden aangepakt door middelen die {d} behandelen?",
        "Op welke eiwitten werken de medicijnen tegen {d}?",
        "Welke doeleiwitten hebben de bij {d} gebruikte geneesmiddelen?",
        "aangrijpingspunten van de medicijnen tegen {d}",
    ),
    ("nl", "count"): (
        "Hoeveel geneesmiddelen behandelen {d}?",
        "aantal medicijnen tegen {d}",
        "Hoeveel middelen worden bij {d} gebruikt?",
        "Met hoeveel medicijnen wordt {d} behandeld?",
        "Hoeveel geneesmiddelen zijn er tegen {d}?",
        "Wat is het aantal geneesmiddelen dat {d} behandelt?",
    ),
    ("nl", "most"): (
        "Welk medicijn tegen {d} heeft de meeste doelwitten?",
        "geneesmiddel bij {d} met het grootste aantal doeleiwitten",
        "Welk middel dat {d} behandelt, heeft de meeste targets?",
        "Welk geneesmiddel tegen {d} grijpt op de meeste eiwitten aan?",
        "Welk van de medicijnen tegen {d} heeft de meeste doelwitten?",
        "Van de middelen tegen {d}: welk heeft het hoogste aantal aangrijpingspunten?",
    ),
}


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("plans")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph))


@pytest.mark.parametrize(
    "question",
    [
        "Wie viel {d} darf ein Patient unter {e} nehmen?",
        "Hoeveel {d} mag een patiënt met {e} nemen?",
        "Wie viel {d} nehmen Patienten?",
    ],
)
def test_how_much_of_a_medicine_is_no_question_to_the_graph(
    planner: Planner, question: str
) -> None:
    first, second = (one.name for one in list(DRUGS)[:2])
    assert planner.read(question.format(d=first, e=second)) is None


@given(
    asked=st.sampled_from([(key, each) for key, several in PHRASINGS.items() for each in several]),
    pair=st.permutations(DISEASES),
    protein=st.sampled_from(PROTEINS),
    effect=st.sampled_from(EFFECTS[:2]),
)
def test_a_plan_written_in_german_or_dutch_is_read_back(
    planner: Planner,
    asked: tuple[tuple[str, str], str],
    pair: list[Entity],
    protein: Entity,
    effect: Entity,
) -> None:
    (_, kind), phrasing = asked
    first, second, *_ = pair
    question = phrasing.format(d=first.name, e=second.name, p=protein.name, q=effect.name)
    read = planner.read(question)
    assert read is not None, question
    expected = KINDS[kind].plan(first, second, protein, effect)
    assert said(read.plan) == said(expected), (question, read.understood)


def test_each_kind_has_six_phrasings() -> None:
    assert all(len(several) >= 6 for several in PHRASINGS.values())


@pytest.mark.parametrize(
    "question",
    [
        # Verbs that nobody knows, and some that mean the opposite of one that is known.
        "Welche Medikamente verschlimmern gout?",
        "Welche Medikamente beugen gout vor?",
        "Medikamente, die gout verhindern",
        "Welche häufigen Nebenwirkungen hat Metformin?",
        "Welche Medikamente enthalten gout?",
        "Welke geneesmiddelen voorkomen gout?",
        "Welke middelen verergeren gout?",
        "Welke medicijnen bevatten gout?",
        # Narrower than the name.
        "Welche Medikamente behandeln juvenile gout?",
        "Welke medicijnen behandelen ernstige gout?",
        # Who is meant is not said.
        "Welche Medikamente behandeln gout nicht?",
        "Welke medicijnen behandelen gout niet?",
        "Which drugs express gout?",
    ],
)
def test_what_has_no_part_is_left_over_in_every_language(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is None or not read.plan.complete, read.understood


@pytest.mark.parametrize(
    "question",
    ["Medikamente gegen Masern", "Medicijnen tegen mazelen", "Behandelt Metformin Masern?"],
)
def test_a_name_that_the_graph_does_not_have_gives_no_list(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is None or not read.plan.complete


@pytest.mark.parametrize(
    ("question", "of_english"),
    [
        ("Medikamente gegen Gicht", "drugs for gout"),
        ("Medicijnen tegen jicht", "drugs for gout"),
        ("Behandelt Metformin Gicht?", "Does metformin treat gout?"),
        ("Wie viele Medikamente behandeln Morbus Crohn?", "How many drugs treat Crohn's disease?"),
        (
            "Welche Medikamente behandeln Gicht und verursachen keine Übelkeit?",
            "Which drugs treat gout and do not cause nausea?",
        ),
        (
            "Welke medicijnen behandelen de ziekte van Crohn of jicht?",
            "Which drugs treat Crohn's disease or gout?",
        ),
    ],
)
def test_names_in_german_and_dutch_are_those_of_the_graph(
    planner: Planner, question: str, of_english: str
) -> None:
    read, english = planner.read(question), planner.read(of_english)
    assert read is not None and english is not None and english.plan.complete
    assert said(read.plan) == said(english.plan)


@pytest.mark.parametrize(
    ("question", "unknown", "choices"),
    [
        ("Which drugs treat diabetes?", "diabetes", ["type 2 diabetes mellitus"]),
        ("Welche Medikamente behandeln Diabetes?", "Diabetes", ["type 2 diabetes mellitus"]),
        (
            "Wie viele Medikamente behandeln die Zuckerkrankheit?",
            "Zuckerkrankheit",
            ["type 2 diabetes mellitus"],
        ),
        ("Welke medicijnen helpen bij diabetes?", "diabetes", ["type 2 diabetes mellitus"]),
        ("Which drugs treat blorbitis?", "blorbitis", []),
        ("Welche Medikamente helfen bei Masern?", "Masern", []),
    ],
)
def test_a_name_that_is_unknown_or_of_several_is_said_so(
    planner: Planner, question: str, unknown: str, choices: list[str]
) -> None:
    read = planner.read(question)
    assert read is not None
    (left,) = read.plan.left_over
    assert (left.text, left.gap) == (unknown, Gap.UNKNOWN)
    assert [one.name for one in left.choices] == choices


@pytest.mark.parametrize(
    "question",
    [
        "Which topical drugs are there?",
        "Which drugs worsen blorbitis?",  # no relationship that anybody knows is said
        "Which drugs interact with Xyzolin?",  # documents may be about it
        "What are the side effects of Xyzolin?",
        "Which diseases does Xyzolin treat?",
    ],
)
def test_what_may_be_a_medicine_of_the_documents_is_no_unknown_name(
    planner: Planner, question: str
) -> None:
    read = planner.read(question)
    assert read is None or not read.plan.lacks_name


@pytest.mark.parametrize(
    "question",
    [
        "Behandelt Metformin gout?",
        "Wird gout mit Metformin behandelt?",
        "Kann man mit Metformin gout behandeln?",
        "Hilft Metformin gegen gout?",
        "Behandelt Metformin wel gout?",
        "Wordt gout met Metformin behandeld?",
        "Helpt Metformin tegen gout?",
    ],
)
def test_a_verb_that_comes_first_asks_for_yes_or_no(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is not None and read.plan.complete, question
    assert read.plan.want is Want.YES_NO and len(read.plan.subjects) == 1
    ends = {*read.plan.subjects[0].ids, *_end(read.plan.sets[0]).ids}
    assert {"D1", "S3"} <= ends


@pytest.mark.parametrize(
    "question",
    [
        "Welche davon wirken nicht auf ADRB1?",
        "Und welche von diesen greifen nicht an ADRB1 an?",
        "Welke daarvan werken niet op ADRB1?",
        "En welke van deze grijpen niet aan op ADRB1?",
    ],
)
def test_the_list_before_is_spoken_of(planner: Planner, question: str) -> None:
    treat = drugs((of("TREATS", DISEASES[0]),))
    read = planner.read(question, Listed(treat, tuple(DRUGS[:2])))
    assert read is not None and read.of_before
    expected = Plan(
        Want.LIST, (drugs((of("TREATS", DISEASES[0]),), (of("TARGETS", PROTEINS[0], True),)),)
    )
    assert said(read.plan) == said(expected), read.understood


def test_names_keep_a_short_question_english(planner: Planner) -> None:
    read = planner.read("Metformin targets")
    assert read is not None and read.plan.complete


def test_negation_at_the_end_reaches_its_own_clause_alone(planner: Planner) -> None:
    read = planner.read("Welche Medikamente, die gout behandeln, adressieren ADRB1 nicht?")
    assert read is not None and not [one for one in read.plan.left_over if one.gap is Gap.NEGATION]
    assert [one.negated for one in read.plan.sets[0].all_conditions()] == [False, True]


def _end(selection: Selection) -> Named:
    (condition,) = selection.all_conditions()
    assert isinstance(condition.of, Named)
    return condition.of
