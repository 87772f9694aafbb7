"""An answer as text with clickable citation marks and entity names.

The component builds its elements with `textContent` alone: whatever a document, the graph or a model
says stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import streamlit as st

from core.domain.answers import Answer, Citation, GraphCitation, Sentence, Support
from core.domain.graph import Mention
from pages.parts.shared.assets import asset
from pages.parts.shared.text import citation_label

_SUPPORT_TITLES = {
    Support.DOCUMENT: "Supported by a document",
    Support.GRAPH: "Supported by the graph",
    Support.BOTH: "Supported by a document and the graph",
    Support.UNSUPPORTED: "Not supported by the evidence",
}

_component = st.components.v2.component(
    "materia_answer", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)


def answer_view(
    answer: Answer,
    find: Callable[[str], list[Mention]],
    on_citation: Callable[[Citation], None],
    key: str,
    into_view: bool = False,
) -> str:
    """Draw an answer; the id of the entity that was clicked in this run, or "".

    Args:
        find: places of entity names in a text.
        on_citation: called with the citation whose mark was clicked, before anything is drawn: a click
            is not lost when another part asks for the whole page meanwhile.
        into_view: scroll so that the answer's beginning is seen.
    """

    def follow() -> None:
        clicked = st.session_state[key].get("clicked") or {}
        citation = answer.citation(int(clicked.get("n", 0)))
        if citation is not None:
            on_citation(citation)

    result = _component(
        key=key,
        data={
            "refused": answer.refused,
            "intoView": into_view,
            "labels": {str(c.n): citation_label(c) for c in answer.citations},
            "sentences": [_sentence(sentence, answer, find) for sentence in answer.sentences],
        },
        on_clicked_change=follow,
    )
    return str((result.get("clicked") or {}).get("id", ""))


def _sentence(
    sentence: Sentence, answer: Answer, find: Callable[[str], list[Mention]]
) -> dict[str, Any]:
    return {
        "support": str(sentence.support),
        "title": "" if answer.refused else _SUPPORT_TITLES[sentence.support],
        "problems": list(sentence.problems),
        "parts": _parts(sentence, answer, find),
    }


def _parts(
    sentence: Sentence, answer: Answer, find: Callable[[str], list[Mention]]
) -> list[dict[str, Any]]:
    """Text, entity names and citation marks in order.

    The mark of a relationship stands behind the name that only it explains; all others at the end.
    """
    behind = _marks_behind(sentence, answer)
    placed: set[int] = set()
    parts: list[dict[str, Any]] = []
    position = 0
    wrong = _wrong_numbers(sentence)
    for mention in find(sentence.text):
        parts.extend(_plain_parts(sentence.text, position, mention.start, wrong))
        parts.append({"text": mention.text, "entity": mention.entity_id})
        position = mention.end
        number = behind.get(mention.entity_id)
        if number is not None and number not in placed:
            placed.add(number)
            parts.append({"cite": number})
    parts.extend(_plain_parts(sentence.text, position, len(sentence.text), wrong))
    parts.extend({"cite": number} for number in sentence.citations if number not in placed)
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
