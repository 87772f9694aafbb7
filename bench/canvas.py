"""The explorer's canvas in a real browser: the hub of a real graph, expanded and selected on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from bench.inputs import ROOT
from core.settings import load_settings
from core.workspace import open_workspace

_GRAPH = ROOT.parent / "shared" / "data" / "graph" / "hetionet"
_SAMPLE = ROOT / "data" / "graph"
_SELECTIONS = 10
# From the press of the pointer to the frame after the one in which the node is the selected one.
_SELECT_JS = """id => new Promise(done => {
  const graph = window.materiaGraphs.get('graph');
  let pressed = 0;
  addEventListener('pointerdown', () => { pressed = performance.now(); }, { capture: true, once: true });
  const look = () => pressed && graph.selected === id
    ? requestAnimationFrame(() => done((performance.now() - pressed) / 1000))
    : requestAnimationFrame(look);
  look();
})"""


@dataclass(frozen=True, slots=True)
class CanvasTimes:
    """Seconds.

    Attributes:
        drawn: from the click on Expand until so many nodes and lines are drawn and can be clicked.
        selected: from a click on a node until it is seen as selected, each.
        told: from the same clicks until the details of the node stand beside it, each.
        size: entities and relationships that were drawn.
    """

    drawn: float
    selected: list[float]
    told: list[float]
    size: tuple[int, int]


def graph_folder() -> Path:
    """The real graph beside the project, or else the sample's."""
    return _GRAPH if _GRAPH.is_dir() else _SAMPLE


def prepare(data: Path) -> str:
    """Import the graph into an empty data folder; the name of its entity with the most relationships."""
    workspace = open_workspace(load_settings(data_dir=data, sample=False))
    try:
        workspace.graph_tasks.import_folder(graph_folder())
        projection = workspace.graph.projection()
        hub = projection.ids[int(np.argmax(projection.degrees))]
        return workspace.graph.entities([hub])[hub].name
    finally:
        workspace.close()


def canvas_times(page: Page, address: str, name: str) -> CanvasTimes:
    """Open an entity, expand it to as many neighbours as the canvas holds, select some of them."""
    page.goto(f"{address}/explorer")
    box = page.get_by_label("Search the graph")
    box.fill(name)
    box.press("Enter")
    page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()
    page.locator("h2", has_text=name).wait_for()
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    page.keyboard.press("Escape")
    page.wait_for_timeout(3000)
    options, still = (
        page.locator(".graph-list [role=option]"),
        page.locator(".graph-root[data-still]"),
    )
    before = options.count()
    started = time.perf_counter()
    page.get_by_role("button", name="Expand", exact=True).click()
    page.wait_for_function(
        "n => document.querySelectorAll('.graph-list [role=option]').length > n", arg=before
    )
    still.wait_for(state="attached")
    drawn = time.perf_counter() - started
    page.wait_for_timeout(3000)
    selected, told = [], []
    for place in range(1, _SELECTIONS + 1):
        still.wait_for(state="attached")
        option = options.nth(place * options.count() // (_SELECTIONS + 2))
        where = page.locator(".graph-drawing").bounding_box() or {"x": 0, "y": 0}
        at = [float(option.get_attribute(f"data-{axis}") or 0) for axis in "xy"]
        page.evaluate(
            "id => { window.benchSelected = (" + _SELECT_JS + ")(id); }",
            option.get_attribute("data-id"),
        )
        started = time.perf_counter()
        page.mouse.click(where["x"] + at[0], where["y"] + at[1])
        selected.append(float(page.evaluate("() => window.benchSelected")))
        heading = option.inner_text().rsplit(", ", 2)[0]
        page.locator("h2", has_text=heading).first.wait_for()
        told.append(time.perf_counter() - started)
    size = (options.count(), page.locator(".graph-lines li").count())
    return CanvasTimes(drawn, selected, told, size)
