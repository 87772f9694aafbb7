"""An answer as text with clickable citation marks and entity names.

The component builds its elements with `textContent` alone: whatever a document, the graph or a model
says stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import streamlit as st

from core.answers import prompts
from core.domain.answers import (
    Answer,
    Block,
    Citation,
    DocumentCitation,
    GraphCitation,
    Sentence,
    State,
    Support,
)
from core.domain.graph import Mention
from core.domain.plans import Want
from core.text.quantities import quantities
from core.text.titles import name_in, told_apart
from pages.parts.chat.turns.untold import untold
from pages.parts.shared.assets import asset
from pages.parts.shared.text import citation_label, page_label, section_name

_SUPPORT_TITLES = {
    Support.DOCUMENT: "Supported by a document",
    Support.GRAPH: "Supported by the graph",
    Support.BOTH: "Supported by a document and the graph",
    Support.UNSUPPORTED: "Not supported by the evidence",
}

_FOLDED_FROM = 300  # characters of a paragraph beside what decides: some six lines of the panel

_Names = Callable[[int, int], list[Mention]]

_component = st.components.v2.component(
    "materia_answer", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)


def answer_view(
    answer: Answer,
    find: Callable[[str], list[Mention]],
    on_citation: Callable[[Citation], None],
    key: str,
    on_rest: Callable[[Sentence], None] = lambda _sentence: None,
) -> str:
    """Draw an answer; the id of the entity that was clicked in this run, or "".

    Args:
        find: places of entity names in a text; asked where an answer does not keep them itself.
        on_citation: called with the citation whose mark was clicked, before anything is drawn: a click
            is not lost when another part asks for the whole page meanwhile.
        on_rest: likewise, with the sentence of which "and 57 more" was clicked.
    """

    def follow() -> None:
        clicked = st.session_state[key].get("clicked") or {}
        citation = answer.citation(int(clicked.get("n", 0)))
        if citation is not None:
            on_citation(citation)
        if clicked.get("kind") == "rest":
            on_rest(answer.sentences[int(clicked["sentence"])])

    result = _component(
        key=key,
        data=answer_data(answer, find),
        on_clicked_change=follow,
    )
    return str((result.get("clicked") or {}).get("id", ""))


def answer_data(answer: Answer, find: Callable[[str], list[Mention]]) -> dict[str, Any]:
    """What the element draws of an answer."""
    return {
        "state": str(answer.state),
        "banner": _banner(answer),
        "labels": {str(c.n): citation_label(c) for c in answer.citations},
        "sources": _sources(answer, find),
    }


def _banner(answer: Answer) -> str:
    if answer.state is not State.MAY_NOT_ANSWER:
        return ""
    if not answer.citations and any(one.plan.want is Want.YES_NO for one in answer.each_plan):
        return prompts.NEITHER
    return prompts.CLOSEST if answer.blocks else prompts.CLOSEST_TOLD


def _sources(answer: Answer, find: Callable[[str], list[Mention]]) -> list[dict[str, Any]]:
    """The sentences in their blocks, and neighbouring blocks of one document under its subject; what is in
    no block has no subject."""
    by_number = {block.n: block for block in answer.blocks}
    heads = told_apart((block.subject or block.file, block.file) for block in answer.blocks)
    sources: list[dict[str, Any]] = []
    for number, members in groupby(answer.sentences, key=lambda one: one.block):
        block = by_number.get(number)
        # Two products of one file are two sources.
        document = f"{block.document_id} {block.subject}" if block else ""
        if not sources or sources[-1]["document"] != document:
            subject, file = (block.subject or block.file, block.file) if block else ("", "")
            subject = heads.get((subject, file), subject)
            sources.append({"document": document, "subject": subject, "file": file, "blocks": []})
        sources[-1]["blocks"].append(_block(block, list(members), answer, find))
    return sources


def _block(
    block: Block | None,
    members: Sequence[Sentence],
    answer: Answer,
    find: Callable[[str], list[Mention]],
) -> dict[str, Any]:
    boxed = block is not None and block.boxed_warning
    stays = [] if boxed else _beside_an_amount(members)
    around = [one for one in members if not one.decisive and one not in stays]
    long = sum(len(one.text) for one in around) > _FOLDED_FROM
    shown = [_sentence(one, answer, find, block.subject if block else "") for one in members]
    for one, sentence in zip(shown, members, strict=True):
        one["stays"] = sentence.decisive or sentence in stays
        one["others"], one["row"] = sentence.others, sentence.row
    # Items that are told one by one share the words that lead them in.
    for one, before in zip(shown[1:], shown, strict=False):
        one["again"] = bool(one["items"]) and _words(one["lead"]) == _words(before["lead"])
    return {
        "place": _place(block, answer) if block else "",
        "boxed": boxed,
        # It was asked for where nothing else is told.
        "opened": boxed and all(one.boxed_warning for one in answer.blocks),
        "folds": boxed or (block is not None and long and len(around) < len(members)),
        "sentences": shown,
    }


def _beside_an_amount(members: Sequence[Sentence]) -> list[Sentence]:
    """The sentences with amounts around a decisive one that has some: a highest dose is never told without
    the doses of other patients, or what holds without a doctor."""
    measured = [one for one in members if any(found.unit for found in quantities(one.text))]
    return measured if any(one.decisive for one in measured) else []


def _words(parts: Sequence[dict[str, Any]]) -> list[str]:
    return [part["text"] for part in parts if "text" in part]


def _place(block: Block, answer: Answer) -> str:
    """Section and page, and whether it may say something else; where several leaflets are on the medicine, also
    whose it is."""
    section = section_name(block.section, block.heading)
    if block.boxed_warning:
        section = "Boxed warning"
    whose = next(
        (
            one.issued or one.file
            for one in answer.leaflets
            if (one.document_id, one.subject) == (block.document_id, block.subject)
        ),
        "",
    )
    doubt = "Less certain" if block.less_certain else ""
    return " · ".join(filter(None, (doubt, section, block.under, page_label(block.page), whose)))


def _sentence(
    sentence: Sentence, answer: Answer, find: Callable[[str], list[Mention]], subject: str = ""
) -> dict[str, Any]:
    """A sentence in parts; one under its document's subject does not repeat it."""
    text = sentence.text
    lead_in = f"{name_in(subject)}: "
    begin = len(lead_in) if subject and text.startswith(lead_in) else 0
    marks = _Marks(sentence, answer)
    named = _names(sentence, find)
    wrong = _wrong_numbers(sentence)
    rest = _rest(sentence, answer)
    title = "" if answer.refused else _SUPPORT_TITLES[sentence.support]
    kind = "Decisive" if answer.state is State.ANSWERED else "Closest"
    shown: dict[str, Any] = {
        "support": str(sentence.support),
        "title": f"{kind}: {title[:1].lower()}{title[1:]}" if sentence.decisive else title,
        "decisive": sentence.decisive,
        "problems": list(sentence.problems),
        "lead": [],
        "items": [],
        "parts": [],
    }
    if not sentence.items:
        return shown | {
            "parts": [*_parts(text, begin, len(text), named, marks, wrong, rest), *marks.rest()]
        }
    lead = _parts(text, begin, sentence.items[0][0], named, marks, wrong)
    items = [_parts(text, start, end, named, marks, wrong) for start, end in sentence.items]
    items[-1].extend(marks.rest())
    return shown | {"lead": [*lead, *marks.of_lead], "items": items}


