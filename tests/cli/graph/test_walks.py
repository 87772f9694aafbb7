"""Expansion, paths and saved views on the command line."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

from core.domain.explored.views import GraphView
from core.settings import load_settings
from core.workspace import open_workspace
from tests.cli.graph.commands import DIABETES, MARKUP, METFORMIN, Run, check_failure, the_json


def test_saved_views_are_listed_shown_and_deleted(run: Run, data: Path) -> None:
    with closing(open_workspace(load_settings(data_dir=data), writer=False)) as workspace:
        view_id = workspace.views.save(MARKUP, GraphView((METFORMIN, "gone"))).id
    (listed,) = the_json(run("view", "list", "--json", data=data))["views"]
    assert (listed["id"], listed["name"], listed["entities"]) == (view_id, MARKUP, 2)
    shown = run("view", "show", view_id, data=data).stdout
    assert "1 of them" in shown and METFORMIN in shown and "gone" not in shown
    assert the_json(run("view", "show", view_id, "--json", data=data))["gone"] == 1
    assert run("view", "delete", view_id, data=data).exit_code == 2  # without a terminal
    assert run("view", "delete", view_id, "--yes", data=data).exit_code == 0
    gone = run("view", "show", view_id, data=data)
    assert gone.exit_code == 1 and "VIEW_NOT_FOUND" in gone.stderr


def test_expansion(run: Run, data: Path) -> None:
    found = the_json(run("expand", "metformin", DIABETES, "--limit", "30", "--json", data=data))
    assert [seed["id"] for seed in found["seeds"]] == [METFORMIN, DIABETES]
    entities = found["entities"]
    assert len(entities) == 30 and {one["hops"] for one in entities} <= {0, 1, 2}
    relevances = [one["relevance"] for one in entities]
    assert relevances == sorted(relevances, reverse=True) and max(relevances) <= 1
    assert all(one["reason"] for one in entities)
    known = {one["id"] for one in entities}
    for fact in found["facts"]:
        assert {fact["source"]["id"], fact["target"]["id"]} <= known and fact["relationship"]
    assert any("source_of_fact" in fact["properties"] for fact in found["facts"])
    shown = run("expand", "metformin", "--hops", "1", "--limit", "3", data=data)
    head, first = shown.stdout.splitlines()[:2]
    assert head.split() == ["name", "type", "relevance", "hops", "reason"]
    assert first.split()[:2] == ["Metformin", "Drug"] and "-[" in shown.stdout


def test_expansion_follows_only_what_is_asked_for(run: Run, data: Path) -> None:
    options = ("--hops", "1", "--types", "disease,protein", "--relations", "treats")
    found = the_json(run("expand", "metformin", *options, "--json", data=data))
    assert {one["type"] for one in found["entities"][1:]} == {"Disease"}
    assert {fact["relationship"] for fact in found["facts"]} == {"TREATS"}
    alone = the_json(run("expand", "metformin", "--hops", "0", "--json", data=data))
    assert [one["id"] for one in alone["entities"]] == [METFORMIN]
    for option in ("--types", "--relations"):
        ended = run("expand", "metformin", option, "Drug,Gossip", "--json", data=data)
        assert "TREATS" in check_failure(ended, "UNKNOWN_TYPE")["advice"] or option == "--types"


def test_paths(run: Run, data: Path) -> None:
    found = the_json(run("paths", "metformin", DIABETES, "--json", data=data))
    assert found["source"]["id"] == METFORMIN and found["target"]["id"] == DIABETES
    paths = found["paths"]
    assert 1 < len(paths) <= 10 and found["complete"] is True
    assert [path["hops"] for path in paths] == sorted(path["hops"] for path in paths)
    for path in paths:
        ids = [one["id"] for one in path["entities"]]
        assert ids[0] == METFORMIN and ids[-1] == DIABETES and len(set(ids)) == len(ids)
        assert path["hops"] == len(path["steps"]) == len(path["words"]) == len(ids) - 1
        for step, ends in zip(path["steps"], pairwise(ids), strict=True):
            for fact in step:
                assert {fact["source"]["id"], fact["target"]["id"]} == set(ends)
    shown = run("paths", "metformin", DIABETES, "--limit", "2", data=data)
    assert shown.exit_code == 0 and shown.stdout.startswith("1. Metformin – ")
    assert paths[0]["words"][0] in shown.stdout


def test_paths_within_limits(run: Run, data: Path) -> None:
    direct = ("paths", "metformin", DIABETES, "--max-hops", "1")
    (path,) = the_json(run(*direct, "--json", data=data))["paths"]
    assert path["hops"] == 1
    none = run(*direct, "--relations", "TARGETS", data=data)
    assert none.exit_code == 0 and none.stdout == "" and "No path of at most 1 hops" in none.stderr
    proteins = ("--types", "Protein", "--max-hops", "2", "--json")
    for path in the_json(run("paths", "metformin", DIABETES, *proteins, data=data))["paths"]:
        assert {one["type"] for one in path["entities"][1:-1]} <= {"Protein"}
    far = the_json(run("paths", "metformin", "Lonelycine", "--json", data=data))
    assert far["paths"] == [] and far["complete"] is True
    same = run("paths", "metformin", METFORMIN, "--json", data=data)
    assert same.exit_code == 1 and the_json(same)["error"]["message"]
