"""Earlier answers to questions close to a new one: found under other words, told with what changed since,
given to a language model only on request. The embedding model is the real one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.answers import prompts
from core.answers.provenance.earlier import EarlierAnswer, earlier_to_public
from core.answers.provenance.since import Change
from core.conversations.exporting.exports import ExportFormat
from core.domain.answers import Answer, Support
from core.domain.conversations import Turn
from core.domain.documents import OnConflict
from core.domain.provenance.within import Within
from core.graph.importing.importer import import_graph
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.answering import Open, with_model
from tests.support.asking import UNANSWERABLE
from tests.support.fake_openai import FakeOpenAI, text
from tests.support.once import made_once
from tests.support.pdfs import make_pdf

FIRST = "How many days before major surgery is warfarin usually stopped?"
OTHER_WORDS = "How long before surgery does one stop warfarin?"
CHILDREN = "What is the dose of ibuprofen for children?"


@pytest.fixture(scope="module")
def folder(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes data folders with the library that tests of answers read."""
    return lambda: made_once(tmp_path_factory, "answers", lambda _folder: None)


@pytest.fixture
def own(folder: Callable[[], Path], open_workspace: Open) -> Workspace:
    return open_workspace(folder(), writer=True)


def asked(workspace: Workspace, question: str, session: str = "", **more: object) -> Turn:
    answer: Answer = workspace.chat.answer(question, session or None, **more)  # type: ignore[arg-type]
    return workspace.conversations.history(answer.session)[-1]


def what(found: list[EarlierAnswer]) -> list[list[Change]]:
    return [[each.what for each in one.changed] for one in found]


@pytest.mark.req("CG-3")
def test_an_earlier_question_is_found_under_other_words_with_what_changed(
    own: Workspace, tmp_path: Path
) -> None:
    first = asked(own, FIRST)
    asked(own, "Which drugs treat type 2 diabetes?")
    asked(own, UNANSWERABLE[1])
    assert own.earlier.like(OTHER_WORDS) == [], "nothing is embedded yet"
    assert own.recall.embed_missing() == 3
    now = asked(own, OTHER_WORDS)
    (found,) = own.earlier.beside(now)
    assert (found.found.turn_id, found.found.question) == (first.id, FIRST)
    assert found.found.similarity > 0.7 and found.changed == ()
    assert own.earlier.beside(first) == []
    public = json.loads(json.dumps(earlier_to_public(found)))
    assert (public["turnId"], public["changed"], public["refused"]) == (first.id, [], False)

    import_graph(SAMPLE / "graph", own.graph.store)
    assert what(own.earlier.beside(now)) == [[Change.GRAPH]]
    import_graph(SAMPLE / "graph", own.graph.store)
    leaflet = make_pdf(tmp_path / "Warfarin.pdf", "Warfarin is stopped 9 days before surgery.")
    done = own.library.ingest(leaflet, on_conflict=OnConflict.REPLACE)
    assert done.state == "ready"
    (replaced,) = own.earlier.like(OTHER_WORDS)[:1]
    assert {each.what for each in replaced.changed} == {Change.GRAPH, Change.SOURCE_REPLACED}
    today = asked(own, FIRST)
    assert "9 days" in today.answer.text
    assert Change.ANSWER in what(own.earlier.beside(today))[0]
    own.deletion.documents([done.document_id], quotes=True)
    (deleted, *_) = own.earlier.like(FIRST)
    assert deleted.changed[0].text == "Warfarin.pdf was deleted"


def test_the_same_question_on_another_medicine_is_not_offered_above_an_answer(
    own: Workspace, tmp_path: Path
) -> None:
    for name in ("Velmarine", "Velmatide"):
        leaflet = tmp_path / f"{name}.md"
        leaflet.write_text(f"# {name} tablets\n\n## 5. Storage\n\nKeep {name} below 25 °C.\n")
        assert own.library.ingest(leaflet).state == "ready"
    first, other = (asked(own, f"How is {one} stored?") for one in ("Velmarine", "Velmatide"))
    own.recall.embed_missing()
    close = [one.turn_id for one in own.recall.similar_to(other)]
    assert close == [first.id], "by the words alone it is close"
    assert not {*first.answer.cited_files} & {*other.answer.cited_files}
    assert own.earlier.beside(other) == []
    again = asked(own, "How must Velmarine be stored?")
    own.recall.embed_missing()
    assert [one.found.turn_id for one in own.earlier.beside(again)] == [first.id]