def _names(sentence: Sentence, find: Callable[[str], list[Mention]]) -> _Names:
    """What finds the entity names of a part of a sentence: those that it keeps, else those of today."""
    text, kept = sentence.text, sentence.entities

    def of_today(start: int, end: int) -> list[Mention]:
        return [
            replace(one, start=start + one.start, end=start + one.end)
            for one in find(text[start:end])
        ]

    def of_then(start: int, end: int) -> list[Mention]:
        return [
            Mention(one.id, one.start, one.end, text[one.start : one.end])
            for one in kept or ()
            if start <= one.start and one.end <= end
        ]

    return of_today if kept is None else of_then


class _Marks:
    """The citation marks of a sentence, each to be placed once."""

    def __init__(self, sentence: Sentence, answer: Answer) -> None:
        self.behind = _marks_behind(sentence, answer)
        cited = [answer.citation(number) for number in sentence.citations]
        passages = [one.n for one in cited if isinstance(one, DocumentCitation)]
        # The lead-in of an item that stands behind others has a mark of its own, before the item's.
        first = passages[:-1] if sentence.items else []
        self.of_lead = [{"cite": number} for number in first]
        self._left = [number for number in sentence.citations if number not in first]

    def explaining(self, entity_id: str) -> list[dict[str, Any]]:
        """The mark of the relationship that only this name explains."""
        number = self.behind.get(entity_id)
        if number not in self._left:
            return []
        self._left.remove(number)
        return [{"cite": number}]

    def rest(self) -> list[dict[str, Any]]:
        """All that have no place yet."""
        left, self._left = self._left, []
        return [{"cite": number} for number in left]


