"""Boards over real leaflets of the sample, and over a small library that changes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.boards.filtering import NO_CLASS, Order, RowFilter, filtered
from core.boards.public import interactions_to_csv, signals_to_csv, signals_to_public
from core.documents.library.abstracts import import_abstracts
from core.domain.boards.records import (
    BoardCell,
    BoardSource,
    CellDifferenceKind,
    FrequencyClass,
    SignalBoard,
)
from core.errors import InputError, NotFound
from core.workspace import Workspace

GRAPH = {
    "nodes.csv": (
        "id,type,name,synonyms\nB1,Drug,Alphacillin,Alfa\nB2,Drug,Betamol,\nB3,Drug,=cmd(),\n"
        "E1,Phenotype,nausea,\nE2,Phenotype,coma,\nE3,Phenotype,diarrhea,diarrhoea\n"
        "E4,Phenotype,hypertension,high blood pressure\nD4,Disease,hypertension,\nE5,Phenotype,=sum(1),\n"
        "E6,Phenotype,weight gain,\nC1,DrugClass,Azolides,\n"
    ),
    "relationships.csv": (
        "source,type,target\nB1,CAUSES_SIDE_EFFECT,E1\nB1,CAUSES_SIDE_EFFECT,E2\nB1,TREATS,D4\n"
        "B1,CAUSES_SIDE_EFFECT,E5\nB1,INTERACTS_WITH,B2\nB1,CAUSES_SIDE_EFFECT,E6\nB2,DRUG_CLASS,C1\n"
    ),
}
LEAFLET = """# 1. What Alphacillin is and what it is used for

Alphacillin is a medicine against infections.

# 2. What you need to know before you take Alphacillin

Do not take Alphacillin

- if you are allergic to it.

Other medicines and Alphacillin

There is no interaction with Betamol.

# 3. How to take Alphacillin

Take one tablet a day. In trials the weight gain of rats was looked at.

# 4. Possible side effects

Common (may affect up to 1 in 10 people): {common}, high blood pressure, odd dreams.

