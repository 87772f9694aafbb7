"""Two answers to one question held against each other, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from core.domain.answers import Answer, Citation, DocumentCitation, State
from core.domain.provenance.trace import Trace
from core.graph.phrases import relationship_phrase

_LONGEST = 160  # characters of a sentence or quote that is named
_SAME_CONFIDENCE = 0.005
_STATES = {
    State.ANSWERED: "Answered",
    State.MAY_NOT_ANSWER: "Closest passages, which may not answer",
    State.NOT_IN_LIBRARY: "Not in the library",
    State.GRAPH_UNAVAILABLE: "The graph could not be reached",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between an answer and the one before it.

    Attributes:
        answer: of what is said and how sure that is; empty where it is the same, word for word.
        evidence: cited then and not now, or now and not then.
        since: what changed since then: documents, graph, models, settings.
    """

    answer: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    since: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether answer and evidence are the same."""
        return not (self.answer or self.evidence)


def compare(
    before: Answer, now: Answer, deleted: Collection[str] = (), replaced: Collection[str] = ()
) -> Comparison:
    """What differs.

    Args:
        deleted, replaced: files that the earlier answer cites and that are gone, or there in another
            version.
    """
    return Comparison(
        tuple(_said(before, now)),
        tuple(_evidence(before, now)),
        tuple(_since(before, now, deleted, replaced)),
    )


def _said(before: Answer, now: Answer) -> Iterator[str]:
    if State.GRAPH_UNAVAILABLE in (before.state, now.state):
        if before.state is not now.state:
            yield f"{_STATES[now.state]}; then: {_STATES[before.state].lower()}."
    elif before.refused != now.refused:
        yield (
            "The evidence is not enough any more."
            if now.refused
            else "The evidence was not enough then; now there is an answer."
        )
    if before.read_as != now.read_as:
        yield f"Read as “{_short(now.read_as)}”; then as “{_short(before.read_as)}”."
    if before.understood != now.understood:
        yield f"Understood: {now.understood or 'nothing'}; then: {before.understood or 'nothing'}."
    if not (before.refused or now.refused):
        yield from _sentences(before, now)
        if before.state is not now.state:
            yield f"{_STATES[now.state]}; then: {_STATES[before.state].lower()}."
    if before.confidence is None or now.confidence is None:
        return
    if abs(before.confidence - now.confidence) >= _SAME_CONFIDENCE:
        yield f"Confidence {now.confidence:.2f}; then {before.confidence:.2f}."


def _sentences(before: Answer, now: Answer) -> Iterator[str]:
    then = {_words(one.text): one for one in before.sentences}
    today = {_words(one.text): one for one in now.sentences}
    for words in then:
        if words not in today:
            yield f"No longer said: “{_short(words)}”"
    for words, sentence in today.items():
        if words not in then:
            yield f"New: “{_short(words)}”"
        elif sentence.support is not then[words].support:
            yield (
                f"“{_short(words)}” now rests on: {sentence.support}; then on: {then[words].support}."
            )
        elif sentence.problems != then[words].problems:
            told = "; ".join(sentence.problems) or "none"
            yield f"Doubts about “{_short(words)}” now: {told}."
    if list(then) != list(today) and then.keys() == today.keys():
        yield "The same sentences in another order."


def _evidence(before: Answer, now: Answer) -> Iterator[str]:
    """A quote is the same when another version of its file has it on the same page."""
    then, today = _by_words(before), _by_words(now)
    for key, one in then.items():
        if key not in today:
            yield f"No longer cited: {_named(one)}"
    for key, one in today.items():
        if key not in then:
            yield f"Newly cited: {_named(one)}"


def _by_words(answer: Answer) -> Mapping[tuple[object, ...], Citation]:
    return {
        (one.file, one.page, _words(one.quote))
        if isinstance(one, DocumentCitation)
        else (one.source_id, one.relationship, one.target_id): one
        for one in answer.citations
    }


def _named(one: Citation) -> str:
    if isinstance(one, DocumentCitation):
        return f"{one.place}: “{_short(_words(one.quote))}”"
    return f"graph: {one.source} {relationship_phrase(one.relationship, True)} {one.target}"


def _since(
    before: Answer, now: Answer, deleted: Collection[str], replaced: Collection[str]
) -> Iterator[str]:
    for file in sorted(deleted):
        yield f"{file} was deleted since."
    for file in sorted(replaced):
        yield f"{file} was replaced by another version since."
    if before.model != now.model:
        yield f"Answered by {_model(now)}; then by {_model(before)}."
    if before.scope != now.scope:
        yield f"Searched in {_listed(now.scope)}; then in {_listed(before.scope)}."
    if before.trace is None:
        yield "What the earlier answer was made with was not kept, so that settings cannot be compared."
    elif now.trace is not None:
        yield from _versions(before.trace, now.trace)


def _versions(before: Trace, now: Trace) -> Iterator[str]:
    if before.program != now.program:
        yield f"Materia {now.program}; then {before.program}."
    if before.graph is None or now.graph is None:
        if before.graph is not now.graph:
            yield f"The graph could not be reached {'then' if before.graph is None else 'now'}."
    elif before.graph.sha256 != now.graph.sha256:
        yield (
            f"The graph was imported anew: {now.graph.entities:,} entities and "
            f"{now.graph.relationships:,} relationships; then {before.graph.entities:,} and "
            f"{before.graph.relationships:,}."
        )
    elif before.graph.generation != now.graph.generation:
        yield "The graph was imported anew, with the same relationships."
    then = {one.name: one for one in before.indexes}
    for index in now.indexes:
        old = then.get(index.name)
        if old is not None and (old.model, old.generation) != (index.model, index.generation):
            yield f"Index {index.name} was embedded anew with {index.model}; then with {old.model}."
    names = dict.fromkeys([*before.settings, *now.settings])
    for name in names:
        old_value, value = before.settings.get(name, "none"), now.settings.get(name, "none")
        if old_value != value:
            yield f"Setting {name} = {value}; then {old_value}."


def _model(answer: Answer) -> str:
    return "quotes, without a model" if answer.model == "extractive" else answer.model


def _listed(names: Collection[str]) -> str:
    return ", ".join(names) or "no index"


def _words(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
