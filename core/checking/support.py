"""The check after a language model, without a model: every sentence shows what it rests on.

A citation number that does not exist is removed and reported. A sentence is supported by what it
cites when

- every number stands there with its unit, its period and its limit (`number_check`), and is there
  what the sentence says that it is: of the same drug, for the same people (`attribution`), in a table
  of the row for these patients (`row_claims`),
- every entity that it names is named there or is an end of a cited relationship,
- it does not say the opposite (`contradictions`),
- a cited relationship is told as it is (`graph_claims`), and
- enough of its content words stand there, or a sentence there means much the same by its embedding.

Sentences of a document that are addressed to a language model are no evidence (`core.text.model_talk`).
A supported sentence whose number another statement of the same document contradicts says so (`rivals`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.checking.amounts import EvidenceStatement
from core.checking.attribution import FindIds, attribution_problems
from core.checking.cited_sentences import marked_sentences
from core.checking.contradictions import contradicted
from core.checking.graph_claims import graph_problems
from core.checking.numbers import differences
from core.checking.rivals import contradicted_numbers
from core.checking.row_claims import EvidenceRow, ForOthers, row_problems
from core.domain.answers import Citation, DocumentCitation, GraphCitation, Sentence, Support
from core.domain.evidence.doubts import OPPOSITE
from core.domain.vectors import Vectors
from core.graph.phrases import relationship_phrase
from core.text.language import language
from core.text.model_talk import without_orders
from core.text.statements import statements
from core.text.stems import content_words, stem, stems
from core.text.tables.told import with_units

# Share of a sentence's content words that its evidence must have. A sentence copied with changed
# grammar keeps nearly all, one on another subject hardly any.
_ENOUGH_WORDS = 0.5
# Cosine of a sentence and the nearest of the evidence from which on it may have fewer: of the hand-made
# pairs in the tests paraphrases with few common words have .73 to .91, other subjects .49 to .58. With
# half of the words in common the cosine told nothing: right ones have .36 to .98.
_PARAPHRASE = 0.65
_COUNTERPARTS = 2  # sentences of the evidence that are embedded for one of the answer
_LONGEST_NAME = 6  # words
_LONGEST_SENTENCE = 3_000  # characters; a longer one is none, and compares with everything
_MOST_NUMBERS = (
    100  # of a sentence; each is compared with all of the evidence, and half a minute with 400
)
UNCHECKED = "it was not checked"

Encode = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Sentences of a model's text, the citation numbers that it made up, and how many sentences there
    was no time for."""

    sentences: tuple[Sentence, ...]
    invented: tuple[int, ...]
    unchecked: int = 0


