"""The evidence beside an answer, through AppTest: every kind of citation, and the ways through them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.answers import DocumentCitation, GraphCitation, Support
from core.domain.documents import OnConflict
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from pages.parts.evidence.marks import citation_colour, page_marks
from pages.parts.evidence.sentences import sentence_rows
from tests.pages.conftest import ask

OpenPage = Callable[..., AppTest]
QUESTION = "When must metformin not be taken?"


def _text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.warning, *app.error]
    return " ".join(str(part.value) for part in parts).replace("\\", "")


def _labels(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button]


def _press(app: AppTest, key: str) -> AppTest:
    (button,) = [one for one in app.button if one.key == key]
    app = button.click().run()
    assert not app.exception
    return app


def _source(app: AppTest, part: str) -> AppTest:
    button = next(one for one in app.button if part in one.label.replace("\\", ""))
    app = button.click().run()
    assert not app.exception
    return app


def _alt(app: AppTest) -> str:
    (pictures,) = app.get("image")
    return str(pictures.proto.imgs[0].alt)


@pytest.mark.req("PR-8", "KG-18", "KG-19")
def test_a_citation_opens_beside_the_answer_and_leads_through_its_document(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), QUESTION)
    assert not app.get("image")
    turn = sample_workspace.conversations.history(app.session_state["chat_session"])[-1]
    cited = next(one for one in turn.answer.citations if isinstance(one, DocumentCitation))
    app = _source(app, "Metformin.pdf, p. 1")
    words = " ".join(cited.quote.split())
    assert "**Metformin.pdf**, page 1 · Contraindications" in _text(app)
    assert cited.quote in [one.value for one in app.text]
    assert words[:60] in _alt(app) and "Metformin.pdf, page 1, marked" in _alt(app)
    document = sample_workspace.catalogue.document(cited.document_id)
    assert document is not None and document.sha256[:12] in _text(app)

    app = _press(app, "evidence_whole")
    assert "Passage" in _labels(app) and words[:60] in _alt(app)
    app = _press(app, "evidence_page_on")
    assert "**Metformin.pdf**, page 2" in _text(app) and "page 2:" in _alt(app)
    app = _press(app, "evidence_cited")
    assert words[:60] in _alt(app)

    app = app.text_input(key=f"evidence_search_{document.id}").set_value("no such words").run()
    assert "Nothing in this document reads so" in _text(app)
    app = app.text_input(key=f"evidence_search_{document.id}").set_value("kidney").run()
    hits = [one for one in app.button if str(one.key).startswith("evidence_hit_")]
    assert hits and all("**kidney" in one.label.replace("\\", "").casefold() for one in hits)
    last = hits[-1]
    page = int(str(last.key).split("_")[2])
    app = last.click().run()
    assert not app.exception and f"page {page}, marked: “kidney" in _alt(app).casefold()

    # What is open outlives a change of the page, and goes with its conversation.
    app = app.switch_page("history.py").run()
    assert "Evidence" in _text(app) and app.get("image")
    app = _press(app, "new_chat")
    assert not app.get("image")


@pytest.mark.req("KG-17", "KG-28")
def test_the_next_citation_is_a_relationship_with_both_its_ends(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), QUESTION)
    answer = sample_workspace.conversations.history(app.session_state["chat_session"])[-1].answer
    number = next(n for n, one in enumerate(answer.citations) if isinstance(one, GraphCitation))
    relationship = answer.citations[number]
    assert isinstance(relationship, GraphCitation)
    app = _source(app, "Metformin.pdf, p. 1")
    for _ in range(len(answer.citations)):
        if f"Evidence {relationship.n} " in _text(app):
            break
        app = _press(app, "evidence_next")
    assert relationship.target in _text(app) and relationship.source_id in _text(app)
    assert {f"open_{relationship.source_id}", f"open_{relationship.target_id}"} <= {
        one.key for one in app.button
    }
    app = _press(app, "evidence_all")
    assert "What each sentence rests on" in _text(app)
    app = _press(app, "evidence_close")
    assert "What each sentence rests on" in _text(app)  # offered to the wide chat alone
    assert "evidence_close" not in {one.key for one in app.button}
    entity = next(one for one in app.button if str(one.key).startswith("entity_source_"))
    app = entity.click().run()
    assert app.session_state["graph_selected"] == str(entity.key).rpartition("_")[2]


def test_sentences_without_support_come_first_with_all_that_others_rest_on(
    sample_workspace: Workspace,
) -> None:
    answer = sample_workspace.chat.answer(QUESTION)
    rows = sentence_rows(answer)["rows"]
    assert [one["text"] for one in rows] == [one.text for one in answer.sentences]
    numbers = [[each["n"] for each in one["evidence"]] for one in rows]
    assert numbers == [list(one.citations) for one in answer.sentences]


@pytest.mark.req("PR-8")
def test_all_marks_of_an_answer_stand_on_the_page_in_their_colours(
    sample_workspace: Workspace,
) -> None:
    answer = sample_workspace.chat.answer(QUESTION)
    passages = [one for one in answer.citations if isinstance(one, DocumentCitation)]
    shown = passages[0]
    here = [
        one for one in passages if (one.document_id, one.page) == (shown.document_id, shown.page)
    ]
    assert len(here) > 1
    marks = page_marks(answer, shown, shown.page, None)
    assert {mark[:2] for mark in marks} == {(one.start, one.end) for one in here}
    assert marks[-1] == (shown.start, shown.end, citation_colour(answer, shown.n))
    for mark in marks[:-1]:
        assert sum(mark.colour) > sum(marks[-1].colour), "the cited one is the strongest"
    supports = {one.support for one in answer.sentences if shown.n in one.citations}
    assert supports <= {Support.DOCUMENT, Support.BOTH}
    found = page_marks(answer, shown, shown.page, (3, 9))
    assert found[-1][:2] == (3, 9) and found[-1].colour != marks[-1].colour
    assert page_marks(answer, shown, shown.page + 50, None) == ()


def test_sources_that_are_gone_or_have_no_pages_have_their_view(
    make_workspace: Callable[..., Workspace],
    pdf: Callable[..., Path],
    tmp_path: Path,
    open_page: OpenPage,
) -> None:
    workspace = make_workspace()
    said = "The recommended dose of Zolvetrin is 37 mg once a day."
    first = workspace.library.ingest(pdf("Zolvetrin.pdf", said))
    written = tmp_path / "Krelixan.md"
    written.write_text(
        f"# Krelixan\n\n{'Other words. ' * 40}\n\nThe dose of Krelixan is 7 mg a day.\n"
    )
    assert workspace.library.ingest(written).state == "ready"
    app = ask(open_page(workspace), "What is the dose of Krelixan?")
    app = _source(app, "Krelixan.md")
    assert not app.get("image")
    assert any("orange-background" in one.value and "7 mg" in one.value for one in app.markdown)

    app = ask(app, "What is the recommended dose of Zolvetrin?")
    app = _source(app, "Zolvetrin.pdf, p. 1")
    assert app.get("image")
    other = pdf("Zolvetrin.pdf", f"{said} Swallow it whole.")
    again = workspace.library.ingest(other, on_conflict=OnConflict.REPLACE)
    app = app.run()
    assert "Source replaced" in _text(app) and said in _text(app) and not app.get("image")
    assert again.document_id != first.document_id
    workspace.library.delete(again.document_id)
    assert "Source deleted" in _text(app.run())


@pytest.mark.req("KG-34")
def test_what_is_not_embedded_is_said_with_the_button_that_mends_it(
    make_workspace: Callable[..., Workspace], tmp_path: Path, open_page: OpenPage
) -> None:
    workspace = make_workspace()
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "nodes.csv").write_text(
        "id,type,name,indication\nD1,Drug,Metformin,diabetes\nX1,Disease,gout,\n"
    )
    (graph / "relationships.csv").write_text("source,type,target\nD1,CONTRAINDICATED_IN,X1\n")
    workspace.graph_tasks.import_folder(graph)
    app = open_page(workspace)
    for page, note in (("explorer.py", "explorer"), ("system.py", "system")):
        app = app.switch_page(page).run()
        assert _text(app).count("The entities of the graph are not embedded yet") == 2
        assert {f"mend_vectors_{note}", "mend_vectors_chat"} <= {one.key for one in app.button}
    app = _press(app, "mend_vectors_chat")
    for job in workspace.jobs.jobs():
        workspace.jobs.wait(job.id, 60)
    app = app.run()
    assert "not embedded" not in _text(app)
    assert not any(str(one.key).startswith("mend_vectors") for one in app.button)
    # Vectors of passages: some, and then all.
    document = workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").document_id
    (index,) = workspace.library_store.indexes()
    (one, *_) = workspace.library_store.document_chunks(document)
    for lose, told in (
        (lambda: workspace.vectors.delete_chunks(index.collection, [one.id]), False),
        (lambda: workspace.vectors.drop(index.collection), True),
    ):
        lose()
        answer = workspace.chat.answer("When must metformin not be taken?")
        assert answer.citations and ("lost its vectors" in answer.notice) is told
        app = open_page(workspace, "system.py")
        assert _text(app).count("passages of “leaflets” have no vector") == 2
        app = _press(app, "repair_chat_leaflets")
        for job in workspace.jobs.jobs():
            workspace.jobs.wait(job.id, 60)
        assert "have no vector" not in _text(app.run()) and workspace.verifier.run().consistent
