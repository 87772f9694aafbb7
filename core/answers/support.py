"""The check after a language model, without a model: every sentence shows what it rests on.

A citation number that does not exist is removed and reported. A sentence is supported by the cited
evidence when its numbers all stand there and enough of its content words do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answers.words import content_words, numbers, stem, stems
from core.domain.answers import Citation, DocumentCitation, Sentence, Support
from core.graph.phrases import relationship_phrase

# Share of a sentence's content words that its evidence must have. A sentence copied with changed
# grammar keeps nearly all, one on another subject hardly any.
_ENOUGH_WORDS = 0.5

_MARK = r"\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]"
_MARKS = re.compile(_MARK)
# A sentence, its end, and the marks that follow the end.
_SENTENCE_END = re.compile(rf"(?<=[.!?])((?:\s*{_MARK})*)(?:\s+|$)(?=[^\s\[]|$)")
_LINE_MARKUP = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)]|#{1,6})\s+")


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Sentences of a model's text, and the citation numbers that it made up."""

    sentences: tuple[Sentence, ...]
    invented: tuple[int, ...]


def check(text: str, citations: Sequence[Citation], ignore: Sequence[str] = ()) -> CheckedText:
    """Split a model's text into sentences and check each against what it cites.

    Args:
        ignore: sentences to leave out (the closing disclaimer, shown by the page anyway).
    """
    known = {citation.n: citation for citation in citations}
    sentences: list[Sentence] = []
    invented: list[int] = []
    skipped = {_plain(sentence) for item in ignore for sentence in _split(item)}
    for raw in _split(text):
        marks = _mark_numbers(raw)
        invented.extend(n for n in marks if n not in known)
        words = " ".join(_MARKS.sub("", raw).replace("**", "").split())
        words = re.sub(r"\s+([.,;:!?])", r"\1", words)
        if not words or _plain(words) in skipped:
            continue
        cited = tuple(dict.fromkeys(n for n in marks if n in known))
        sentences.append(_judge(words, cited, known))
    return CheckedText(tuple(sentences), tuple(dict.fromkeys(invented)))


def _judge(words: str, cited: tuple[int, ...], known: Mapping[int, Citation]) -> Sentence:
    if not cited:
        return Sentence(words, Support.UNSUPPORTED, (), ("no evidence is cited",))
    texts = {n: evidence_text(known[n]) for n in cited}
    together = " ".join(texts.values())
    problems = []
    missing = sorted(numbers(words) - numbers(together))
    if missing:
        problems.append(f"not in the cited evidence: {', '.join(missing)}")
    wanted = {stem(word) for word in content_words(words)}
    present = stems(together)
    share = len(wanted & present) / len(wanted) if wanted else 1.0
    if share < _ENOUGH_WORDS:
        problems.append("the cited evidence says something else")
    if problems:
        return Sentence(words, Support.UNSUPPORTED, cited, tuple(problems))
    kinds = {known[n].kind for n in cited}
    return Sentence(words, Support.BOTH if len(kinds) > 1 else Support(kinds.pop()), cited)


def evidence_text(citation: Citation) -> str:
    """The words a citation stands for."""
    if isinstance(citation, DocumentCitation):
        stem_of_file = citation.file.rsplit(".", 1)[0]
        return f"{stem_of_file} {citation.heading} {citation.quote}"
    verb = relationship_phrase(citation.relationship, True)
    back = relationship_phrase(citation.relationship, False)
    return f"{citation.source} {verb} {back} {citation.target}"


def _split(text: str) -> list[str]:
    found: list[str] = []
    for line in text.splitlines():
        line = _LINE_MARKUP.sub("", line).strip()
        start = 0
        for match in _SENTENCE_END.finditer(line):
            found.append(line[start : match.end()].strip())
            start = match.end()
        if line[start:].strip():
            found.append(line[start:].strip())
    return [item for item in found if item]


def _mark_numbers(text: str) -> list[int]:
    found: list[int] = []
    for mark in _MARKS.findall(text):
        for part in re.split(r"[,;]", mark.strip("[] ")):
            ends = [int(value) for value in re.findall(r"\d+", part)]
            # "[2-4]" is a range; an absurd one is read as its two ends.
            if len(ends) == 2 and 0 < ends[1] - ends[0] < 20:
                found.extend(range(ends[0], ends[1] + 1))
            else:
                found.extend(ends)
    return found


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
