"""What the canvas is handed, what stays of the library that draws it, and the small pictures in answers."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from core.domain.answers import GraphCitation
from core.domain.graph import Entity, Fact, Path
from core.graph import phrases
from core.resources import read_table
from pages.parts.graph.canvas import library
from pages.parts.graph.canvas.drawing import Drawing, drawing_data, fact_key, kinds_of
from pages.parts.graph.canvas.looks import line_look, type_shape
from pages.parts.graph.canvas.places import path_places
from pages.parts.graph.picture.inks import LIGHT
from pages.parts.graph.picture.picture import MOST_RELATIONSHIPS, graph_part, picture_data

EVIL = "<img src=x onerror=alert(1)>"
A = Entity("DB1", "Drug", "Alphacillin", properties={"half_life": "about 2 hours"}, degree=7)
B = Entity("DB2", "Drug", EVIL)
C = Entity("D1", "Disease", "gout")
D = Entity("D2", "ClinicalDisease", "asthma")
TREATS, ALSO, MORE = Fact(A, "TREATS", C), Fact(B, "TREATS", C), Fact(A, "PREVENTS", C)
PLACES = {"DB1": (0.0, 0.0), "DB2": (300.0, 0.0), "D1": (150.0, 150.0), "D2": (0.0, 300.0)}


def _data(**more: Any) -> dict[str, Any]:
    given = {"entities": [A, B, C, D], "facts": [TREATS, ALSO, MORE], "places": PLACES}
    return drawing_data(Drawing(**{**given, **more}))


def test_the_library_is_the_file_that_was_published() -> None:
    assert hashlib.sha256(library.FILE.read_bytes()).hexdigest() == library.SHA256
    assert f"@version {library.VERSION}" in library.FILE.read_text("utf-8")[:600]


def test_a_node_tells_what_it_is() -> None:
    node = _data(newest={"DB1"}, older={"D1"}, pinned={"D1"}, strong={ALSO.key})["nodes"]
    assert node[0]["name"] == "Alphacillin" and node[0]["kind"] == "Drug"
    assert node[0]["degree"] == 7 and node[0]["about"] == "Half-life: about 2 hours"
    assert [one["mark"] for one in node] == [2, 0, 1, 0]
    assert [one["pinned"] for one in node] == [False, False, True, False]
    assert [one["strong"] for one in node] == [False, True, True, False]


def test_a_disease_with_clinical_text_is_a_disease_to_the_eye() -> None:
    disease, clinical = _data()["nodes"][2:]
    for what in ("kind", "shape", "colour"):
        assert disease[what] == clinical[what]
    assert kinds_of([A, C, D], ["ClinicalDisease"]) == {"Drug": (1, True), "Disease": (2, False)}


def test_each_relationship_has_a_line_of_its_own_that_says_it() -> None:
    data = _data(selected="DB1", line=MORE.key)
    lines = data["lines"]
    assert len({line["id"] for line in lines}) == 3
    assert [fact_key(line["id"]) for line in lines] == [TREATS.key, ALSO.key, MORE.key]
    assert lines[1]["says"] == f"{EVIL} treats gout"
    assert data["line"] == lines[2]["id"] and data["selected"] == ""
    assert fact_key("no key") is None


def test_types_differ_in_shape_and_relationships_in_colour_or_dashes() -> None:
    shapes = {type_shape(kind) for kind in ("Drug", "Disease", "Protein", "Phenotype", "Pathway")}
    assert len(shapes) == 5
    known = {kind: line_look(kind) for kind in read_table(phrases.__file__, "phrases.toml")}
    assert len(known) >= 31 and len(set(known.values())) == len(known)
    others = [line_look(f"TYPE_{number}") for number in range(3_000)]
    assert not set(others) & set(known.values()) and len(set(others)) == 96


def test_a_relationship_looks_alike_whatever_else_the_graph_has() -> None:
    """An import that brings other types changes no line: "interacts with" had got the look of "treats"."""
    new = Fact(A, "AAA_NEW", B)
    before, after = _data(facts=[TREATS])["lines"], _data(facts=[TREATS, new])["lines"]
    looks = [
        {line["type"]: (line["colour"], line["dash"]) for line in some} for some in (before, after)
    ]
    assert looks[1]["TREATS"] == looks[0]["TREATS"] == line_look("TREATS")
    assert looks[1]["AAA_NEW"] == line_look("AAA_NEW") != looks[0]["TREATS"]


def test_paths_share_their_ends_and_stand_below_each_other() -> None:
    long = Path((A, B, D, C), (), (), 0.0)
    short = Path((A, C), (), (), 0.0)
    places = path_places([short, long])
    assert places["DB1"][0] == 0 and places["D1"][0] == max(x for x, _ in places.values())
    assert len(set(places.values())) == 4


def _cited(n: int, source: Entity, target: Entity) -> GraphCitation:
    ends = (source.id, source.name, source.type, "TREATS", target.id, target.name, target.type)
    return GraphCitation(n, *ends, 1.0)


def test_a_picture_shows_the_cited_relationship_among_those_of_its_answer() -> None:
    shown, beside, apart = _cited(1, A, C), _cited(2, B, C), _cited(3, B, D)
    assert graph_part([apart, beside, shown], shown) == [shown, beside, apart]
    many = [_cited(n, Entity(f"X{n}", "Drug", "x"), C) for n in range(40)]
    assert len(graph_part([shown, *many], shown)) == MOST_RELATIONSHIPS
    data, ids = picture_data([shown, beside], shown, "7")
    strong, usual = data["edges"]
    assert strong["color"]["color"] == LIGHT.strong and strong["label"] == "treats"
    assert strong["width"] > 2 * usual["width"] and not usual["label"].strip()
    assert sorted(ids.values()) == ["D1", "DB1", "DB2"]
    # It is wide, not high: so are names, and the place it stands in.
    around = [_cited(n, Entity(f"X{n}", "Drug", f"x{n}"), C) for n in range(9)]
    nodes = picture_data(around, around[0], "7")[0]["nodes"]
    wide, high = (max(n[axis] for n in nodes) - min(n[axis] for n in nodes) for axis in "xy")
    assert wide > 1.2 * high
    # After a click ids are new: the component gives back its last click in every run.
    assert not ids.keys() & picture_data([shown, beside], shown, "8")[1].keys()


def test_names_in_a_picture_stand_in_lines_that_a_phone_does_not_cut() -> None:
    long = Entity("D9", "Disease", "recent major surgery of the thyroid")
    labels = [
        n["label"] for n in picture_data([_cited(1, A, long)], _cited(1, A, long), "0")[0]["nodes"]
    ]
    assert labels == ["Alphacillin", "recent\nmajor\nsurgery of\nthe thyroid"]


def test_a_picture_hands_over_no_title_and_no_id() -> None:
    shown = _cited(1, B, C)
    data, ids = picture_data([shown], shown, "0")
    evil = data["nodes"][0]
    assert evil["label"].replace("\n", " ") == EVIL
    assert [key for key, value in evil.items() if "<" in str(value)] == ["label"]
    for node in data["nodes"]:
        assert node["id"] in ids and "title" not in node and node["div"] == {"innerHTML": ""}
    assert "DB2" not in json.dumps(data) and '"D1"' not in json.dumps(data)
