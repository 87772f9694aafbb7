"""The names of a turn that no graph knows, as entities without an id."""

from __future__ import annotations

from collections.abc import Container, Sequence

from core.domain.graph import Entity, Mention
from core.domain.leaflets.conditions import Illness
from core.questions.leaflets.names import is_surely_name, medicines, read_illnesses
from core.questions.leaflets.question_text import QuestionText

_DRUG, _DISEASE = "Drug", "Disease"


def unknown_medicines(
    text: str, known: Sequence[tuple[Mention, Entity]], titles: Container[str] = ()
) -> list[tuple[Mention, Entity]]:
    """The medicines of a text that no graph knows, as entities without an id.

    Args:
        known: what the graph names in it.
        titles: words, case-folded, that documents are called by.
    """
    question = QuestionText.of(text)
    if question.text != text:
        return []
    places = [(one.start, one.end, entity) for one, entity in known]
    return [
        (Mention("", one.start, one.end, one.name.text), Entity("", _DRUG, one.name.text))
        for one in medicines(question, lambda _: places, titles)
        if not one.name.ids
        and (is_surely_name(one.name) or one.name.text.casefold() in titles)
        and not any(start < one.end and one.start < end for start, end, _ in places)
    ]


def unknown_illnesses(
    text: str, known: Sequence[tuple[Mention, Entity]]
) -> list[tuple[Mention, Entity]]:
    """The illnesses of a text that no graph knows ("hartfalen"), as entities without an id.

    Args:
        known: what the graph names in it.
    """
    question = QuestionText.of(text)
    if question.text != text:
        return []
    places = [(one.start, one.end, entity) for one, entity in known]
    read_illnesses(question, lambda _: places)
    named = [
        (start, start + len(one.name.text), one.name.text)
        for start, one in question.conditions
        if isinstance(one, Illness) and not one.name.ids
    ]
    return [
        (Mention("", start, end, name), Entity("", _DISEASE, name))
        for start, end, name in named
        if text[start:end] == name and not any(a < end and start < b for a, b, _ in places)
    ]
