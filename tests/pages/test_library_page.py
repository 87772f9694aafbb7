"""The Library and System pages through AppTest: filters, questions, indexes, the check of the stores."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.events import Answered
from core.errors import ModelError
from core.maintenance.backup.jobs import BACKUP
from core.workspace import Workspace, share_workspace
from tests.pages.conftest import ask
from tests.support.fakes import HashEncoder

OpenPage = Callable[..., AppTest]


def _text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    return " ".join(str(part.value) for part in [*parts, *app.success]).replace("\\", "")


def _button(app: AppTest, label: str) -> AppTest:
    return next(b for b in app.button if label in b.label.replace("\\", "")).click().run()


def _wait(workspace: Workspace) -> None:
    for job in workspace.jobs.jobs():
        workspace.jobs.wait(job.id, 60)


@pytest.fixture
def filled(make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]) -> Workspace:
    """Two leaflets, one of them with a page without text."""
    workspace = make_workspace()
    workspace.library.ingest(pdf("Zolvetrin.pdf", "The dose of Zolvetrin is 37 mg.", ""))
    workspace.library.ingest(pdf("Quintaxol.pdf", "Do not take Quintaxol with juice."))
    return workspace


def test_documents_are_filtered_by_name_and_state(filled: Workspace, open_page: OpenPage) -> None:
    app = open_page(filled)
    assert set(app.dataframe[0].value["File"]) == {"Zolvetrin.pdf", "Quintaxol.pdf"}
    states = dict(zip(app.dataframe[0].value["File"], app.dataframe[0].value["State"], strict=True))
    assert states == {"Zolvetrin.pdf": "Ready, 1 page without text", "Quintaxol.pdf": "Ready"}
    app.text_input(key="filter_name").set_value("quint").run()
    assert list(app.dataframe[0].value["File"]) == ["Quintaxol.pdf"]
    app.text_input(key="filter_name").set_value("").run()
    app.selectbox(key="filter_state").set_value("Pages without text").run()
    assert list(app.dataframe[0].value["File"]) == ["Zolvetrin.pdf"]


@pytest.mark.req("PR-5")
def test_what_is_being_removed_is_said_until_nothing_is_left(
    filled: Workspace, open_page: OpenPage
) -> None:
    (gone,) = [one for one in filled.catalogue.documents() if one.file == "Zolvetrin.pdf"]
    filled.library_store.mark_deleting([gone.id])  # and then a store was away
    app = open_page(filled)
    assert "Being removed: Zolvetrin.pdf. No search and no answer sees this" in _text(app)
    states = dict(zip(app.dataframe[0].value["File"], app.dataframe[0].value["State"], strict=True))
    assert states["Zolvetrin.pdf"].startswith("Being removed")
    filled.library.finish_removals()
    app.run()
    assert "Being removed" not in _text(app)
    assert list(app.dataframe[0].value["File"]) == ["Quintaxol.pdf"]


# -- what a document is about ---------------------------------------------------------------------


@pytest.fixture
def misnamed(make_workspace: Callable[..., Workspace], tmp_path: Path) -> Workspace:
    """A leaflet that does not say what it is about, and the graph of the medicine that it is."""
    workspace = make_workspace()
    (tmp_path / "nodes.csv").write_text("id,type,name\nB1,Drug,Quintaxol\nB2,Drug,Zolvetrin\n")
    (tmp_path / "relationships.csv").write_text("source,type,target\nB1,INTERACTS_WITH,B2\n")
    workspace.graph_tasks.import_folder(tmp_path)
    _wait(workspace)
    text = b"Take one tablet of 37 mg each morning, with a glass of water."
    workspace.submissions.uploads([("document_01.txt", text)])
    _wait(workspace)
    return workspace


def _asked_again() -> None:
    from core.workspace import shared_workspace
    from pages.parts.library.subject import _ask_before_reading

    library = shared_workspace().library
    _ask_before_reading(*library.as_read(library.store.documents()[0].id))


def _look() -> None:
    """The script of a page: a look into the newest document (AppTest cannot click into a table)."""
    from core.workspace import shared_workspace
    from pages.parts.library.document_view import document_view

    document_view(shared_workspace().catalogue.documents()[0])


def _change() -> None:
    """The dialog alone: AppTest runs whole pages, which closes one that a button opens."""
    from core.workspace import shared_workspace
    from pages.parts.library.subject import change_subject

    change_subject(shared_workspace().catalogue.documents()[0])


def _opened(workspace: Workspace, script: Callable[[], None]) -> AppTest:
    share_workspace(workspace)
    return AppTest.from_function(script, default_timeout=60).run()


def test_what_a_document_is_about_is_told_found_and_corrected(
    misnamed: Workspace, open_page: OpenPage
) -> None:
    app = open_page(misnamed)
    assert "document_01.txt: about “document 01”, as the file is called: 1 chunk" in _text(
        app
    ).replace("**", "")
    assert list(app.dataframe[0].value["About"]) == ["document 01"]
    look = _opened(misnamed, _look)
    assert (
        "About **document 01** :gray[(as the file is called)], a name that the graph does not know"
        in _text(look)
    )
    dialog = _opened(misnamed, _change)
    (document,) = misnamed.catalogue.documents()
    field = dialog.text_input(key=f"new_title_{document.id}_0")
    assert field.value == "document 01"
    field.set_value("Quintaxol <b>tablets</b>").run()
    assert "Taken for: Quintaxol :" in _text(dialog) and "badge[Drug]" in _text(dialog)
    assert misnamed.catalogue.documents() == [document], "not before it is saved"
    _button(dialog, "Save")
    assert not dialog.exception
    (changed,) = misnamed.catalogue.documents()
    assert changed.title == "Quintaxol <b>tablets</b>"
    look.run()
    assert "About **Quintaxol <b>tablets</b>** :gray[(corrected)], taken for Quintaxol" in _text(
        look
    )
    app.text_input(key="filter_name").set_value("quintaxol").run()
    assert list(app.dataframe[0].value["About"]) == [changed.title]


def test_a_title_that_says_nothing_is_refused_on_the_page(
    misnamed: Workspace, open_page: OpenPage
) -> None:
    open_page(misnamed)
    look = _opened(misnamed, _change)
    (document,) = misnamed.catalogue.documents()
    look.text_input(key=f"new_title_{document.id}_0").set_value("– ").run()
    _button(look, "Save")
    assert "EMPTY_TITLE" in _text(look) and misnamed.catalogue.documents() == [document]
    _button(look, "Cancel")
    assert not look.exception and misnamed.catalogue.documents() == [document]


def test_question_about_a_known_name_is_decided_on_the_page(
    filled: Workspace, open_page: OpenPage
) -> None:
    filled.submissions.uploads([("Quintaxol.pdf", b"other bytes, no PDF")])
    _wait(filled)
    app = open_page(filled)
    assert "NOT_A_PDF" in _text(app)
    filled.submissions.uploads([("Notes.txt", b"Quintaxol is stored cold.")])
    _wait(filled)
    filled.submissions.uploads([("Notes.txt", b"Quintaxol is stored warm.")])
    _wait(filled)
    app = open_page(filled)
    assert "A file of this name is in the library already" in _text(app)
    _button(app, "Keep both")
    _wait(filled)
    assert not app.exception
    names = {document.file for document in filled.library_store.documents("leaflets")}
    assert {"Notes.txt", "Notes (2).txt"} <= names
    filled.submissions.uploads([("Notes.txt", b"Quintaxol is stored frozen.")])
    _wait(filled)
    app = open_page(filled)
    _button(app, "Keep the earlier one to compare")
    _wait(filled)
    app.run()
    assert "Notes.txt is in the library in two versions" in _text(app).replace("*", "")
    (earlier,) = filled.library_store.documents("earlier-versions")
    (present,) = filled.library_store.documents_named("leaflets", "Notes.txt")
    assert earlier.file.startswith("Notes (earlier, until ")
    assert "cold" in filled.catalogue.pages(earlier.id)[0].text
    assert "frozen" in filled.catalogue.pages(present.id)[0].text


def test_what_is_over_stays_closed_and_tells_of_documents_alone(
    filled: Workspace, open_page: OpenPage
) -> None:
    """A backup is told of on the System page; what went wrong stands above the closed list, some of it."""
    filled.jobs.submit(BACKUP, "Backup of today", {})
    for number in range(4):
        filled.submissions.uploads([(f"Broken {number}.pdf", b"no PDF")])
    _wait(filled)
    app = open_page(filled)
    (over,) = [one for one in app.expander if one.label.startswith("Finished")]
    assert over.label == "Finished (4), 4 with problems" and not over.proto.expanded
    inside, whole = (
        sum("Broken" in str(one.value) for one in where.markdown) for where in (over, app)
    )
    assert (inside, whole - inside) == (4, 2)
    assert "and 2 more, under “Finished”" in _text(app) and "Backup of today" not in _text(app)


def test_index_of_another_model_is_embedded_anew_from_the_page(
    filled: Workspace, open_page: OpenPage
) -> None:
    other = HashEncoder()
    filled._encoders[filled.settings.embedding_model] = other
    app = open_page(filled)
    app.segmented_control(key="library_view").set_value("Indexes").run()
    assert f"the configured model is {other.name}" in _text(app)
    _button(app, "Embed anew")
    _wait(filled)
    app.run()
    assert not app.exception
    assert "the configured model is" not in _text(app)
    assert filled.indexes.describe("leaflets").index.model == other.name


def test_bad_index_name_is_refused_and_a_good_one_made(
    filled: Workspace, open_page: OpenPage
) -> None:
    app = open_page(filled)
    app.segmented_control(key="library_view").set_value("Indexes").run()
    name = next(field for field in app.text_input if field.label == "Name")
    name.set_value("1 <b>")
    _button(app, "Create")
    assert "INVALID_INDEX_NAME" in _text(app)
    next(field for field in app.text_input if field.label == "Name").set_value("papers")
    _button(app, "Create")
    assert filled.library_store.index("papers") is not None


def test_check_of_the_stores_tells_and_mends(filled: Workspace, open_page: OpenPage) -> None:
    app = open_page(filled, "system.py")

    def pressed(label: str) -> str:
        _button(app, label)
        (newest, *_) = filled.jobs.jobs()
        filled.jobs.wait(newest.id, 60)
        return _text(app.run())

    assert "All stores agree: 2 documents" in pressed("Check the stores")
    filled.vectors.delete_chunks("leaflets", list(filled.vectors.chunk_ids("leaflets"))[:1])
    assert "The stores do not agree" in pressed("Check the stores")
    assert "Repaired; all stores agree now" in pressed("Check and repair")


def test_answer_of_a_deleted_document_is_marked(filled: Workspace, open_page: OpenPage) -> None:
    app = open_page(filled)
    ask(app, "What is the dose of Zolvetrin?")
    assert "Source deleted" not in _text(app)
    (document,) = filled.library_store.documents_named("leaflets", "Zolvetrin.pdf")
    filled.library.delete(document.id)
    app.run()
    assert "Source deleted: Zolvetrin.pdf" in _text(app)


# -- opened, named, moved, renamed -----------------------------------------------------------------


def _show_indexes(app: AppTest) -> AppTest:
    return app.segmented_control(key="library_view").set_value("Indexes").run()


def test_a_link_opens_a_document_at_its_page_or_says_that_it_is_gone(
    filled: Workspace, open_page: OpenPage
) -> None:
    (document,) = filled.library_store.documents_named("leaflets", "Zolvetrin.pdf")

    def follow(app: AppTest, document_id: str, page: str) -> AppTest:
        app.query_params["document"], app.query_params["page"] = document_id, page
        app.run()
        assert not app.exception
        named = {"document": document_id, "page": page}
        there = filled.catalogue.document(document_id) is not None
        assert dict(app.query_params) == (named if there else {}), "what is open, and only that"
        return app

    app = follow(open_page(filled), document.id, "2")
    assert [head.value.replace("\\", "") for head in app.header] == ["Zolvetrin.pdf"]
    assert app.number_input(key=f"page_{document.id}").value == 2
    assert "No text was found on this page" in _text(app)
    for beyond in ("9", "-1", "²", "<b>"):
        follow(app, document.id, beyond)
        assert app.number_input(key=f"page_{document.id}").value in (1, 2)
    _button(app, "All documents")
    filled.library.delete(document.id)
    for gone in (document.id, "../nobody"):
        follow(app, gone, "1")
        assert "The document of this link is not in the library any more." in _text(app)
        assert not app.header
    app.run()
    assert "of this link" not in _text(app), "said once"


def test_a_known_file_is_named_and_what_is_there_opens(
    filled: Workspace, open_page: OpenPage
) -> None:
    (there,) = filled.library_store.documents_named("leaflets", "Quintaxol.pdf")
    original = filled.library.original(there.id)
    assert original is not None
    filled.submissions.uploads([("Copy of it.pdf", original.read_bytes())])
    _wait(filled)
    app = open_page(filled)
    since = f"{there.created_at.astimezone():%Y-%m-%d}"
    told = "It has the same content as “Quintaxol.pdf”, which is in the index leaflets since"
    assert f"**Copy of it.pdf** was not added. {told} {since}" in _text(app)
    app.text_input(key="filter_name").set_value("quint").run()
    _button(app, "Open Quintaxol.pdf")
    assert "Quintaxol.pdf" in [head.value.replace("\\", "") for head in app.header]
    assert not app.dataframe, "it stands in the table's place"
    _button(app, "All documents")
    assert list(app.dataframe[0].value["File"]) == ["Quintaxol.pdf"], "filtered as before"
    app.selectbox(key="document_by_name").set_value(there.id).run()
    assert "Quintaxol.pdf" in [head.value.replace("\\", "") for head in app.header]
    _button(app, "All documents")
    assert app.dataframe and app.selectbox(key="document_by_name").value is None


def _move() -> None:
    """The dialog alone, for all documents."""
    from core.workspace import shared_workspace
    from pages.parts.library.moving import move_documents

    move_documents(shared_workspace().catalogue.documents("leaflets"))


def _rename() -> None:
    from core.workspace import shared_workspace
    from pages.parts.library.index_menu import rename_index

    rename_index(shared_workspace().library.store.indexes()[-1])


def _model() -> None:
    from core.workspace import shared_workspace
    from pages.parts.library.index_menu import choose_model

    choose_model(shared_workspace().library.store.indexes()[-1])


def test_documents_move_with_their_answers_and_the_index_gets_another_name(
    filled: Workspace, open_page: OpenPage
) -> None:
    app = open_page(filled)
    ask(app, "What is the dose of Zolvetrin?")
    dialog = _opened(filled, _move)
    assert "There is no other index" in _text(dialog)
    filled.indexes.create("archive")
    dialog = _opened(filled, _move)
    assert "chunks and vectors go along as they are" in _text(dialog)
    _button(dialog, "Move 2 documents")
    _wait(filled)
    assert {one.index for one in filled.catalogue.documents()} == {"archive"}
    filled.indexes.delete("leaflets")
    dialog = _opened(filled, _rename)
    dialog.text_input(key="rename_index_name").set_value("archive").run()
    _button(dialog, "Rename")
    assert "INDEX_EXISTS" in _text(dialog)
    dialog.text_input(key="rename_index_name").set_value("shelf").run()
    _button(dialog, "Rename")
    _wait(filled)
    app.run()
    assert "Source deleted" not in _text(app)
    _show_indexes(app)
    assert "**shelf**" in _text(app) and "**archive**" not in _text(app)
    *_, last = filled.chat.ask("What is the dose of Zolvetrin?", indexes=("archive",))
    assert isinstance(last, Answered)
    assert "37 mg" in last.answer.text and last.answer.scope == ("shelf",), "by its earlier name"


def test_a_model_that_cannot_be_loaded_is_said_and_nothing_changes(
    filled: Workspace, open_page: OpenPage, tmp_path: Path
) -> None:
    open_page(filled)
    before = filled.library_store.indexes()
    broken = str(tmp_path / "none")
    with pytest.raises(ModelError, match="none"):
        filled.submissions.re_embed("leaflets", broken)
    # AppTest cannot type a new option: this one is known as that of another index.
    filled.library_store.create_index(replace(before[0], name="other", model=broken))
    dialog = _opened(filled, _model)
    assert dialog.selectbox(key="index_model").value == broken
    _button(dialog, "Embed anew")
    assert "EMBEDDING_MODEL_MISSING" in _text(dialog)
    assert filled.library_store.indexes()[:1] == before and not filled.jobs.busy


def test_documents_at_a_glance_are_told_in_words_too(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace)
    app.session_state["library_glance"] = True
    app.run()
    told = _text(app)
    assert not app.exception
    assert "of 10 documents" in told and "10 documents; most in" in told, "sections, mentions"
    assert "Mentions by type" in told and "Documents by date" in told
    specs = [json.loads(one.proto.spec) for one in app.main.get("vega_lite_chart")]
    assert len(specs) == 5 and all(one["description"] for one in specs)


def test_products_are_listed_once_and_read_again(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    workspace = make_workspace()
    facts = "Active ingredient Purpose\n{} 5 mg ... Aid\nUses\npain\nWarnings\nNone.\nDirections\nOne.\n"
    listed = "Part {} of 2\n{}\n{} tablet\nProduct Information\n"
    names = ("Bacitracin", "Lidocaine")
    text = "".join(map(facts.format, names))
    text += "".join(listed.format(number, f"Aid {number}", one) for number, one in enumerate(names))
    workspace.submissions.uploads([("kit.txt", text.encode())])
    _wait(workspace)
    (document,) = workspace.catalogue.documents()
    workspace.library.retitle(document.id, "Kit", one=True)
    open_page(workspace)
    look = _opened(workspace, _look)
    assert "About **Kit** :gray[(corrected)]" in _text(look)
    _button(look, "Read again")
    assert "it is about **Kit**" in _text(look), "nothing that was corrected is lost unasked"
    assert "**Aid 0 - Bacitracin tablet**, **Aid 1 - Lidocaine tablet**" in _text(look)
    assert workspace.catalogue.documents()[0].title == "Kit"
    _button(_opened(workspace, _asked_again), "Give the corrections up")
    look = _opened(workspace, _look)
    assert not look.exception and "**2 products** in this file, told apart" in _text(look)
    assert _text(look).count("About **Aid 0 - Bacitracin tablet**") == 1
    _button(look, "Read again")
    assert not look.exception and workspace.catalogue.documents()[0].corrections == 2
