"""Every page through Streamlit's AppTest: it draws, says what it should, and reacts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.answers.prompts import BANNER, CLOSING, REFUSAL
from core.workspace import Workspace
from tests.pages.conftest import ask

OpenPage = Callable[..., AppTest]
PAGES = {
    "": "Library",
    "explorer.py": "Explorer",
    "literature.py": "Literature",
    "boards.py": "Boards",
    "history.py": "History",
    "system.py": "System",
}


def _labels(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button]


def _press(app: AppTest, label: str) -> AppTest:
    matching = [b for b in app.button if label in b.label.replace("\\", "")]
    assert matching, f"no button “{label}” among {_labels(app)}"
    return matching[0].click().run()


def _text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    return " ".join(str(part.value) for part in [*parts, *app.success]).replace("\\", "")


@pytest.mark.parametrize(("page", "title"), PAGES.items())
def test_page_draws_with_chat_and_disclaimer(
    sample_workspace: Workspace, open_page: OpenPage, page: str, title: str
) -> None:
    app = open_page(sample_workspace, page)
    assert not app.exception
    assert [header.value for header in app.title] == [title]
    assert any(BANNER in caption.value for caption in app.caption)
    assert len(app.sidebar.chat_input) == 1


def test_library_lists_documents_with_their_counts(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace)
    table = app.dataframe[0].value
    stored = {d.file: d for d in sample_workspace.library_store.documents("leaflets")}
    assert set(table["File"]) == set(stored)
    for row in table.to_dict("records"):
        assert row["Pages"] == stored[row["File"]].pages
        assert row["Chunks"] == stored[row["File"]].chunks


def test_empty_library_says_what_to_do(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    app = open_page(make_workspace())
    assert "Drop one or more files" in _text(app)
    assert not app.dataframe


def test_empty_explorer_says_what_to_do(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    assert "import-graph" in _text(open_page(make_workspace(), "explorer.py"))


def test_question_is_answered_with_sources_and_the_closing_disclaimer(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace)
    ask(app, "Does ibuprofen interact with warfarin?")
    assert not app.exception
    assert any(label.startswith("Sources (") for label in [e.label for e in app.expander])
    assert any("Warfarin · interacts with · Ibuprofen" in label for label in _labels(app))
    assert CLOSING.split("⚠️ ")[1].rstrip(".") in _text(app)


def test_citation_button_shows_its_evidence(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace)
    ask(app, "When must metformin not be taken?")
    _press(app, "Metformin.pdf, p. 1")
    assert not app.exception
    assert any("metformin" in text.value.lower() for text in app.text)
    assert "page 1" in _text(app)


@pytest.mark.req("PR-4")
def test_refusal_is_the_fixed_sentence_with_the_nearest_passages(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace)
    ask(app, "What is the capital of France?")
    turn = sample_workspace.conversations.history(app.session_state["chat_session"])[-1]
    assert turn.answer.text == REFUSAL
    assert "Nearest passages (not enough)" in [expander.label for expander in app.expander]


@pytest.mark.parametrize("question", ["   ", "a" * 10_000])
def test_bad_question_is_told_in_plain_words_and_the_app_goes_on(
    sample_workspace: Workspace, open_page: OpenPage, question: str
) -> None:
    app = open_page(sample_workspace)
    app.chat_input[0].set_value(question).run()
    assert not app.exception
    if question.strip():
        assert "QUESTION_TOO_LONG" in _text(app)
    ask(app, "Does ibuprofen interact with warfarin?")
    assert any(label.startswith("Sources (") for label in [e.label for e in app.expander])


@pytest.mark.req("KG-18", "KG-19")
def test_show_in_graph_opens_the_answers_subgraph(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace)
    ask(app, "Does ibuprofen interact with warfarin?")
    _press(app, "Show in graph")
    names = {
        entity.name
        for entity in sample_workspace.graph.entities(app.session_state["graph_shown"]).values()
    }
    assert {"Ibuprofen", "Warfarin"} <= names


def test_explorer_finds_opens_and_expands(sample_workspace: Workspace, open_page: OpenPage) -> None:
    app = open_page(sample_workspace, "explorer.py")
    app.text_input(key="entity_search").set_value("metform").run()
    _press(app, "Metformin")
    assert "biguanide" in _text(app)
    before = len(app.session_state["graph_shown"])
    metformin = sample_workspace.graph.entities_named("Metformin")[0]
    assert app.session_state["graph_selected"] == metformin.id
    app.button(key="expand_entity").click().run()
    assert not app.exception
    assert len(app.session_state["graph_shown"]) > before


def test_explorer_says_when_nothing_is_found(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "explorer.py")
    app.text_input(key="entity_search").set_value("<img src=x onerror=alert(1)>").run()
    assert not app.exception
    assert "Nothing in the graph is called" in _text(app)


def test_literature_gives_at_most_k_papers(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "literature.py")
    next(one for one in app.text_input if one.label.startswith("Search by")).set_value(
        "adverse drug reactions in social media"
    )
    next(box for box in app.selectbox if box.label == "Results").set_value(3)
    _press(app, "Search")
    assert "3 papers" in _text(app)
    scores = [
        float(caption.value.rpartition("score ")[2].replace("\\", ""))
        for caption in app.caption
        if "score" in caption.value
    ]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True)


def test_literature_empty_query_is_an_error_with_a_code(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "literature.py")
    _press(app, "Search")
    assert "EMPTY_QUERY" in _text(app)


def test_history_reopens_renames_and_deletes(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    answer = sample_workspace.chat.answer("How should levothyroxine be stored?")
    app = open_page(sample_workspace, "history.py")
    app.button(key=f"reopen_{answer.session}").click().run()
    assert app.session_state["chat_session"] == answer.session
    assert "How should levothyroxine be stored?" in _text(app)
    app.text_input(key=f"title_{answer.session}").set_value("Storage")
    app.button(key=f"rename_{answer.session}").click().run()
    assert sample_workspace.conversations.get(answer.session).title == "Storage"
    app.button(key=f"delete_{answer.session}").click().run()
    assert "This removes 1 question with its answer, for good." in _text(app)
    assert sample_workspace.conversations.get(answer.session).turns == 1, "asked first"
    app.button(key="confirm").click().run()
    assert answer.session not in {s.id for s in sample_workspace.conversations.list()}
    assert app.session_state["chat_session"] == ""


def test_system_shows_every_part_and_no_key(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    key = "sk-test-0123456789abcdef"
    app = open_page(make_workspace(llm_api_key=key), "system.py")
    text = _text(app)
    for part in ("Library", "Knowledge graph", "Vector store", "Embedding model", "Language model"):
        assert part in text
    (settings,) = (table.value for table in app.dataframe if "Setting" in table.value)
    assert key not in text and key not in settings.to_csv()
    assert "set" in set(settings["Value"])


def test_unreadable_vector_store_is_told_and_the_pages_go_on(
    make_workspace: Callable[..., Workspace], open_page: OpenPage, workspace_dir: Path
) -> None:
    (workspace_dir / "chroma").write_text("not a folder")
    workspace = make_workspace()
    app = open_page(workspace, "system.py")
    assert not app.exception
    app = open_page(workspace)
    ask(app, "When must metformin not be taken?")
    assert not app.exception


def test_markup_in_names_is_shown_as_text(
    make_workspace: Callable[..., Workspace], open_page: OpenPage, tmp_path: Path
) -> None:
    evil = "<img src=x onerror=alert(1)> [x](javascript:1) $a$ :red[b]"
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "nodes.csv").write_text(f'id,type,name,synonyms\nA,Drug,"{evil}",\nB,Disease,gout,\n')
    (graph / "relationships.csv").write_text("source,type,target\nA,TREATS,B\n")
    workspace = make_workspace()
    workspace.graph_tasks.import_folder(graph)
    app = open_page(workspace, "explorer.py")
    app.text_input(key="entity_search").set_value("<img").run()
    found = [b.label for b in app.button if "img" in b.label]
    assert found and "\\<img" in found[0] and "\\[x\\]\\(javascript" in found[0]
    next(b for b in app.button if "img" in b.label).click().run()
    assert not app.exception
    assert all("<img" not in m.value.replace("\\<", "") for m in app.markdown)
