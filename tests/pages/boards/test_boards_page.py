"""The boards' page: what it shows of the sample, and what a selected cell opens."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from core.workspace import Workspace

OpenPage = Callable[..., AppTest]


def _grid(app: AppTest) -> dict[str, Any]:
    """What the table is handed."""
    drawn = [json.loads(one.proto.json) for one in app.main.get("bidi_component")]
    return next(one for one in drawn if "corner" in one)


def _text(app: AppTest) -> str:
    parts = [*app.main.markdown, *app.main.caption, *app.main.info, *app.main.warning]
    return " ".join(str(part.value) for part in parts).replace("\\", "")


def test_a_signal_board_and_its_evidence(sample_workspace: Workspace, open_page: OpenPage) -> None:
    app = open_page(sample_workspace, "boards.py")
    assert "Choose medicines" in _text(app)
    app.multiselect(key="medicine").set_value(["Metformin", "Sertraline"]).run()
    grid = _grid(app)
    assert [one["name"] for one in grid["columns"]] == ["Metformin", "Sertraline"]
    rows = {row["name"]: row for row in grid["rows"]}
    assert rows["nausea"]["cells"][0]["marks"] == ["L1", "G1"]
    assert rows["nausea"]["cells"][0]["spoken"] == (
        "very common; 1 leaflet passage, 1 relationship"
    )
    assert rows["ejaculation failure"]["quoted"] and rows["rash"]["cells"][0]["differs"]

    app.session_state["board_signals_picked"] = (rows["rash"]["key"], "DB00331")
    app.run()
    assert "was not found in the side effects of Metformin.pdf" in _text(app)
    app.session_state["board_signals_picked"] = (rows["lactic acidosis"]["key"], "DB00331")
    app.run()
    assert ":orange-background[**lactic acidosis**]" in _text(app)
    button = next(one for one in app.button if one.label == "Show on its page")
    button.click().run()
    panel = " ".join(str(one.value) for one in app.sidebar.markdown).replace("\\", "")
    assert "Evidence 1" in panel and "Metformin.pdf" in panel

    app.toggle(key="board_differing").set_value(True).run()
    assert {row["name"] for row in _grid(app)["rows"]} < set(rows)


def test_the_choice_outlives_the_page_and_unknown_names_are_told(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "boards.py")
    app.multiselect(key="medicine").set_value(["Warfarin", "Ibuprofen", "Nobodysmycin"]).run()
    assert "No medicine is called “Nobodysmycin”" in _text(app)
    app.segmented_control(key="board").set_value("Interactions").run()
    grid = _grid(app)
    assert grid["corner"] == "Leaflet of" and grid["rows"][0]["cells"][0] == {"own": True}
    assert "avoided, caution" in grid["rows"][0]["cells"][1]["said"]
    app.switch_page("library.py").run()
    app.switch_page("boards.py").run()
    assert [row["name"] for row in _grid(app)["rows"]] == ["Warfarin", "Ibuprofen"]