def test_what_becomes_of_a_close_question_is_not_said_of_an_earlier_one(own: Workspace) -> None:
    """It has other words, or is asked of other documents; of the same one it is said."""
    others = Within(
        documents=tuple(one.id for one in own.catalogue.documents() if one.file != "Warfarin.pdf")
    )
    answered, elsewhere = asked(own, FIRST), asked(own, FIRST, within=others)
    close = asked(own, OTHER_WORDS, within=others)
    assert [one.answer.refused for one in (answered, elsewhere, close)] == [False, True, True]
    own.recall.embed_missing()
    again = asked(own, OTHER_WORDS)
    assert not again.answer.refused
    for turn in (close, again):
        assert all(one.changed == () for one in own.earlier.beside(turn))
        assert own.earlier.beside(turn)
    own.recall.embed_missing()
    there = [one.id for one in own.catalogue.documents() if one.file == "Warfarin.pdf"]
    own.deletion.documents(there, quotes=False)
    gone = asked(own, OTHER_WORDS)
    (told,) = [one for one in own.earlier.beside(gone) if one.found.turn_id == again.id]
    assert told.changed[-1].text == "it is not answered today"


def test_refusals_are_marked_and_imports_and_deletions_followed(own: Workspace) -> None:
    refused = asked(own, UNANSWERABLE[0])
    assert refused.answer.refused
    own.recall.embed_missing()
    (found,) = own.earlier.like(UNANSWERABLE[0])
    assert found.found.refused
    written = own.exports.written(refused.session_id, ExportFormat.JSON)
    own.conversations.delete(refused.session_id)
    assert own.earlier.like(UNANSWERABLE[0]) == []
    own.exports.read_in(written.content)
    assert own.recall.embed_missing() == 1 and len(own.earlier.like(UNANSWERABLE[0])) == 1


@pytest.mark.req("CG-2")
def test_a_follow_up_is_found_by_what_it_asked_for(own: Workspace) -> None:
    first = asked(own, "What is the dose of ibuprofen for adults?")
    follow_up = asked(own, "And for children?", first.session_id)
    own.recall.embed_missing()
    found = own.earlier.like(CHILDREN)
    assert found[0].found.turn_id == follow_up.id and found[0].found.question == "And for children?"


@pytest.mark.req("CG-3")
def test_an_earlier_answer_is_context_only_on_request_and_never_evidence(
    own: Workspace, open_workspace: Open, provider: FakeOpenAI
) -> None:
    """What a model takes from it alone counts as not supported, numbers too."""
    first = asked(own, CHILDREN)
    with_model_ = open_workspace(own.settings.root, **with_model(provider))
    told = "Warfarin is stopped 5 days before surgery [1]. The dose for children is 73 mg."
    provider.play(text(told), text(told), text(told))
    assert asked(with_model_, FIRST).answer.trace.context == ()  # type: ignore[union-attr]
    assert CHILDREN not in provider.requests[0].user
    gone = asked(own, "Which drugs treat type 2 diabetes?")
    own.conversations.delete(gone.session_id)
    turn = asked(with_model_, FIRST, context=(first.id, gone.id, "nobody", first.id))
    prompt = provider.requests[1].user
    assert prompt.count(CHILDREN) == 1 and prompt.index(prompts.HISTORY_HEAD) < prompt.index(
        CHILDREN
    )
    trace = turn.answer.trace
    assert trace is not None and (trace.context, trace.earlier_turns) == ((first.id,), 1)
    assert turn.answer.read_as == FIRST
    number = next(one for one in turn.answer.sentences if "73 mg" in one.text)
    assert number.support is Support.UNSUPPORTED and number.citations == ()
    assert first.id not in {getattr(one, "document_id", "") for one in turn.answer.citations}
    # Asked again, the model is given the same.
    with_model_.chat.again(turn.session_id, turn.id)
    assert provider.requests[2].user == prompt
