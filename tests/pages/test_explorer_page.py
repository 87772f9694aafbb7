"""The explorer's page: search, filters, expansion, paths, the card, import, a graph that is away."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.workspace import Workspace
from pages.parts.graph.entity_card import identifier_words, property_label
from pages.parts.graph.entity_relationships import facts_page
from pages.parts.shared.entity_types import type_name
from pages.parts.shared.state import MOST_NODES
from tests.pages.conftest import ask
from tests.support.pdfs import make_pdf

OpenPage = Callable[..., AppTest]
MakeWorkspace = Callable[..., Workspace]
EXPLORER = "explorer.py"
HUB_SIDE_EFFECTS = 130

_NODES = """id,type,name,synonyms,half_life,identifiers
DB1,Drug,Alphacillin,Alfacin,about 2 hours,MESH:D000001|UniProt:P00001
DB2,Drug,Betamycin,,,
DB3,Drug,Gammaxan,,,
D1,Disease,gout,,,
D2,ClinicalDisease,asthma,,,
P1,Protein,PROTA,,,
LONE,Pathway,lonely pathway,,,
"""
_RELATIONSHIPS = """source,type,target
DB1,TREATS,D1
DB2,TREATS,D1
DB2,TREATS,D2
DB1,TARGETS,P1
DB3,TARGETS,P1
DB1,INTERACTS_WITH,DB2
"""


def write_graph(folder: Path, nodes: str = _NODES, relationships: str = _RELATIONSHIPS) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "nodes.csv").write_text(nodes, encoding="utf-8")
    (folder / "relationships.csv").write_text(relationships, encoding="utf-8")
    return folder


@pytest.fixture
def small(make_workspace: MakeWorkspace, tmp_path: Path) -> Workspace:
    """A workspace with the small graph above, and a drug with 130 side effects."""
    workspace = make_workspace()
    effects = "".join(f"E{n},Phenotype,effect {n:03},,,\n" for n in range(HUB_SIDE_EFFECTS))
    caused = "".join(f"DB3,CAUSES_SIDE_EFFECT,E{n}\n" for n in range(HUB_SIDE_EFFECTS))
    workspace.graph_tasks.import_folder(
        write_graph(tmp_path / "graph", _NODES + effects, _RELATIONSHIPS + caused)
    )
    return workspace


def test_entities_of_one_name_are_told_apart(
    make_workspace: MakeWorkspace, open_page: OpenPage, tmp_path: Path
) -> None:
    workspace = make_workspace()
    nodes = _NODES + "E1,Phenotype,Gout,,,\n"
    folder = write_graph(tmp_path / "graph", nodes, _RELATIONSHIPS + "DB3,CAUSES_SIDE_EFFECT,E1\n")
    workspace.graph_tasks.import_folder(folder)
    app = open_page(workspace, EXPLORER)
    app.text_input(key="entity_search").set_value("gout").run()
    text = _text(app)
    assert "2 relationships (TREATS 2)" in text
    assert "1 relationship (CAUSES_SIDE_EFFECT 1)" in text
    app.text_input(key="entity_search").set_value("gout (Disease)").run()
    assert any("gout" in label for label in _labels(app))
    assert "relationships (" not in _text(app)


def _text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    return " ".join(str(part.value) for part in parts).replace("\\", "")


def _labels(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button]


def _press(app: AppTest, label: str) -> AppTest:
    matching = [b for b in app.button if label in b.label.replace("\\", "")]
    assert matching, f"no button “{label}” among {_labels(app)}"
    app = matching[0].click().run()
    assert not app.exception
    return app


def _find(app: AppTest, query: str, name: str) -> AppTest:
    app.text_input(key="entity_search").set_value(query).run()
    return _press(app, name)


def _shown(app: AppTest) -> set[str]:
    return set(app.session_state["graph_shown"])


def test_results_say_their_type_and_can_be_added_to_the_canvas(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Alpha", "Alphacillin")
    assert _shown(app) == {"DB1", "D1", "P1", "DB2"}
    app.toggle(key="graph_search_keeps").set_value(True).run()
    app = _find(app, "lonely", "lonely pathway")
    assert any("Pathway" in label and "lonely pathway" in label for label in _labels(app))
    assert _shown(app) == {"DB1", "D1", "P1", "DB2", "LONE"}
    assert app.session_state["graph_selected"] == "LONE"
    assert "5 entities, 4 relationships." in _text(app)


def test_misspelt_name_is_answered_with_what_it_may_have_meant(
    small: Workspace, open_page: OpenPage
) -> None:
    app = open_page(small, EXPLORER)
    app.text_input(key="entity_search").set_value("alphacilin").run()
    assert "Nothing in the graph is called “alphacilin”" in _text(app)
    assert "Did you mean" in _text(app)
    app = _press(app, "Alphacillin")
    assert app.session_state["graph_selected"] == "DB1"
    assert app.text_input(key="entity_search").value == "Alphacillin"
    assert "Nothing in the graph is called" not in _text(app)


def _do(app: AppTest, *asks: dict[str, Any]) -> AppTest:
    """What the browser tells of things that were done on the canvas."""
    first = max(app.session_state["graph_asks_done"].values(), default=0) + 1
    asked = [{"number": first + place, **ask} for place, ask in enumerate(asks)]
    app.session_state["canvas_graph"] = {"asked": asked}
    app = app.run()
    assert not app.exception
    return app


def test_legend_hides_a_type_and_expansion_leaves_it_out(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Alpha", "Alphacillin")
    no_diseases = {"what": "filter", "of": "kind", "key": "Disease", "on": False}
    app = _do(app, no_diseases)
    assert "3 of 4 entities, 2 relationships." in _text(app)
    app = _find(app, "Beta", "Betamycin")
    app.session_state["graph_shown"] = ["DB2"]
    app = _press(app.run(), "Expand")
    assert _shown(app) == {"DB2", "DB1"}  # a disease with clinical text is a disease
    app = _press(app, "Show every type again")
    app = _press(app, "Expand")
    assert _shown(app) == {"DB2", "DB1", "D2", "D1"}


def test_what_is_looked_at_is_shown_though_its_type_is_hidden(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Alpha", "Alphacillin")
    app = _do(app, {"what": "filter", "of": "kind", "key": "Disease", "on": False})
    app = _find(app, "gout", "gout")
    assert "3 entities, 3 relationships." in _text(app)


def test_relationship_filter_narrows_what_is_drawn_and_followed(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Beta", "Betamycin")
    app.multiselect(key="graph_relationship_types").set_value(["TARGETS"]).run()
    assert "4 entities, 0 relationships." in _text(app)
    app.multiselect(key="graph_relationship_types").set_value(["TREATS"]).run()
    assert "4 entities, 3 relationships." in _text(app)
    app = _press(app, "Expand")
    assert _shown(app) == {"DB2", "DB1", "D1", "D2"}  # its other drug has TARGETS only


def test_expansion_takes_as_many_hops_and_neighbours_as_are_set(
    small: Workspace, open_page: OpenPage
) -> None:
    app = open_page(small, EXPLORER)
    app.select_slider(key="graph_neighbours").set_value(5).run()
    app = _find(app, "PROTA", "PROTA")
    assert _shown(app) == {"P1", "DB1", "DB3"}
    next(g for g in app.button_group if g.key == "graph_hops").set_value([2]).run()
    app = _press(app, "Expand")
    added = _shown(app) - {"P1", "DB1", "DB3"}
    assert {"D1", "DB2"} <= added
    assert len([one for one in added if one.startswith("E")]) <= 5
    app.button(key="graph_back").click().run()
    assert _shown(app) == {"P1", "DB1", "DB3"}


def test_canvas_is_never_fuller_than_its_cap_and_says_so(
    small: Workspace, open_page: OpenPage
) -> None:
    app = open_page(small, EXPLORER)
    app.session_state["graph_shown"] = [f"E{n}" for n in range(HUB_SIDE_EFFECTS)] + ["DB3"]
    app.session_state["graph_selected"] = "DB3"
    app = app.run()
    assert "131 entities, 130 relationships." in _text(app)
    # Others that the graph has no more do not count as room.
    app.session_state["graph_shown"] = [f"X{n}" for n in range(MOST_NODES - 3)] + ["DB3"]
    app.select_slider(key="graph_neighbours").set_value(300).run()
    app = _press(app, "Expand")
    assert len(_shown(app)) == MOST_NODES
    app = _press(app, "Expand")
    assert any("The canvas is full" in toast.value for toast in app.toast)


def test_what_is_done_on_the_canvas_is_done_once_and_can_be_undone(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Beta", "Betamycin")
    whole = _shown(app)
    assert whole == {"DB2", "DB1", "D1", "D2"}
    expand = {"what": "expand", "id": "DB1"}
    app = _do(app, {"what": "select", "id": "DB1"}, expand)
    assert _shown(app) == whole | {"P1"} and app.session_state["graph_selected"] == "DB1"
    said = app.session_state["canvas_graph"]
    app = _do(app, {"what": "collapse", "id": "DB1"})
    assert _shown(app) == whole
    app.session_state["canvas_graph"] = said  # said once more: it has been heard
    app = app.run()
    assert _shown(app) == whole
    app = _do(app, {"what": "hide", "id": "D2"}, {"what": "pin", "id": "D1", "x": 40, "y": -20.04})
    assert "3 of 4 entities" in _text(app)
    assert app.session_state["graph_record"].pinned == {"D1": (40.0, -20.0)}
    app = _do(app, {"what": "undo"}, {"what": "undo"})
    assert "4 entities" in _text(app) and app.session_state["graph_record"].pinned == {}
    app = _do(app, {"what": "redo"})
    assert "3 of 4 entities" in _text(app)
    app = _do(app, {"what": "unhide"}, {"what": "line", "id": "DB2\nTREATS\nD2"})
    assert "Relationship TREATS of the graph, from DB2 to D2" in _text(app)
    assert "**Betamycin** treats **asthma**" in _text(app)
    app = _do(app, {"what": "filter", "of": "verb", "key": "TREATS", "on": False})
    assert "4 entities, 1 relationship." in _text(app)
    app = _do(app, {"what": "path", "id": "D2", "to": "P1"})
    assert "Put this path on the canvas" not in _labels(app)  # it leads over “treats” only
    app = _do(
        app, {"what": "expand", "id": "NOBODY"}, {"what": "pin", "id": "NOBODY", "x": 1, "y": 2}
    )
    assert "NOBODY" not in app.session_state["graph_record"].pinned


def test_paths_are_sentences_shortest_first_and_the_chosen_one_is_drawn(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Alpha", "Alphacillin")
    app.button(key="paths_from").click().run()
    app = app.selectbox(key="path_to").set_value("DB2").run()
    assert not app.exception
    options = [box.label.replace("\\", "") for box in app.checkbox if "Alphacillin" in box.label]
    assert options[0].startswith("Alphacillin interacts with Betamycin.")
    assert "direct" in options[0] and "2 steps" in options[1]
    assert options[1].startswith("Alphacillin treats gout. gout is treated by Betamycin.")
    next(box for box in app.checkbox if "2 steps" in box.label).check().run()
    app.session_state["views_menu"] = (
        True  # a view is of the canvas, which these paths are not on yet
    )
    app.run()
    assert app.text_input(key="view_name").label == "Save the canvas as"
    app.session_state["views_menu"] = False
    app = _press(app, "Put these paths on the canvas")
    assert {"DB1", "D1", "DB2"} <= _shown(app)
    assert app.text_input(key="entity_search").value == ""


def test_no_path_and_no_two_entities_are_said_plainly(
    small: Workspace, open_page: OpenPage
) -> None:
    app = open_page(small, EXPLORER)
    app.session_state["graph_shown"] = ["DB1", "LONE"]
    app.session_state["graph_selected"] = "DB1"
    app = app.run()
    app.button(key="paths_from").click().run()
    app = app.selectbox(key="path_to").set_value("LONE").run()
    assert "No path leads from Alphacillin to lonely pathway within 4 steps." in _text(app)
    app = app.selectbox(key="path_to").set_value("DB1").run()
    assert not app.exception
    assert "two different entities" in _text(app)


def test_card_shows_every_property_in_plain_words_and_every_relationship(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _find(open_page(small, EXPLORER), "Alpha", "Alphacillin")
    text = _text(app)
    for part in ("Half-life", "about 2 hours", "Alfacin", "MeSH D000001", "UniProt P00001"):
        assert part in text
    app = _find(app, "Gamma", "Gammaxan")
    assert any("can cause (130)" in expander.label for expander in app.expander)
    assert any("Show all 130" in label for label in _labels(app))
    pages = [facts_page("DB3", "CAUSES_SIDE_EFFECT", start, 50) for start in (0, 50, 100)]
    assert [len(page) for page in pages] == [50, 50, 30]
    listed = [fact.target.id for page in pages for fact in page]
    assert set(listed) == {f"E{n}" for n in range(HUB_SIDE_EFFECTS)}
    assert listed == [fact.target.id for fact in small.graph.facts("DB3", "CAUSES_SIDE_EFFECT")]


def test_documents_that_mention_an_entity_open_at_their_passages(
    small: Workspace, open_page: OpenPage, tmp_path: Path
) -> None:
    pdf = tmp_path / "Alpha leaflet.pdf"
    make_pdf(pdf, "A first page about nothing at all.", "Take Alphacillin with water.")
    assert small.library.ingest(pdf).state == "ready"
    app = _find(open_page(small, EXPLORER), "Alpha", "Alphacillin")
    app = _press(app, "Alpha leaflet.pdf")
    assert "page 2" in _text(app) and "1 passage" in _text(app)
    assert ":orange-background[Alphacillin]" in _text(app)
    assert not app.error


def test_ring_marks_what_the_conversation_names_or_cites_only(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, EXPLORER)
    ask(app, "Does ibuprofen interact with warfarin?")
    app = _press(app, "Show in graph")
    graph = sample_workspace.graph
    ringed = set().union(*app.session_state["conversation_entities"][1].values())
    names = {entity.name for entity in graph.entities(ringed).values()}
    assert {"Ibuprofen", "Warfarin"} <= names
    turn = sample_workspace.conversations.history(app.session_state["chat_session"])[-1]
    said = " ".join([turn.question, *(sentence.text for sentence in turn.answer.sentences)])
    assert ringed <= {mention.entity_id for mention in sample_workspace.names.mentions_in(said)}
    assert _shown(app) - ringed
    assert "named or cited in the open conversation" in _text(app)


def test_folder_is_imported_with_its_malformed_rows_listed(
    make_workspace: MakeWorkspace, open_page: OpenPage, tmp_path: Path
) -> None:
    folder = write_graph(tmp_path / "graph", relationships=_RELATIONSHIPS + "DB1,TREATS,NOBODY\n")
    workspace = make_workspace()
    app = open_page(workspace, EXPLORER)
    app.text_input(key="folder_0").set_value(str(folder))
    _press(app, "Import")
    for _ in range(300):
        if not any(job.active for job in workspace.jobs.jobs()):
            break
        time.sleep(0.1)
    app = app.run()
    assert not app.exception
    text = _text(app)
    assert "relationships.csv:8" in text and "MALFORMED_ROW" in text
    assert "7 entities" in text


@pytest.mark.parametrize("path", ["", "/no/such/folder"])
def test_import_of_nothing_is_refused_in_plain_words(
    make_workspace: MakeWorkspace, open_page: OpenPage, path: str
) -> None:
    app = open_page(make_workspace(), EXPLORER)
    app.text_input(key="folder_0").set_value(path)
    app = _press(app, "Import")
    assert [error.value for error in app.error]
    assert app.info


def test_graph_that_cannot_be_reached_is_told_calmly_and_the_rest_goes_on(
    make_workspace: MakeWorkspace, open_page: OpenPage
) -> None:
    away = make_workspace(neo4j_uri="bolt://127.0.0.1:9", neo4j_timeout_seconds=1)
    app = open_page(away, EXPLORER)
    assert not app.exception
    assert "The graph cannot be reached at the moment" in _text(app)
    assert "GRAPH_UNAVAILABLE" in _text(app)
    app.button(key="graph_retry").click().run()
    assert not app.exception
    assert len(app.sidebar.chat_input) == 1
    app = app.switch_page("library.py").run()
    assert not app.exception and not app.error


def test_labels_are_plain_words() -> None:
    assert property_label("atc_codes") == "ATC codes"
    assert property_label("route_of_elimination") == "Route of elimination"
    assert identifier_words("DB00331") == "DrugBank DB00331"
    assert identifier_words("MESH:D001241") == "MeSH D001241"
    assert identifier_words("made-up:1") == "made-up:1"
    assert type_name("ClinicalDisease") == type_name("Disease") == "Disease"
    assert type_name("BIOLOGICAL_PROCESS") == "Biological process"