No cases of coma were reported.
"""


@pytest.fixture
def small(make_workspace: Callable[..., Workspace], tmp_path: Path) -> Workspace:
    """A graph of some entities, and a leaflet."""
    folder = tmp_path / "graph"
    folder.mkdir()
    for name, content in GRAPH.items():
        (folder / name).write_text(content)
    workspace = make_workspace()
    workspace.graph_tasks.import_folder(folder)
    _add(workspace, tmp_path / "Alphacillin 5 mg.md", common="nausea, diarrhoea")
    return workspace


def _add(workspace: Workspace, path: Path, common: str) -> str:
    path.write_text(LEAFLET.format(common=common))
    result = workspace.library.ingest(path)
    assert result.state == "ready", result.message
    return result.document_id


def cell(board: SignalBoard, reaction: str, medicine: str) -> BoardCell:
    row = next(one for one in board.rows if one.name == reaction)
    return row.cells[next(one.key for one in board.medicines if one.name == medicine)]


# -- the sample ------------------------------------------------------------------------------------


def test_real_leaflets_and_the_graph_side_by_side(sample_workspace: Workspace) -> None:
    board = sample_workspace.boards.signals(["metformin", "DB01104"])
    assert [one.name for one in board.medicines] == ["Metformin", "Sertraline"]
    nausea = cell(board, "nausea", "Metformin")
    assert nausea.level is FrequencyClass.VERY_COMMON
    assert nausea.sources == (BoardSource.LEAFLET, BoardSource.GRAPH)
    place = nausea.passages[0].citation
    page = sample_workspace.catalogue.page(place.document_id, place.page)
    assert page is not None
    assert " ".join(page.text[place.start : place.end].split()) == place.quote
    assert place.quote.startswith("Very common (may affect more than 1 in 10 people): nausea")
    assert cell(board, "vomiting", "Sertraline").level is FrequencyClass.COMMON
    acidosis = cell(board, "lactic acidosis", "Metformin")
    assert acidosis.level is FrequencyClass.VERY_RARE
    unlinked = next(row for row in board.rows if row.name == "ejaculation failure")
    assert (
        not unlinked.linked and unlinked.cells[board.medicines[1].key].count(BoardSource.GRAPH) == 0
    )
    # The graph's word for it in another order is no other reaction.
    assert cell(board, "taste change", "Metformin").level is FrequencyClass.COMMON
    (told,) = cell(board, "rash", "Metformin").differences
    assert told.kind is CellDifferenceKind.NOT_IN_LEAFLET and "was not found in" in told.words
    assert not any("does not cause" in signals for signals in (told.words, *board.notes))
    # Not by its name: the analyst sees what may be the same.
    (gain,) = cell(board, "weight gain", "Sertraline").differences
    assert gain.words.endswith(
        "Side effects there that share a word with it: “increase in weight”."
    )


def test_an_smpc_gives_classes_too(sample_workspace: Workspace) -> None:
    board = sample_workspace.boards.signals(["Atorvastatin"])
    assert cell(board, "anaphylaxis", "Atorvastatin").level is FrequencyClass.VERY_RARE
    assert cell(board, "myasthenia gravis", "Atorvastatin").level is FrequencyClass.NOT_KNOWN


def test_rows_are_filtered_and_sorted(sample_workspace: Workspace) -> None:
    board = sample_workspace.boards.signals(["Metformin", "Sertraline"])
    named = filtered(board, RowFilter(text="diarrhoea"))  # the leaflet's spelling
    assert [row.name for row in named.rows] == ["diarrhea"]
    rare = filtered(board, RowFilter(classes=["very_rare"]))
    assert {"lactic acidosis", "hives"} <= {row.name for row in rare.rows}
    bare = filtered(board, RowFilter(classes=[NO_CLASS]))
    assert all(not cell.frequencies for row in bare.rows for cell in row.cells.values())
    assert all(row.differs for row in filtered(board, RowFilter(differing=True)).rows)
    by_name = [row.name.casefold() for row in filtered(board, RowFilter(order=Order.NAME)).rows]
    assert by_name == sorted(by_name)
    by_number = filtered(board, RowFilter(order=Order.MEDICINES)).rows
    assert [len(row.cells) for row in by_number] == sorted(
        (len(row.cells) for row in board.rows), reverse=True
    )
    with pytest.raises(InputError):
        RowFilter.read("", ["rumour"], (), False, "name")


def test_the_matrix_quotes_what_a_leaflet_says_of_another_medicine(
    sample_workspace: Workspace,
) -> None:
    board = sample_workspace.boards.interactions(["Warfarin", "Ibuprofen", "Levothyroxine"])
    warfarin, ibuprofen, _ = (one.key for one in board.medicines)
    (passage,) = board.cells[warfarin, ibuprofen].passages
    assert passage.words == "ibuprofen" and passage.actions == ("avoided", "caution")
    assert passage.lead.startswith("Medicines that increase the risk of bleeding")
    assert board.cells[ibuprofen, warfarin].count(BoardSource.GRAPH) == 1
    assert (warfarin, warfarin) not in board.cells


# -- a library that changes ------------------------------------------------------------------------


def test_what_sources_say_of_each_other(small: Workspace) -> None:
    board = small.boards.signals(["Alfa"])
    coma, pressure = (
        cell(board, "coma", "Alphacillin"),
        cell(board, "hypertension", "Alphacillin"),
    )
    assert [one.kind for one in coma.differences] == [CellDifferenceKind.DENIED]
    assert coma.count(BoardSource.LEAFLET) == 0 and coma.passages[0].denied
    assert [one.kind for one in pressure.differences] == [CellDifferenceKind.TREATS]
    assert pressure.against and not pressure.facts
    gain = cell(board, "weight gain", "Alphacillin").differences[0]
    assert gain.kind is CellDifferenceKind.NOT_IN_LEAFLET and "named elsewhere" in gain.words
    pairs = small.boards.interactions(["B1", "B2"])
    assert pairs.cells["B1", "B2"].differences[0].kind is CellDifferenceKind.DENIED
    assert not pairs.cells["B2", "B1"].differences


def test_a_board_is_of_the_library_as_it_is(small: Workspace, tmp_path: Path) -> None:
    other = _add(small, tmp_path / "Alphacillin forte 9 mg.md", common="sore feet, nausea")
    both = small.boards.signals(["B1"])
    assert {"sore feet", "diarrhea"} <= {row.name for row in both.rows}
    assert len({one.citation.file for one in cell(both, "nausea", "Alphacillin").passages}) == 2
    small.library.delete(other)
    after = small.boards.signals(["B1"])
    assert "sore feet" not in {row.name for row in after.rows}
    for document in small.catalogue.documents():
        small.library.delete(document.id)
    last = small.boards.signals(["B1"])
    assert {row.name for row in last.rows} == {"nausea", "coma", "=sum(1)", "weight gain"}
    assert last.notes == ("The library has no leaflet on Alphacillin alone.",)
    assert not any(row.differs for row in last.rows)


def test_a_salt_in_one_word_with_the_substance_is_no_other_medicine(
    small: Workspace, tmp_path: Path
) -> None:
    """As Dutch and German leaflets are titled: "Metoprololsuccinaat", "Metforminhydrochlorid"."""
    path = tmp_path / "Betamolsuccinaat 5 mg.md"
    path.write_text(LEAFLET.replace("Alphacillin", "Betamolsuccinaat").format(common="sore feet"))
    assert small.library.ingest(path).state == "ready"
    board = small.boards.signals(["Betamol"])
    assert board.notes == () and "sore feet" in {row.name for row in board.rows}


def test_papers_and_the_class_of_a_medicine(small: Workspace, tmp_path: Path) -> None:
    summary = (
        "Betamol was given to ten patients. An adverse reaction to Betamol was nausea in two of them. No side "
        "effect of Betamol was diarrhoea. Coma is the subject of another paper on Betamol."
    )
    record = {"id": "2001.00001v1", "title": "On Betamol", "summary": summary, "author": "[]"}
    (tmp_path / "arxivData.json").write_text(json.dumps([record]))
    import_abstracts(small.library, tmp_path / "arxivData.json")
    board = small.boards.signals(["Betamol"])
    assert {row.name for row in board.rows} == {"nausea", "diarrhea"}
    (said,) = cell(board, "nausea", "Betamol").passages
    assert (said.source, said.denied) == (BoardSource.PAPER, False)
    assert said.citation.quote == "An adverse reaction to Betamol was nausea in two of them."
    assert cell(board, "diarrhea", "Betamol").passages[0].denied
    assert cell(board, "diarrhea", "Betamol").sources == ()

    of_class = tmp_path / "Alphacillin forte 9 mg.md"
    of_class.write_text(
        LEAFLET.replace("There is no interaction with Betamol.", "Avoid Azolides: coma may follow.")
    )
    assert small.library.ingest(of_class).state == "ready"
    pairs = small.boards.interactions(["B1", "B2", "B3"])
    named = {one.words for one in pairs.cells["B1", "B2"].passages}
    assert named == {"Betamol", "Azolides"}
    assert ("B1", "B3") not in pairs.cells, "it is of another class, or none"


LABEL = """# ZEPOSIA (ozanimod) capsules

