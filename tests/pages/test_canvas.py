"""What the component that draws the graph is handed."""

from __future__ import annotations

import json
from typing import Any

from core.domain.graph import Entity, Fact
from pages.parts.graph import canvas
from pages.parts.graph.canvas_inks import LIGHT
from pages.parts.graph.canvas_names import Name, with_room

EVIL = "<img src=x onerror=alert(1)>"
A = Entity("DB1", "Drug", "Alphacillin")
B = Entity("DB2", "Drug", EVIL)
C = Entity("D1", "Disease", "gout")
TREATS, ALSO = Fact(A, "TREATS", C), Fact(B, "TREATS", C)


def _drawn(**changed: Any) -> dict[str, list[dict[str, Any]]]:
    given: dict[str, Any] = {
        "entities": [A, B, C],
        "facts": [TREATS, ALSO],
        "selected": "",
        "highlighted": (),
        "view": canvas._View(),
        "strong": (),
        "positions": {"DB1": (0.0, 0.0), "DB2": (300.0, 0.0), "D1": (150.0, 150.0)},
    }
    return canvas.drawing(**{**given, **changed})


def _rims(drawn: dict[str, list[dict[str, Any]]]) -> list[str]:
    return [node["color"]["border"] for node in drawn["nodes"]]


def test_ids_say_nothing_and_nodes_have_no_title() -> None:
    drawn = _drawn()
    for node in drawn["nodes"]:
        assert node["id"].startswith("n") and node["id"][1:].isdigit()
        assert "title" not in node and node["div"] == {"innerHTML": ""}
    text = json.dumps(drawn)
    assert "DB1" not in text and "D1" not in text
    known = {node["id"] for node in drawn["nodes"]}
    assert all({edge["from"], edge["to"]} <= known for edge in drawn["edges"])
    assert len({edge["id"] for edge in drawn["edges"]}) == 2


def test_hostile_name_is_in_texts_only() -> None:
    drawn = _drawn()
    evil = drawn["nodes"][1]
    assert evil["label"].replace("\n", " ") == EVIL
    assert [key for key, value in evil.items() if "<" in str(value)] == ["label"]
    edge = drawn["edges"][1]
    assert edge["title"] == f"{EVIL} treats gout"
    assert [key for key, value in edge.items() if "<" in str(value)] == ["title"]


def test_selected_has_a_dark_rim_and_the_conversations_a_golden_ring() -> None:
    white, gold, ink = LIGHT.paper, LIGHT.ring, LIGHT.ink
    assert _rims(_drawn()) == [white, white, white]
    drawn = _drawn(selected="DB2", highlighted={"DB2", "D1"})
    assert _rims(drawn) == [white, ink, gold]
    glows = [node["shadow"]["enabled"] for node in drawn["nodes"]]
    assert glows == [False, True, False]
    assert drawn["nodes"][1]["shadow"]["color"] == gold


def test_path_is_drawn_strong_and_named() -> None:
    strong, other = _drawn(strong={TREATS.key}, selected="DB2")["edges"]
    assert strong["color"]["color"] == LIGHT.strong and strong["label"] == "treats"
    assert strong["width"] > 2 * other["width"]
    assert other["color"]["color"] != LIGHT.strong and not other["label"].strip()


def test_relationships_are_named_where_they_are_few() -> None:
    assert [edge["label"] for edge in _drawn()["edges"]] == ["treats", "treats"]
    many = [Entity(f"E{n}", "Phenotype", f"effect {n}") for n in range(30)]
    facts = [*(Fact(A, "CAUSES_SIDE_EFFECT", one) for one in many), TREATS, ALSO]
    entities = [A, B, C, *many]
    drawn = _drawn(
        entities=entities,
        facts=facts,
        positions={one.id: (40.0 * n, 0.0) for n, one in enumerate(entities)},
        selected="D1",
    )
    named = [edge["title"] for edge in drawn["edges"] if edge["label"].strip()]
    assert named == ["Alphacillin treats gout", f"{EVIL} treats gout"]


def test_facts_of_a_pair_share_a_line() -> None:
    drawn = _drawn(facts=[TREATS, Fact(A, "PREVENTS", C)])
    assert len(drawn["edges"]) == 1
    assert drawn["edges"][0]["title"].startswith("Alphacillin treats / ")


def test_ids_last_until_a_click_and_another_entity_never_gets_one() -> None:
    view = canvas._View()
    first = [node["id"] for node in _drawn(view=view)["nodes"]]
    again = _drawn(view=view, entities=[B, C], facts=[ALSO])["nodes"]
    assert [node["id"] for node in again] == first[1:]
    view.rename("DB2")
    assert view.call("DB2") not in first
    assert view.call("DB1") == first[0]


def test_drawing_is_fitted_again_only_when_it_outgrows_the_canvas() -> None:
    view = canvas._View()
    view.fit([(0.0, 0.0), (300.0, 300.0)], 460)
    key = view.key
    view.fit([(10.0, 10.0)], 460)
    view.fit([(0.0, 0.0), (310.0, 300.0)], 460)
    assert view.key == key
    view.fit([(0.0, 0.0), (900.0, 300.0)], 460)
    assert view.key != key and view.scale < 1


def test_names_without_room_are_those_of_less_important_nodes() -> None:
    names = {
        "low": Name(["a name"], (0.0, 0.0), 0.1),
        "high": Name(["another"], (5.0, 5.0), 0.9),
        "apart": Name(["a third"], (0.0, 100.0), 0.0),
    }
    assert with_room(names, 12.0) == {"high", "apart"}
