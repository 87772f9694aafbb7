"""The literature page: what it sends, what it shows, and what it says when something fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.documents.reading.abstract_records import read_abstracts
from core.domain.jobs import JobState
from core.errors import InputError, MateriaError
from core.search.options import SearchOptions
from core.search.papers import search_papers
from core.search.scope import document_dates
from core.workspace import Workspace
from pages.parts.literature.exporting import _written, ordered
from pages.parts.literature.hits import marked_text
from tests.search.models import save_cross_encoder

OpenPage = Callable[..., AppTest]
QUERY = "How can adverse drug reactions be found in social media?"


def _search(app: AppTest, query: str, k: int = 5, mode: str = "hybrid") -> AppTest:
    _query(app).set_value(query)
    _box(app, "Results").set_value(k)
    _box(app, "Mode").set_value(mode)
    return next(b for b in app.button if b.label == "Search").click().run()


def _query(app: AppTest) -> Any:
    return next(box for box in app.text_input if box.label == "Search by meaning and words")


def _box(app: AppTest, label: str) -> Any:
    return next(box for box in app.selectbox if box.label == label)


def _text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    said = [str(part.value) for part in parts] + [box.label for box in app.checkbox]
    return " ".join(said).replace("\\", "")


def _answer(app: AppTest) -> dict[str, Any] | None:
    """What the answer's component is handed."""
    drawn = [json.loads(element.proto.json) for element in app.main.get("bidi_component")]
    return drawn[0] if drawn else None


def _scores(app: AppTest) -> list[float]:
    found = (re.search(r"· score (\d\.\d\d)", c.value.replace("\\", "")) for c in app.caption)
    return [float(match.group(1)) for match in found if match]


@pytest.mark.req("AX-11", "AX-12")
def test_the_page_sends_q_and_k_and_shows_all_of_a_result(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "literature.py")
    assert list(_box(app, "Results").options) == ["3", "5", "10", "15"]
    assert _box(app, "Results").value == 5
    assert "hybrid (default)" in _box(app, "Mode").options and _box(app, "Mode").value == "hybrid"
    for k in (3, 5, 10, 15):
        _search(app, QUERY, k)
        assert not app.exception
        options = SearchOptions((ABSTRACTS,), k=k)
        result, papers = search_papers(sample_workspace.retriever, QUERY, options)
        assert len(papers) == k
        shown = _text(app)
        answer = _answer(app)
        assert answer is not None and answer["state"] != "not_in_library" and answer["sources"]
        assert re.search(rf"{k} papers in \d+ ms; {result.searched} chunks searched, hybrid", shown)
        assert _scores(app) == [round(paper.score, 2) for paper in papers]
        marked = " ".join(block.value for block in app.markdown)
        for paper in papers:
            assert paper.document.title in shown
            page = sample_workspace.library_store.page(paper.document.id, 0)
            assert page is not None
            sentences = sample_workspace.hit_answerer.sentences(QUERY, paper.hits)
            assert all(
                hit.chunk.start <= sentences[hit.chunk.id][0] < hit.chunk.end for hit in paper.hits
            )
            assert sum(end - start for start, end in sentences.values()) < 0.7 * len(page.text)
            assert marked_text(page.text, sentences.values()) in marked, "sentences are marked"
        assert marked.count(":orange-background[") >= k
        assert not app.main.get("link_button"), (
            "the sample's papers are invented: no link leads there"
        )


def test_the_answer_leads_to_its_passages(sample_workspace: Workspace, open_page: OpenPage) -> None:
    app = open_page(sample_workspace, "literature.py")
    app.segmented_control[0].set_value([LEAFLETS]).run()
    _search(app, "When must metformin not be taken?", 3)
    assert "3 passages in" in _text(app)
    marked = " ".join(block.value for block in app.markdown)
    assert marked.count(":orange-background[") == 3, "the sentence of each passage"
    source = next(
        b for b in app.button if "Metformin\\.pdf" in b.label and "[1" in b.label.replace("\\", "")
    )
    source.click().run()
    assert not app.exception and "Relevance" in _text(app)


@pytest.mark.parametrize("index", [ABSTRACTS, LEAFLETS])
def test_what_the_page_proposes_to_ask_is_answered(
    sample_workspace: Workspace, open_page: OpenPage, index: str
) -> None:
    app = open_page(sample_workspace, "literature.py")
    app.segmented_control[0].set_value([index]).run()
    _search(app, _query(app).placeholder)
    answer = _answer(app)
    assert not app.exception
    assert answer is not None and answer["state"] != "not_in_library" and answer["sources"]


def test_a_phrase_that_nothing_has_falls_back_and_one_that_is_there_is_marked(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "literature.py")
    _search(app, '"zyxomab zolvetrin" adverse reactions', 3)
    assert "No passage has “zyxomab zolvetrin” word for word" in _text(app)
    assert len(_scores(app)) == 3
    _search(app, 'reports of "drug safety"', 3)
    marked = " ".join(block.value for block in app.markdown)
    assert ":orange-background[drug safety]" in marked.casefold()
    assert "word for word" not in _text(app)


def test_scope_and_exact_words(sample_workspace: Workspace, open_page: OpenPage) -> None:
    app = open_page(sample_workspace, "literature.py")
    app.segmented_control[0].set_value([LEAFLETS]).run()
    _search(app, "kidney disease", 15, "exact")
    assert "exact mode" in _text(app) and ":orange-background[kidney disease]" in " ".join(
        block.value for block in app.markdown
    )
    wanted = next(
        d for d in sample_workspace.library_store.documents(LEAFLETS) if d.file == "Warfarin.pdf"
    )
    next(box for box in app.multiselect if box.label == "Documents").set_value([wanted.id])
    _search(app, "how should it be stored", 3)
    files = {b.label for b in app.checkbox if ".pdf" in b.label.replace("\\", "")}
    assert files and all("Warfarin" in value for value in files)