# 1 INDICATIONS AND USAGE

ZEPOSIA is indicated for the treatment of ulcerative colitis in adults.

# 4 CONTRAINDICATIONS

ZEPOSIA is contraindicated in patients who had a stroke in the last 6 months.

# 6 ADVERSE REACTIONS

Common Adverse Reactions

Ulcerative Colitis The safety of ZEPOSIA was evaluated in two randomized, double-blind studies. Adverse
Reactions ZEPOSIA 0.92 mg Once Daily (n=496) c,d % Placebo (n=281) % d Nausea a 5 4 Liver test increased
b 5 0 Headache 4 3 Pyrexia 3 2

Other Adverse Reactions

Malignancies Malignancies, such as melanoma, breast cancer, seminoma, and weight gain, were reported with
ZEPOSIA.

# 7 DRUG INTERACTIONS

Coadministration with Betamol is not recommended.
"""


def test_a_us_label_is_found_by_its_title_and_says_no_more_than_it_does(
    small: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "ZEPOSIA (ozanimod).md"
    path.write_text(LABEL)
    assert small.library.ingest(path).state == "ready"
    by_substance, by_title, by_part = (
        small.boards.signals([one]) for one in ("Ozanimod", "ZEPOSIA (ozanimod)", "zeposia")
    )
    assert by_substance.rows == by_title.rows == by_part.rows
    said = {
        row.name: [one.said for one in row.cells[by_title.medicines[0].key].frequencies]
        for row in by_title.rows
    }
    assert said["nausea"] == ["5%"] and said["Liver test increased"] == ["5%"]
    assert said["seminoma"] == said["weight gain"] == said["Malignancies"] == []
    assert "Other Adverse Reactions" not in said
    (nausea,) = cell(by_title, "nausea", by_title.medicines[0].name).passages
    assert nausea.citation.quote == "Nausea a 5 4"
    with pytest.raises(NotFound):
        small.boards.signals(["capsules"])
    (tmp_path / "OZANOVA (ozanimod).md").write_text(LABEL.replace("ZEPOSIA", "OZANOVA"))
    assert small.library.ingest(tmp_path / "OZANOVA (ozanimod).md").state == "ready"
    with pytest.raises(NotFound) as two:
        small.boards.signals(["ozanimod"])
    assert "OZANOVA" in two.value.advice and "ZEPOSIA" in two.value.advice


def test_no_cell_of_the_csv_is_a_formula(small: Workspace) -> None:
    table = list(csv.reader(io.StringIO(signals_to_csv(small.boards.signals(["B1", "B3"])))))
    assert table[0][2] == "Alphacillin: frequency" and table[0][7] == "'=cmd(): frequency"
    assert "'=sum(1)" in {line[0] for line in table}
    pairs = interactions_to_csv(small.boards.interactions(["B1", "B2"]))
    assert not any(
        one[:1] in ("=", "+", "-", "@")
        for line in csv.reader(io.StringIO(pairs))
        for one in line
        if one
    )


def test_names_that_nobody_knows(small: Workspace) -> None:
    with pytest.raises(NotFound) as unknown:
        small.boards.signals(["Alphacilin"])
    assert unknown.value.code == "MEDICINE_NOT_FOUND" and "Alphacillin" in unknown.value.advice
    with pytest.raises(InputError):
        small.boards.signals([])
    assert signals_to_public(small.boards.signals(["B2"]))["rows"] == []
