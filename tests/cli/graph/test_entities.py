"""Entities on the command line: found by name, told apart, found in texts; and names that are no names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.graph.commands import (
    DIABETES,
    ESCAPE,
    MARKUP,
    METFORMIN,
    QUOTED,
    Run,
    check_failure,
    the_json,
)


def test_an_entity_with_the_documents_that_mention_it(run: Run, data: Path) -> None:
    entity = the_json(run("entity", "metformin", "--json", data=data))
    assert entity["documents"] == [{"id": "doc", "file": "A.pdf", "mentions": 3, "pages": [2, 3]}]
    assert entity["more_documents"] is False and entity["others"] == []
    assert entity["relationships"]["TREATS"]["count"] > 0 and entity["properties"]["indication"]
    none = the_json(run("entity", "metformin", "--documents", "0", "--json", data=data))
    assert none["documents"] == [] and none["more_documents"] is True
    shown = run("entity", "metformin", data=data)
    assert shown.exit_code == 0 and "in A.pdf: 3 times, p. 2, 3" in shown.stdout
    for key in entity["properties"]:
        assert f"  {key}: " in shown.stdout
    for kind, facts in entity["relationships"].items():
        assert f"  {kind} ({facts['count']:,}): " in shown.stdout


def test_a_name_that_nobody_has(run: Run, data: Path) -> None:
    error = check_failure(run("entity", "metfromin", "--json", data=data), "ENTITY_NOT_FOUND")
    assert "Did you mean Metformin (Drug, DB00331)" in error["advice"]
    assert {"id": METFORMIN, "type": "Drug", "name": "Metformin"} in error["candidates"]
    error = check_failure(run("entity", "qqqqzzzz", "--json", data=data), "ENTITY_NOT_FOUND")
    assert error["candidates"] == [] and "spelling" in error["advice"]
    check_failure(run("entity", " \t", "--json", data=data), "EMPTY_NAME")


def test_a_name_that_several_have_is_told_and_not_guessed(run: Run, data: Path) -> None:
    ended = run("entity", "TWINOMAB", "--json", data=data)
    error = check_failure(ended, "AMBIGUOUS_NAME")
    assert [(one["id"], one["type"]) for one in error["candidates"]] in (
        [("ODD:4", "Drug"), ("ODD:5", "Protein")],
        [("ODD:5", "Protein"), ("ODD:4", "Drug")],
    )
    assert "ODD:4" in error["message"] and "ODD:5" in error["message"]
    assert the_json(run("entity", "ODD:5", "--json", data=data))["type"] == "Protein"
    for command in (("expand", "Twinomab"), ("paths", "Twinomab", "Metformin")):
        check_failure(run(*command, "--json", data=data), "AMBIGUOUS_NAME")


def test_what_tells_entities_of_one_name_apart(run: Run, data: Path) -> None:
    error = check_failure(run("entity", "twinomab", "--json", data=data), "AMBIGUOUS_NAME")
    for one in error["candidates"]:
        shown = the_json(run("entity", one["id"], "--json", data=data))
        kinds = {kind: found["count"] for kind, found in shown["relationships"].items()}
        assert one["relationships"] == kinds and one["synonyms"] == shown["synonyms"]
    assert "(Drug)" in error["advice"] or "(Protein)" in error["advice"]
    told = run("entity", "twinomab", data=data)
    assert told.exit_code == 1 and not told.stdout
    lines = [line for line in told.stderr.splitlines() if line.startswith("  Twinomab (")]
    assert len(lines) == 2 and all("relationships" in line for line in lines)


def test_the_type_tells_which_is_meant(run: Run, data: Path) -> None:
    for kind, meant in (("Protein", "ODD:5"), ("drug", "ODD:4")):
        found = the_json(run("entity", "twinomab", "--type", kind, "--json", data=data))
        assert found["id"] == meant
        assert [one["id"] for one in found["others"]] == [{"ODD:5": "ODD:4"}.get(meant, "ODD:5")]
        behind = run("expand", f"Twinomab ({kind})", "--hops", "0", "--json", data=data)
        assert [seed["id"] for seed in the_json(behind)["seeds"]] == [meant]
        linked = the_json(run("link", "Give Twinomab.", "--type", kind, "--json", data=data))
        (place,) = linked["mentions"]
        assert place["entity"]["id"] == meant and len(place["others"]) == 1
    ended = run("entity", "twinomab", "--type", "Pathway", "--json", data=data)
    error = check_failure(ended, "ENTITY_NOT_FOUND")
    assert {one["id"] for one in error["candidates"]} == {"ODD:4", "ODD:5"}
    ended = run("entity", "twinomab", "--type", "Gossip", "--json", data=data)
    check_failure(ended, "UNKNOWN_TYPE")


def test_a_part_of_a_name_is_enough_when_only_one_has_it(run: Run, data: Path) -> None:
    assert the_json(run("entity", "onelycin", "--json", data=data))["name"] == "Lonelycine"
    error = check_failure(run("entity", "diabetes", "--json", data=data), "AMBIGUOUS_NAME")
    assert DIABETES in [one["id"] for one in error["candidates"]]


TEXT = "Give metformin in type 2 diabetes; METFORMIN is DB00331. 💊 Ghostine!\n"


def test_entities_in_a_text_with_offsets(run: Run, data: Path, tmp_path: Path) -> None:
    found = the_json(run("link", TEXT, "--json", data=data))
    for place in found["mentions"]:
        assert TEXT[place["start"] : place["end"]] == place["text"]
    named = [(place["text"], place["entity"]["id"]) for place in found["mentions"]]
    assert ("metformin", METFORMIN) in named and ("DB00331", METFORMIN) in named
    assert ("type 2 diabetes", DIABETES) in named and ("Ghostine", "ODD:3") in named
    assert found["entities"][0] == {
        "id": METFORMIN, "type": "Drug", "name": "Metformin",
        "count": sum(entity == METFORMIN for _, entity in named),
    }  # fmt: skip
    assert the_json(run("link", "-", "--json", data=data, stdin=TEXT.encode())) == found
    (tmp_path / "a text").write_bytes(TEXT.encode())
    from_file = run("link", "--file", str(tmp_path / "a text"), "--json", data=data)
    assert the_json(from_file) == found
    shown = run("link", TEXT, data=data)
    assert "5-14  metformin  Metformin (Drug, DB00331)" in shown.stdout.splitlines()


def test_texts_without_entities_and_what_is_no_text(run: Run, data: Path, tmp_path: Path) -> None:
    none = run("link", "The weather was fine.", data=data)
    assert none.exit_code == 0 and none.stdout == "" and "names no entity" in none.stderr
    empty = {"mentions": [], "entities": []}
    assert the_json(run("link", "The weather was fine.", "--json", data=data)) == empty
    check_failure(run("link", " ", "--json", data=data), "EMPTY_TEXT")
    check_failure(run("link", "-", "--json", data=data, stdin=b"\xff\xfe"), "NOT_UTF8")
    missing = run("link", "--file", str(tmp_path / "nowhere"), "--json", data=data)
    check_failure(missing, "FILE_NOT_FOUND")
    assert str(tmp_path) not in missing.output


@pytest.mark.parametrize("name", [MARKUP, QUOTED, ESCAPE, "ODD:3", "Ghostine"], ids=range(5))
def test_strange_names_are_found_and_printed_as_plain_text(run: Run, data: Path, name: str) -> None:
    entity = the_json(run("entity", name, "--json", data=data))
    assert entity["id"].startswith("ODD:")
    other = "ODD:2" if entity["id"] == "ODD:1" else "ODD:1"
    for command in (("entity", name), ("expand", name), ("paths", name, other)):
        ended = run(*command, data=data)
        assert ended.exit_code == 0 and ended.stdout
        assert all(c.isprintable() for line in ended.output.splitlines() for c in line)
        as_json = run(*command, "--json", data=data)
        assert as_json.exit_code == 0 and the_json(as_json)


@pytest.mark.parametrize(
    "name",
    [
        "' OR 1=1 --", "%", "_%_", "*", '"', "\\", "\x00", "\udcff\udcfe", "../../etc/passwd",
        "MATCH (n) DETACH DELETE n", "${HOME}", "{{7*7}}", "x" * 10_000, "\x1b[2J", "💊", "--", "[/b]",
    ],
    ids=range(17),
)  # fmt: skip
def test_no_name_does_more_than_not_being_found(run: Run, data: Path, name: str) -> None:
    for command in (("entity",), ("expand",), ("paths", "metformin"), ("link",)):
        ended = run(*command, "--json", "--", name, data=data)
        assert ended.exit_code in (0, 1), ended.output
        found = the_json(ended)
        assert "error" not in found or found["error"]["message"]
        assert all(c.isprintable() for line in ended.stderr.splitlines() for c in line)