@dataclass(frozen=True, slots=True)
class _Evidence:
    """One citation as the check reads it; `sentences` with their stems, `rows` are those of tables."""

    citation: Citation
    text: str
    context: str
    sentences: Mapping[str, set[str]]
    stems: frozenset[str]
    rows: Mapping[str, EvidenceRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A sentence before its meaning is compared: `share` of its words, and what it is compared with."""

    text: str
    cited: tuple[int, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    share: float = 1.0
    counterparts: tuple[str, ...] = ()
    other_language: bool = False


def check(
    text: str,
    citations: Sequence[Citation],
    ignore: Sequence[str] = (),
    *,
    entity_ids_in: FindIds | None = None,
    encode: Encode | None = None,
    for_others: ForOthers | None = None,
    over: Callable[[], bool] = lambda: False,
) -> CheckedText:
    """Split a model's text into sentences and check each against what it cites.

    A supported sentence may have a problem too: an amount that is right but in another unit.

    Args:
        ignore: sentences to leave out (the closing disclaimer, shown by the page anyway).
        entity_ids_in: ids of the entities named in a text; without it names are not checked.
        encode: unit vectors of texts, called once at most; without it words alone decide.
        for_others: whether a table's row is for other patients than a sentence; without it none is.
        over: asked before each sentence; from its first yes on, sentences stay unchecked, which their
            problem says.

    Raises:
        ModelError: `encode` fails.
    """
    evidence = {citation.n: _read(citation) for citation in citations}
    drafts: list[_Draft] = []
    invented: dict[int, None] = {}
    unchecked = 0
    late = False
    skipped = {_plain(one.text) for item in ignore for one in marked_sentences(item)}
    for one in marked_sentences(text):
        invented.update(dict.fromkeys(n for n in one.numbers if n not in evidence))
        if not one.text or _plain(one.text) in skipped:
            continue
        cited = tuple(dict.fromkeys(n for n in one.numbers if n in evidence))
        unknown = [n for n in one.numbers if n not in evidence]
        if not cited:
            drafts.append(_Draft(one.text, (), (_nothing_cited(unknown),)))
        elif (late := late or over()) or _is_endless(one.text):
            unchecked += 1
            drafts.append(_Draft(one.text, cited, (UNCHECKED,)))
        else:
            draft = _draft(one.text, [evidence[n] for n in cited], entity_ids_in, for_others)
            rivals = _rivals(one.text, cited, evidence)
            drafts.append(replace(draft, notes=(*draft.notes, *rivals)))
    meanings = _similarities(drafts, encode) if encode and not over() else {}
    sentences = tuple(_judged(draft, meanings, evidence) for draft in drafts)
    return CheckedText(sentences, tuple(invented), unchecked)


def _is_endless(text: str) -> bool:
    return len(text) > _LONGEST_SENTENCE or len(re.findall(r"\d+", text)) > _MOST_NUMBERS


def evidence_text(citation: Citation) -> str:
    """The words a citation stands for."""
    if isinstance(citation, DocumentCitation):
        return f"{_context(citation)} {_words(citation)}"
    verb = relationship_phrase(citation.relationship, True)
    back = relationship_phrase(citation.relationship, False)
    properties = " ".join(citation.properties.values())
    return f"{citation.source} {verb} {back} {citation.target} {properties}".rstrip()


def _words(citation: DocumentCitation) -> str:
    """What a quote says to its reader."""
    return without_orders(citation.quote) if citation.orders else citation.quote


def _context(citation: DocumentCitation) -> str:
    return f"{citation.file.rsplit('.', 1)[0]} {citation.heading}"


def _read(citation: Citation) -> _Evidence:
    text = evidence_text(citation)
    found: list[str] = []
    rows: dict[str, EvidenceRow] = {}
    context = ""
    if isinstance(citation, DocumentCitation):
        context = _context(citation)
        for statement in statements(_words(citation), lambda _line: False)[0]:
            if statement.row:
                own = with_units(statement.text.removeprefix("".join(statement.labels)))
                rows["".join([*statement.labels, own])] = EvidenceRow(own, statement.labels)
            else:
                found.extend(item.text for item in statement.items or (statement,))
        # The unit of a number may stand in the head of its column.
        text = "\n".join([text, *rows])
        found += rows
        found = found or [" ".join(_words(citation).split())]
    else:
        for forward in (True, False):
            verb = relationship_phrase(citation.relationship, forward)
            ends = (citation.source, citation.target)
            found.append(f"{ends[not forward]} {verb} {ends[forward]}.")
    return _Evidence(
        citation,
        text,
        context,
        {one: stems(one) for one in found},
        frozenset(stems(text)),
        rows,
    )


def _draft(
    words: str,
    cited: Sequence[_Evidence],
    entity_ids_in: FindIds | None,
    for_others: ForOthers | None,
) -> _Draft:
    numbers = tuple(one.citation.n for one in cited)
    passages = [one for one in cited if isinstance(one.citation, DocumentCitation)]
    facts = [one.citation for one in cited if isinstance(one.citation, GraphCitation)]
    told = differences(words, [one.text for one in cited])
    read = [EvidenceStatement(text, one.context) for one in passages for text in one.sentences]
    problems = list(told.wrong) or attribution_problems(words, read, entity_ids_in)
    if entity_ids_in:
        missing = _missing_names(words, cited, entity_ids_in)
        if missing:
            problems.append(f"names {', '.join(missing)}, which the cited evidence does not")
    rows = [row for one in passages for row in one.rows.values()]
    plain = [one for one in read if not any(one.text in passage.rows for passage in passages)]
    if for_others:
        problems += row_problems(words, rows, plain, for_others)
    opposite = contradicted(words, [(one.text, one.context) for one in read])
    if opposite:
        problems.append(f"{OPPOSITE}: “{opposite}”")
    problems += graph_problems(words, facts, " ".join(one.text for one in passages))
    wanted = {stem(word) for word in content_words(words)}
    present = frozenset[str]().union(*(one.stems for one in cited))
    share = len(wanted & present) / len(wanted) if wanted else 1.0
    sentences = {text: found for one in cited for text, found in one.sentences.items()}
    common = {text: len(wanted & found) for text, found in sentences.items()}
    ranked = sorted(common, key=lambda text: common[text], reverse=True)
    # Without a common word nothing tells which of many sentences to compare with.
    nearest = [
        text for text in ranked[:_COUNTERPARTS] if common[text] or len(ranked) <= _COUNTERPARTS
    ]
    languages = {language(words), language(" ".join(one.text for one in cited))} - {""}
    return _Draft(
        words,
        numbers,
        tuple(problems),
        told.rewritten,
        share,
        tuple(nearest),
        len(languages) == 2,
    )


def _rivals(words: str, cited: Sequence[int], evidence: Mapping[int, _Evidence]) -> list[str]:
    """What else the documents that a sentence cites say, against its numbers."""
    by_source: dict[str, list[EvidenceStatement]] = {}
    for one in evidence.values():
        if isinstance(one.citation, DocumentCitation):
            statements_there = by_source.setdefault(one.citation.document_id, [])
            # Rows of a table say the same of several patients, each with other numbers.
            own = (text for text in one.sentences if text not in one.rows)
            statements_there += (EvidenceStatement(text, one.context) for text in own)
    citations = (evidence[n].citation for n in cited)
    sources = {c.document_id: None for c in citations if isinstance(c, DocumentCitation)}
    return [found for id in sources for found in contradicted_numbers(words, by_source[id])]


def _nothing_cited(unknown: Sequence[int]) -> str:
    if not unknown:
        return "no evidence is cited"
    listed = ", ".join(f"[{n}]" for n in dict.fromkeys(unknown))
    return f"the evidence it cites does not exist: {listed}"


def _similarities(drafts: Sequence[_Draft], encode: Encode) -> dict[str, float]:
    """Sentence -> cosine to the nearest of its counterparts, where its words are too few."""
    open_ones = [
        one for one in drafts if not one.problems and one.share < _ENOUGH_WORDS and one.counterparts
    ]
    texts = dict.fromkeys(text for one in open_ones for text in (one.text, *one.counterparts))
    if not texts:
        return {}
    vectors = dict(zip(texts, encode(list(texts)), strict=True))
    return {
        one.text: max(float(vectors[one.text] @ vectors[text]) for text in one.counterparts)
        for one in open_ones
    }


def _judged(
    draft: _Draft, meanings: Mapping[str, float], evidence: Mapping[int, _Evidence]
) -> Sentence:
    problems = list(draft.problems)
    is_alike = draft.share >= _ENOUGH_WORDS or meanings.get(draft.text, 0.0) >= _PARAPHRASE
    if not problems and not is_alike:
        problems.append(
            "the cited evidence is in another language, so the words cannot be compared"
            if draft.other_language
            else "the cited evidence says something else"
        )
    if problems:
        return Sentence(draft.text, Support.UNSUPPORTED, draft.cited, tuple(problems))
    kinds = {evidence[n].citation.kind for n in draft.cited}
    support = Support.BOTH if len(kinds) > 1 else Support(kinds.pop())
    return Sentence(draft.text, support, draft.cited, draft.notes)


def _missing_names(words: str, cited: Sequence[_Evidence], entity_ids_in: FindIds) -> list[str]:
    """Names in a sentence of entities that the evidence does not name, as they are written.

    A name whose words all stand in the evidence is there too: "diabetes" in "type 2 diabetes
    mellitus".
    """
    named = entity_ids_in(words)
    if not named:
        return []
    for one in cited:
        named = named - entity_ids_in(one.text)
        if isinstance(one.citation, GraphCitation):
            named = named - {one.citation.source_id, one.citation.target_id}
    present = frozenset[str]().union(*(one.stems for one in cited))
    names = (_written(entity_id, words, entity_ids_in) for entity_id in sorted(named))
    return list(dict.fromkeys(name for name in names if name and not stems(name) <= present))


def _written(entity_id: str, words: str, entity_ids_in: FindIds) -> str:
    """The fewest words of a sentence that name an entity."""
    spans = [match.span() for match in re.finditer(r"[^\s,;()“”\"]+", words)]
    for length in range(1, _LONGEST_NAME + 1):
        for i in range(len(spans) - length + 1):
            name = words[spans[i][0] : spans[i + length - 1][1]].rstrip(".:!?")
            if entity_id in entity_ids_in(name):
                return name
    return ""


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
