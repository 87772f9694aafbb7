"""What the answer's element is handed: sentences in parts, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.support import check
from core.domain.answers import Answer, Block, NamedEntity, Sentence, Support
from core.domain.graph import Mention
from core.domain.plans import Plan, Want
from pages.parts.chat.answer_view import _banner, _sentence, _sources
from tests.domain.answers import an_answer
from tests.support.records import passages

CITATIONS = passages("The highest dose of metformin is 3,000 mg a day, above 30 mL/min.")


def shown(said: str) -> list[dict[str, Any]]:
    sentences = check(said, CITATIONS).sentences
    answer = Answer(
        "q", "q", "hybrid", False, sentences, CITATIONS, (), (), {}, "model", "session", ""
    )
    return [_sentence(one, answer, lambda _text: []) for one in sentences]


def wrong(one: dict[str, Any]) -> list[str]:
    return [part["text"] for part in one["parts"] if part.get("wrong")]


def test_a_wrong_number_is_apart_in_its_sentence() -> None:
    (one,) = shown("The highest dose of metformin is 3,500 mg a day or 4 tablets [1].")
    assert one["support"] == "unsupported"
    assert wrong(one) == ["3,500 mg a day", "4 tablets"]
    assert "".join(part.get("text", "") for part in one["parts"]) == (
        "The highest dose of metformin is 3,500 mg a day or 4 tablets."
    )


def test_a_limit_turned_round_marks_its_number() -> None:
    (one,) = shown("The highest dose of metformin is 3,000 mg a day, below 30 mL/min [1].")
    assert wrong(one) == ["30 mL/min"]


def test_a_note_on_a_right_sentence_marks_nothing() -> None:
    (one,) = shown("The highest dose of metformin is 3 g a day [1].")
    assert one["support"] == "document" and len(one["problems"]) == 1
    assert wrong(one) == []


@pytest.mark.req("KG-13")
def test_names_stay_where_they_were_when_the_answer_was_made() -> None:
    text = "Warfarin thins blood."
    today = [Mention("E-blood", 15, 20, "blood")]
    kept = (NamedEntity(0, 8, "D-warfarin", "Warfarin", "Drug"),)
    answer = an_answer("q")

    def names(sentence: Sentence) -> list[tuple[str, str]]:
        parts = _sentence(sentence, answer, lambda _text: today)["parts"]
        return [(part["text"], part["entity"]) for part in parts if "entity" in part]

    of_then = Sentence(text, Support.GRAPH, (), entities=kept)
    assert names(of_then) == [("Warfarin", "D-warfarin")]
    assert names(replace(of_then, entities=())) == []
    assert names(replace(of_then, entities=None)) == [
        ("blood", "E-blood")
    ]  # from before they were kept
    items = replace(of_then, items=((0, 8), (9, 21)))
    shown = _sentence(items, answer, lambda _text: today)["items"]
    assert shown[0][0] == {"text": "Warfarin", "entity": "D-warfarin"}


TEXTS = st.text(alphabet="ab1 2.mg,", max_size=40)


@given(TEXTS, st.lists(TEXTS, max_size=3), st.integers(0, 40), st.integers(1, 9))
def test_no_letter_of_a_sentence_is_lost(
    text: str, problems: list[str], start: int, length: int
) -> None:
    mentions = [Mention("X", start, start + length, text[start : start + length])]
    found = mentions if text[start : start + length] and start + length <= len(text) else []
    sentence = Sentence(text, Support.UNSUPPORTED, (), (*problems, text[:9] + " is not there"))
    answer = Answer("", "", "hybrid", False, (sentence,), (), (), (), {}, "", "", "")
    parts = _sentence(sentence, answer, lambda _text: found)["parts"]
    assert "".join(part["text"] for part in parts) == text


# -- blocks ----------------------------------------------------------------------------------------


def block(n: int, document: str = "d", subject: str = "Zorvexil 5 mg tablets") -> Block:
    return Block(n, document, subject, f"{document}.pdf", 2, "posology", "Dose")


def quoted(text: str, n: int, decisive: bool = False, **more: Any) -> Sentence:
    return Sentence(text, Support.DOCUMENT, (), block=n, decisive=decisive, **more)


def told(*sentences: Sentence, blocks: tuple[Block, ...] = (), **more: Any) -> list[dict[str, Any]]:
    answer = replace(an_answer("Q?"), sentences=sentences, blocks=blocks, **more)
    return _sources(answer, lambda _text: [])


def said(one: dict[str, Any]) -> str:
    parts = [*one["lead"], *(part for item in one["items"] for part in item), *one["parts"]]
    return "".join(part.get("text", "") for part in parts)


def test_each_document_has_its_block_under_its_subject() -> None:
    first, second = told(
        quoted("Zorvexil: Take 5 mg.", 1, True),
        quoted("Swallow it.", 1),
        quoted("At most 10 mg.", 2, True),
        quoted("Take 7 mg.", 3, True),
        blocks=(block(1), block(2), block(3, "e", "Quolvane")),
    )
    assert (first["subject"], second["subject"]) == ("Zorvexil 5 mg tablets", "Quolvane")
    assert [len(one["sentences"]) for one in first["blocks"]] == [2, 1]
    assert first["blocks"][0]["place"] == "Dose · p. 2"
    told_first, told_second = first["blocks"][0]["sentences"]
    assert said(told_first) == "Take 5 mg.", "its subject stands above it"
    assert told_first["decisive"] and told_first["title"].startswith("Decisive: supported by")
    closest = told(quoted("Take 5 mg.", 1, True), blocks=(block(1),), may_not_answer=True)
    assert closest[0]["blocks"][0]["sentences"][0]["title"] == "Closest: supported by a document"
    assert not told_second["decisive"] and told_second["title"] == "Supported by a document"


def test_what_may_say_something_else_says_so_above_it() -> None:
    doubtful = replace(block(2, "e", "Quolvane"), less_certain=True)
    sources = told(quoted("A.", 1), quoted("B.", 2), blocks=(block(1), doubtful))
    places = [one["place"] for source in sources for one in source["blocks"]]
    assert [one.startswith("Less certain · ") for one in places] == [False, True]


def test_what_no_block_holds_stands_as_it_is() -> None:
    (one,) = told(Sentence("Zorvexil: 5 mg.", Support.UNSUPPORTED, ()))
    assert one["subject"] == "" and not one["blocks"][0]["folds"]
    assert said(one["blocks"][0]["sentences"][0]) == "Zorvexil: 5 mg."


def test_a_long_paragraph_folds_a_list_and_a_short_one_do_not() -> None:
    long = quoted("It is long. " * 40, 1)
    decisive = quoted("Take 5 mg.", 1, True)
    for sentences, folds in (
        ((long, decisive), True),
        ((quoted("Swallow it.", 1), decisive), False),
        ((replace(long, decisive=True), replace(long, decisive=True)), False),
        ((long,), False),  # what decides was told before
        ((quoted("Others take 7 mg a day. " * 40, 1), decisive), False),
    ):
        (source,) = told(*sentences, blocks=(block(1),))
        assert source["blocks"][0]["folds"] is folds
    (source,) = told(long, quoted("Others take 7 mg.", 1), decisive, blocks=(block(1),))
    stays = [one["stays"] for one in source["blocks"][0]["sentences"]]
    assert stays == [False, True, True], "an amount is told beside the one that decides"


def test_items_told_one_by_one_share_their_lead_in() -> None:
    (source,) = told(
        quoted("Do not take it: if you drink.", 1, True, items=((16, 28),)),
        quoted("Do not take it: if you smoke; if you vape.", 1, True, items=((16, 28), (30, 41))),
        blocks=(block(1),),
    )
    first, second = source["blocks"][0]["sentences"]
    assert [part["text"] for part in first["lead"]] == ["Do not take it: "]
    assert [[part["text"] for part in item] for item in second["items"]] == [
        ["if you smoke"],
        ["if you vape"],
    ]
    assert second["again"] and not first.get("again")


@given(st.lists(st.tuples(TEXTS, st.integers(0, 3), st.booleans()), max_size=8))
def test_every_sentence_is_drawn_once(rows: list[tuple[str, int, bool]]) -> None:
    sentences = [quoted(f"x{text}", n, decisive) for text, n, decisive in rows]
    sources = told(*sentences, blocks=(block(1), block(2), block(3, "e")))
    drawn = [one for source in sources for each in source["blocks"] for one in each["sentences"]]
    assert [said(one) for one in drawn] == [one.text for one in sentences]


def test_closest_passages_say_so_above_them() -> None:
    answer = replace(an_answer("Q?"), may_not_answer=True, blocks=(block(1),))
    assert _banner(answer) == "Closest passages; they may not answer this."
    assert _banner(replace(answer, blocks=())).startswith("Written from the closest passages")
    assert _banner(replace(answer, may_not_answer=False)) == ""
    assert _banner(replace(answer, refused=True)) == "", "a refusal is its fixed sentence"
    whether = replace(answer, blocks=(), plan=Plan(Want.YES_NO, ()))
    assert _banner(whether) == "Neither a yes nor a no: the graph does not say."
