"""Graphs handed in, links from passages to entities and entity vectors, as background jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.domain.encoder import Encoder
from core.domain.graph import Mention
from core.domain.jobs import Job, JobState
from core.errors import InputError
from core.graph.importing.importer import import_graph
from core.settings import Settings
from core.workspace import Workspace
from tests.support.fakes import HashEncoder
from tests.support.pdfs import leaflet_text, make_pdf

WAIT = 60.0  # seconds until a stuck test gives up
NODES = (
    "id,type,name,synonyms,indication\nD1,Drug,Metformin,Glucophage,diabetes\nX1,Disease,gout,,\n"
)
LINKS = "source,type,target\nD1,CONTRAINDICATED_IN,X1\n"


class LightWorkspace(Workspace):
    """A workspace with a model that costs nothing."""

    def encoder(self) -> Encoder:
        return HashEncoder()


Open = Callable[[], LightWorkspace]


@pytest.fixture
def open_(make_settings: Callable[..., Settings]) -> Iterator[Open]:
    """Opens workspaces on one data folder, one after the other, and closes them after the test."""
    opened: list[LightWorkspace] = []

    def open_one() -> LightWorkspace:
        opened.append(LightWorkspace(make_settings()))
        return opened[-1]

    yield open_one
    for workspace in opened:
        workspace.close()


@pytest.fixture
def workspace(open_: Open) -> LightWorkspace:
    return open_()


def all_finished(workspace: Workspace) -> dict[str, Job]:
    """The last job of each kind, when nothing is queued or running any more."""
    while active := [job.id for job in workspace.jobs.jobs() if job.active]:
        job = workspace.jobs.wait(active[0], WAIT)
        assert job is not None and not job.active, "the job did not end"
    return {job.kind: job for job in sorted(workspace.jobs.jobs(), key=lambda job: job.submitted)}


def graph_files(nodes: str = NODES, links: str = LINKS) -> list[tuple[str, bytes]]:
    return [("nodes.csv", nodes.encode()), ("relationships.csv", links.encode())]


def test_files_become_a_graph_with_links_and_vectors(
    workspace: LightWorkspace, tmp_path: Path
) -> None:
    leaflet = make_pdf(tmp_path / "Metformin.pdf", leaflet_text("Metformin"))
    document = workspace.library.ingest(leaflet).document_id
    assert workspace.library_store.mentions_of_document(document) == {}
    workspace.graph_tasks.submit_import(files=graph_files())
    jobs = all_finished(workspace)
    assert {kind: job.state for kind, job in jobs.items()} == {
        "import-graph": JobState.DONE,
        "relink": JobState.DONE,
        "embed-graph": JobState.DONE,
    }
    assert jobs["import-graph"].message.startswith("2 entities and 1 relationship")
    assert jobs["embed-graph"].message == "2 entities embedded, 0 unchanged."
    assert workspace.graph.counts_by_type() == {"Disease": 1, "Drug": 1}
    assert workspace.library_store.mentions_of_document(document)["D1"] > 0
    assert [doc.id for doc, _ in workspace.library_store.documents_mentioning("D1")] == [document]
    assert workspace.entity_vectors.counts()["Drug"] == 1
    assert not workspace.links.due
    assert not list((workspace.settings.root / "uploads").iterdir())


def test_malformed_rows_are_listed_with_their_lines(workspace: LightWorkspace) -> None:
    workspace.graph_tasks.submit_import(
        files=graph_files(links=LINKS + "D1,TREATS,nobody\nD1,TREATS\n")
    )
    job = all_finished(workspace)["import-graph"]
    assert job.state is JobState.DONE
    assert job.message.endswith("; 2 rows left out.")
    assert [item.file for item in job.items] == ["relationships.csv:3", "relationships.csv:4"]
    assert "nobody" in job.items[0].message


def test_a_broken_graph_leaves_the_old_one(workspace: LightWorkspace) -> None:
    workspace.graph_tasks.submit_import(files=graph_files())
    all_finished(workspace)
    workspace.graph_tasks.submit_import(files=graph_files(nodes="name\nMetformin\n"))
    job = all_finished(workspace)["import-graph"]
    assert (job.state, job.code) == (JobState.FAILED, "GRAPH_FORMAT")
    assert workspace.graph.counts_by_type() == {"Disease": 1, "Drug": 1}


def test_what_is_gone_goes_only_when_asked(workspace: LightWorkspace) -> None:
    workspace.graph_tasks.submit_import(files=graph_files())
    all_finished(workspace)
    fewer = graph_files("id,type,name\nD1,Drug,Metformin\n", "source,type,target\n")
    workspace.graph_tasks.submit_import(files=fewer)
    all_finished(workspace)
    assert workspace.graph.entity("X1") is not None
    workspace.graph_tasks.submit_import(files=fewer, remove_missing=True)
    jobs = all_finished(workspace)
    assert workspace.graph.entity("X1") is None
    assert "1 removed" in jobs["embed-graph"].message


@pytest.mark.parametrize(
    "names",
    [["../nodes.csv"], ["nodes.csv", "nodes.csv"], ["nodes.exe"], ["a/b.csv"], [".csv"], []],
)
def test_file_names_never_become_paths(workspace: LightWorkspace, names: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        workspace.graph_tasks.submit_import(files=[(name, b"id,type,name\n") for name in names])
    assert caught.value.code == "GRAPH_FORMAT"
    assert workspace.jobs.jobs() == []


def test_a_start_notices_what_another_process_imported(open_: Open, tmp_path: Path) -> None:
    first = open_()
    leaflet = make_pdf(tmp_path / "Metformin.pdf", leaflet_text("Metformin"))
    document = first.library.ingest(leaflet).document_id
    folder = tmp_path / "graph"
    folder.mkdir()
    for name, data in graph_files():
        (folder / name).write_bytes(data)
    import_graph(folder, first.graph.store)  # and the process ends before it links passages
    assert first.links.due
    first.close()
    second = open_()
    second.graph_tasks.catch_up(second.library_store.has_documents())
    jobs = all_finished(second)
    assert jobs["relink"].state is JobState.DONE
    assert second.library_store.mentions_of_document(document)["D1"] > 0
    assert not second.links.due


def test_a_passage_that_comes_in_is_linked_at_once(
    workspace: LightWorkspace, tmp_path: Path
) -> None:
    workspace.graph_tasks.submit_import(files=graph_files())
    all_finished(workspace)
    leaflet = make_pdf(tmp_path / "Metformin.pdf", leaflet_text("Metformin"))
    document = workspace.library.ingest(leaflet).document_id
    assert workspace.library_store.mentions_of_document(document)["D1"] > 0
    assert not workspace.links.due


def test_passages_that_are_cut_while_all_are_linked_anew_are_linked_too(
    workspace: LightWorkspace, tmp_path: Path
) -> None:
    """A title is corrected, so that they have other ids than those that were read."""
    workspace.graph_tasks.submit_import(files=graph_files())
    all_finished(workspace)
    leaflet = make_pdf(tmp_path / "Metformin.pdf", leaflet_text("Metformin"))
    document = workspace.library.ingest(leaflet).document_id
    before = workspace.library_store.mentions_of_document(document)
    find, titles = workspace.names.linker().find, ["Glucophage"]

    class Overtaken:
        """The linker; while it reads its first passage, the title is corrected."""

        def find(self, text: str) -> list[Mention]:
            if titles:
                workspace.library.retitle(document, titles.pop())
            return find(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace.names, "linker", Overtaken)
        workspace.links.relink()
    assert workspace.library_store.mentions_of_document(document) == before != {}
    (found,) = workspace.catalogue.documents()
    assert found.title == "Glucophage" and not workspace.links.due


def test_misspelt_names_are_suggested(workspace: LightWorkspace) -> None:
    workspace.graph_tasks.submit_import(files=graph_files())
    all_finished(workspace)
    assert [entity.id for entity in workspace.names.suggest("Metfromin")] == ["D1"]
    assert workspace.names.suggest("xylophone") == []
