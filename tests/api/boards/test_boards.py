"""Boards over HTTP."""

from __future__ import annotations

import csv
import io

import httpx
import jsonschema

from core.api.openapi import document
from core.workspace import Workspace, share_workspace


def test_boards_over_http(client: httpx.Client, sample_workspace: Workspace) -> None:
    share_workspace(sample_workspace)
    asked = {"medicine": ["Metformin", "Sertraline"]}
    board = client.get("/api/boards/signals", params=asked).json()
    described = document(2_000)
    schema = {"$ref": "#/components/schemas/SignalBoard", "components": described["components"]}
    jsonschema.validate(board, schema)
    nausea = next(row for row in board["rows"] if row["name"] == "nausea")
    assert nausea["cells"][0]["class"] == "very_common"
    assert nausea["cells"][0]["counts"] == {"leaflet": 1, "paper": 0, "graph": 1}
    only = client.get(
        "/api/boards/signals", params={**asked, "differing": "true", "sort": "name"}
    ).json()
    assert 0 < len(only["rows"]) < len(board["rows"])
    table = client.get("/api/boards/signals", params={**asked, "format": "csv"})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert len(list(csv.reader(io.StringIO(table.text)))) == len(board["rows"]) + 1
    pairs = client.get("/api/boards/interactions", params={"medicine": ["Warfarin", "Ibuprofen"]})
    jsonschema.validate(pairs.json(), {**schema, "$ref": "#/components/schemas/InteractionMatrix"})
    assert {one["medicine"] for one in pairs.json()["pairs"]} == {"DB00682", "DB01050"}


def test_what_cannot_be_made(client: httpx.Client, sample_workspace: Workspace) -> None:
    share_workspace(sample_workspace)
    for params, status, code in (
        ({}, 400, "NO_MEDICINE"),
        ({"medicine": "Nobodysmycin"}, 404, "MEDICINE_NOT_FOUND"),
        ({"medicine": "Metformin", "class": "often"}, 400, "UNKNOWN_FILTER"),
        ({"medicine": "Metformin", "format": "pdf"}, 400, "INVALID_REQUEST"),
    ):
        answer = client.get("/api/boards/signals", params=params)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