def _parts(
    text: str,
    start: int,
    end: int,
    names: _Names,
    marks: _Marks,
    wrong: Sequence[tuple[int, int]],
    rest: tuple[int, int, int] | None = None,
) -> list[dict[str, Any]]:
    """``text[start:end]``, entity names and citation marks in order.

    The mark of a relationship stands behind the name that only it explains.

    Args:
        rest: where the text says that there are more, and the number of its sentence.
    """
    if rest is not None and start <= rest[0] and rest[1] <= end:
        first, last, number = rest
        return [
            *_parts(text, start, first, names, marks, wrong),
            {"text": text[first:last], "rest": number},
            *_parts(text, last, end, names, marks, wrong),
        ]
    parts: list[dict[str, Any]] = []
    position = start
    for mention in names(start, end):
        parts.extend(_plain_parts(text, position, mention.start, wrong))
        parts.append({"text": mention.text, "entity": mention.entity_id})
        position = mention.end
        parts.extend(marks.explaining(mention.entity_id))
    parts.extend(_plain_parts(text, position, end, wrong))
    return parts


def _plain_parts(
    text: str, start: int, end: int, wrong: Sequence[tuple[int, int]]
) -> Iterator[dict[str, Any]]:
    """A piece of a sentence without names, its wrong numbers apart."""
    for first, last in wrong:
        if start <= first and last <= end:
            if first > start:
                yield {"text": text[start:first]}
            yield {"text": text[first:last], "wrong": True}
            start = last
    if end > start:
        yield {"text": text[start:end]}


def _rest(sentence: Sentence, answer: Answer) -> tuple[int, int, int] | None:
    place = untold(sentence, answer)
    return (*place, answer.sentences.index(sentence)) if place else None


def _wrong_numbers(sentence: Sentence) -> list[tuple[int, int]]:
    """Where the numbers stand that the problems of a sentence begin with, as "35 mg is not in ..."."""
    if sentence.support is not Support.UNSUPPORTED:
        return []
    found: list[tuple[int, int]] = []
    for problem in sentence.problems:
        words = problem.removeprefix("the limit at ").split()
        for length in range(len(words), 0, -1):
            written = r"\s+".join(map(re.escape, words[:length]))
            match = re.search(rf"(?<!\w){written}(?!\w)", sentence.text)
            if match and re.search(r"\d", match[0]):
                found.append(match.span())
                break
    found.sort()
    return [one for i, one in enumerate(found) if not i or one[0] >= found[i - 1][1]]


def _marks_behind(sentence: Sentence, answer: Answer) -> dict[str, int]:
    """Entity id -> the one graph citation of the sentence that it is an end of."""
    ends: dict[str, list[int]] = {}
    for number in sentence.citations:
        citation = answer.citation(number)
        if isinstance(citation, GraphCitation):
            for entity_id in (citation.source_id, citation.target_id):
                ends.setdefault(entity_id, []).append(number)
    if len([n for n in sentence.citations if isinstance(answer.citation(n), GraphCitation)]) < 2:
        return {}
    return {entity_id: found[0] for entity_id, found in ends.items() if len(found) == 1}