def test_several_indexes_are_searched_ordered_and_taken_along(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = open_page(sample_workspace, "literature.py")
    app.segmented_control[0].set_value([ABSTRACTS, LEAFLETS]).run()
    _search(app, "bleeding under warfarin", 10)
    assert not app.exception and "10 passages in" in _text(app)
    indexes = {name for name in (ABSTRACTS, LEAFLETS) if f"{name} · score" in _text(app)}
    assert indexes == {ABSTRACTS, LEAFLETS}, "each passage says which index it is of"
    options = SearchOptions((ABSTRACTS, LEAFLETS), k=10, diverse=True)
    hits = sample_workspace.retriever.search("bleeding under warfarin", options).hits
    _box(app, "Sort by").set_value("Title").run()
    titles = [hit.document.title for hit in ordered(hits, "Title")]
    assert titles == sorted(titles, key=str.casefold) and _scores(app) != sorted(_scores(app))
    days = [document_dates(hit.document)[1] for hit in ordered(hits, "Newest first")]
    assert days == sorted(days, reverse=True)
    files = {
        name: _written(name, hits, sample_workspace.catalogue) for name in ("BibTeX", "RIS", "CSV")
    }
    documents = {hit.document.id for hit in hits}
    assert files["BibTeX"].count(b"@misc{") == files["RIS"].count(b"ER  - ") == len(documents)
    assert len(files["CSV"].decode("utf-8-sig").strip().split("\r\n")) == 11
    app.checkbox[0].check().run()
    assert not app.exception
    app.segmented_control[0].set_value([]).run()
    assert "Choose at least one index" in _text(app) and not app.exception


def test_a_failing_reranker_is_said_and_the_hits_are_shown(
    make_workspace: Callable[..., Workspace], open_page: OpenPage, tmp_path: Path
) -> None:
    broken = save_cross_encoder(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    workspace = make_workspace(reranker=str(broken))
    _import(workspace, 4)
    app = _search(open_page(workspace, "literature.py"), "warfarin", 3)
    assert "RERANKER_FAILED" in _text(app) and len(_scores(app)) == 3


def _import(workspace: Workspace, count: int) -> None:
    """Bring abstracts into the library, as the library's page does."""
    records = [
        {
            "id": f"1802.0000{n}v1",
            "title": f"Warfarin and bleeding {n}",
            "summary": f"Bleeding under warfarin was studied in {n} adults. " * 4,
            "link": "[{'rel': 'alternate', 'href': 'http://arxiv.org/abs/1802.00001v1'}]",
            "year": 2018,
        }
        for n in range(count)
    ]
    job = workspace.submissions.abstracts("arxivData.json", json.dumps(records).encode())
    done = workspace.jobs.wait(job, 60)
    assert done is not None and done.state is JobState.DONE


def _code(call: Callable[[], object]) -> str:
    with pytest.raises(MateriaError) as caught:
        call()
    assert caught.value.message and "Traceback" not in str(caught.value)
    return caught.value.code


@pytest.mark.req("AX-14")
def test_every_failure_has_a_code_and_only_the_answer_may_be_missing(
    make_workspace: Callable[..., Workspace], open_page: OpenPage, tmp_path: Path
) -> None:
    workspace = make_workspace()
    malformed = tmp_path / "malformed.json"
    malformed.write_text("{not a list", "utf-8")
    assert _code(lambda: list(read_abstracts(tmp_path / "missing.json"))) == "NOT_FOUND"
    assert _code(lambda: list(read_abstracts(malformed))) == "ABSTRACTS_FORMAT"
    _import(workspace, 1)
    search = workspace.retriever.search
    assert _code(lambda: search(" ", SearchOptions())) == "EMPTY_QUERY"
    for k in (0, 101, -1):
        assert _code(lambda k=k: search("x", SearchOptions(k=k))) == "INVALID_K"
    app = open_page(workspace, "literature.py")
    assert "EMPTY_QUERY" in _text(_search(app, " "))
    workspace.close()

    # The embedding model is gone: nothing can be embedded, and words are still found.
    broken = make_workspace(embedding_model=str(tmp_path / "gone"))
    assert _code(lambda: broken.retriever.search("x", SearchOptions())) == "EMBEDDING_MODEL_MISSING"
    app = open_page(broken, "literature.py")
    assert "EMBEDDING_MODEL_MISSING" in _text(_search(app, "warfarin bleeding"))
    _search(app, "warfarin bleeding", mode="lexical")
    shown = _text(app)
    assert not app.exception and _answer(app) is None
    assert "EMBEDDING_MODEL_MISSING" in shown and "There is no answer" in shown
    assert "Warfarin and bleeding" in shown and _scores(app) == [1.0]
    with pytest.raises(InputError):
        broken.retriever.search("", SearchOptions(mode="lexical"))


def test_marked_text_is_plain_but_for_the_marks() -> None:
    text = "A *dose* of <b>5</b> mg:red[x]\nand $more$."
    marked = marked_text(text, [(2, 8), (6, 11)])
    assert (
        marked.replace("\\", "") == "A :orange-background[*dose* of] <b>5</b> mg:red[x] and $more$."
    )
    assert "\\*dose\\*" in marked and "mg\\:red\\[x\\]" in marked and "\\$more\\$" in marked
    assert marked_text(text, []).replace("\\", "") == " ".join(text.split())
