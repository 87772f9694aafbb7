"""What the analyst should know about an answer beside its text, in fixed words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from core.answers import prompts
from core.answers.confidence import answers
from core.answers.draft import Draft
from core.answers.leaflets.mentioned import none_has
from core.answers.planned import not_understood
from core.domain.answers import Answer, DocumentCitation, EntityLink, Sentence, Support
from core.domain.documents import Hit
from core.domain.evidence.notices import joined
from core.domain.plans import Named
from core.errors import MateriaError
from core.evidence.citations import document_citation
from core.evidence.computed import is_computed_alone
from core.evidence.evidence import ClauseEvidence, Evidence, Searched
from core.evidence.graph_facts import is_yes_no
from core.evidence.naming.denied import denied
from core.evidence.naming.other_names import called_otherwise
from core.evidence.naming.unnamed import for_another_illness, is_called_so, unnamed
from core.evidence.patients.distinguished import undosed
from core.evidence.reading.foreign import asked_in_another, unread_language
from core.graph.names.spelling import Spelling
from core.llm.model import LONGEST_ANSWER, OVERLONG, STOPPED
from core.questions.asked import section_beside
from core.questions.clauses import Among, Clause
from core.questions.library.one_by_one import MOST_CHOSEN
from core.text.model_talk import order_spans
from core.text.spelling.medicines import is_medicine, substances, substances_in
from core.text.stems import stems
from core.text.titles import name_in

_NEAREST = 3  # passages shown with a refusal
CONVERSATION_LOST = "The conversation that was named does not exist; this one is new."
# How a model's text ended -> what its reader must know. Any other end is a whole answer.
BROKEN_OFF = {
    STOPPED: "You stopped this answer; it is not complete.",
    "length": "The answer was cut at the limit of tokens (MATERIA_LLM_MAX_TOKENS); it is not complete.",
    OVERLONG: f"The answer was cut at {LONGEST_ANSWER:,} characters; the model went on and on.",
    "": "The model did not say that its answer is complete; its last words may be missing.",
}
_GRAPH_MISSING = (
    "The knowledge graph cannot be reached at present, so this answer is from documents alone."
)

_UNSAID = (
    "The question does not say in what they are to be compared, so what each is used for is told. Boards sets "
    "their side effects and interactions side by side."
)

_NONE_ASKED = (
    "This asks something of each of {searched}: what stands here is from the closest passages of all of them. "
    "Choose up to {most} of them under “Scope”, and each is asked by itself."
)
_CLOSEST_ASKED = (
    "Of {searched} the {asked} with the closest passages were asked; others may say something of it, too. "
    "This asks something of each, and each is asked by itself{next}. {rest}"
)

_ASK_REST = "The others can be asked by a click below the answer, or chosen under “Scope”."
_CHOOSE = "Choose up to {most} of them under “Scope” to have those asked."

_UNREAD = (
    "This question reads as {language}, of which an age, a weight, a kidney function or a “not” is passed "
    "over. Questions are read in English, German and Dutch. Check the passages, or ask in English."
)

_FOREIGN = "“{file}” is in {language}: {advice}."
_ASK_SO = "ask in {language}, and more of it is found"
_LOOK = "of documents in it little is found, so look at its pages"

_NONE_IN_GRAPH = "The graph has nothing of this (“{asked}”), so documents alone answer."
_QUOTED_BESIDE = (
    "The lists are what the graph knows; the documents that are quoted below them say more."
)
_GRAPH_ALONE = "The lists are what the graph knows; the document of a medicine may say more."

_ONLY_GRAPH = (
    "This asks for what only the knowledge graph has, and the graph cannot be reached at present. No document "
    "is put in its place; ask again when it is back."
)

_UNTITLED = (
    "No document that was found has “{name}” in its title; others may mention it. “Which documents mention "
    "{name}?” lists those that do."
)

_PART = re.compile(r"[^\W_]+")  # of a name with a sign in it


def notice(
    draft: Draft,
    evidence: Evidence,
    spelling: Spelling,
    of_search: Sequence[str] = (),
    is_absent: Callable[[str], bool] = lambda _word: False,
) -> str:
    """The notice of an answer; empty when there is nothing to say.

    Args:
        is_absent: whether no document that was searched has a word.
    """
    notices = [*of_search, draft.notice, *_called_otherwise(spelling), _orders(draft, evidence)]
    if any(part.clause.unsaid for part in evidence.clauses):
        notices.append(_UNSAID)
    notices += [none_has(has) for part in evidence.clauses if (has := part.clause.mentioned)]
    notices += dict.fromkeys(
        _of_each(one) for part in evidence.clauses if (one := part.clause.among)
    )
    unread = (unread_language(part.clause) for part in evidence.clauses if part.computed is None)
    notices += [_UNREAD.format(language=name) for name in dict.fromkeys(filter(None, unread))]
    notices += [not_understood(part, not draft.sentences) for part in evidence.clauses]
    notices += [
        f"No passage that is quoted names “{name}”; these are the closest."
        for name in unnamed(evidence, draft.citations)
    ]
    notices += [
        f"What is quoted calls “{name}” “{other}”, a name of the same substance: strengths and "
        "advice of another product may differ."
        for name, other in called_otherwise(evidence, draft.citations)
    ]
    notices += undosed(evidence, draft.citations, draft.sentences)
    notices += (
        f"“{one.file}” does not name “{name}”: what is quoted may be for something else."
        for name, one in for_another_illness(evidence, draft.citations).items()
    )
    if unsaid := denied(evidence, draft.citations):
        words = " and ".join(f"“{one}”" for one in unsaid)
        notices.append(
            f"The question asks for what is not so ({words}); the passages may tell the opposite."
        )
    if any(part.unanswerable for part in evidence.clauses):
        notices.append(_ONLY_GRAPH)
    if evidence.graph_missing:
        if not all(part.unanswerable for part in evidence.clauses):
            notices.append(_GRAPH_MISSING)
    else:
        notices += [
            "The knowledge graph has no such relationship between "
            f"{' and '.join(entity.name for entity in part.clause.entities)}."
            for part in evidence.clauses
            if len(part.clause.entities) > 1
            and part.clause.relationships
            and part.clause.plan is None
            and not part.groups
            and part.computed is None
            and is_yes_no(part.clause)
        ]
        notices += _not_in_graph(draft, evidence)
        notices += _compared(draft, evidence)
    if not draft.sentences:
        notices += _meant(spelling)
        notices += dict.fromkeys(map(_in_another_language, evidence.clauses))
    # Of medicines that are held against each other one may be missing.
    parts = [one for one in evidence.clauses if one.clause.one_of_several or not draft.sentences]
    asked_about = {one.written.casefold() for one in spelling.suggestions}
    missing = dict(_not_here(parts, is_absent))
    notices += [said for name, said in missing.items() if name not in asked_about]
    if not answers(max(draft.probabilities, default=0.0)):
        notices += [
            _UNTITLED.format(name=one) for one in _untitled(evidence, {*missing, *asked_about})
        ]
    return joined(notices)


def _untitled(evidence: Evidence, passed: Collection[str]) -> list[str]:
    """The medicines that are asked about and that no document which was found is called by.

    Args:
        passed: names, case-folded, of which something is said already.
    """
    found = {
        one.text: None
        for part in evidence.clauses
        if part.hits and part.computed is None and part.clause.leaflet is not None
        for one in part.clause.leaflet.subjects
        if is_medicine(one.text.casefold()) and not any(_is_called(hit, one) for hit in part.hits)
    }
    return [one for one in found if one.casefold() not in passed]


def _is_called(hit: Hit, name: Named) -> bool:
    called = hit.document.called
    same = substances(name.text.casefold()) & substances_in(called)
    return bool(same) or stems(name.text) <= stems(called)


def _of_each(among: Among) -> str:
    """What is told where something is asked of each of too many documents."""
    searched = f"{among.documents:,} documents"
    if among.products:
        searched = f"{among.products:,} products in {searched}"
    if not among.asked:
        return _NONE_ASKED.format(searched=searched, most=MOST_CHOSEN)
    *names, last = [f"“{name_in(one)}”" for one in among.next] or [""]
    next_ones = " and ".join(filter(None, (", ".join(names), last)))
    closest = f"; next would be {next_ones}" if next_ones else ""
    rest = _ASK_REST if among.unasked else _CHOOSE.format(most=MOST_CHOSEN)
    return _CLOSEST_ASKED.format(searched=searched, asked=among.asked, next=closest, rest=rest)


def _not_in_graph(draft: Draft, evidence: Evidence) -> Iterator[str]:
    """What the graph does not say and the answer leaves out: a model may, and where documents answer it would
    read as if it answered."""
    said = {one.text for one in draft.sentences}
    quotes = any(isinstance(one, DocumentCitation) for one in draft.citations)
    for part in evidence.clauses:
        computed = part.computed
        if computed is None or is_computed_alone(part.clause):
            continue
        left_out = [one.text for one in computed.told if not (one.facts or one.text in said)]
        if quotes and left_out and computed.is_empty:
            left_out[0] = _NONE_IN_GRAPH.format(asked=computed.read.understood)
        yield from left_out


def _compared(draft: Draft, evidence: Evidence) -> Iterator[str]:
    """What the lists of a comparison are, where documents say more of what is compared."""
    quotes = any(isinstance(one, DocumentCitation) for one in draft.citations)
    for part in evidence.clauses:
        if part.computed is not None and section_beside(part.computed.read.plan):
            yield _QUOTED_BESIDE if quotes else _GRAPH_ALONE


def _in_another_language(part: ClauseEvidence) -> str:
    """What is told where the closest document is in another language than the question."""
    found = asked_in_another(part)
    if found is None:
        return ""
    document, called, is_read = found
    advice = _ASK_SO.format(language=called) if is_read else _LOOK
    return _FOREIGN.format(file=document.file, language=called, advice=advice)


def _not_here(
    parts: Sequence[ClauseEvidence], is_absent: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """The names that are asked about and that neither the graph nor a document has, with what is told: no part
    of the name of an entity that is asked about ("Parkinson" of "Parkinson's disease")."""
    absent = (
        one.text
        for part in parts
        for one in (part.clause.leaflet.subjects if part.clause.leaflet is not None else ())
        if not one.ids
        and any(map(is_absent, _PART.findall(one.text)))
        and not is_called_so(part, one)
    )
    entities = [stems(one) for part in parts for one in _entity_names(part.clause)]
    for name in dict.fromkeys(absent):
        if any(stems(name) < whole for whole in entities):
            continue
        said = f"No document that was searched names “{name}”, and the graph does not know it."
        yield name.casefold(), said


def _entity_names(clause: Clause) -> Iterator[str]:
    """What entities that a clause names are called, there and in the graph."""
    for entity in clause.entities:
        yield from (entity.name, *entity.synonyms)
    read = clause.plan
    for plan in (read.plan, read.offer) if read is not None else ():
        for one in plan.named() if plan is not None else ():
            yield from (one.name, one.text)


def _orders(draft: Draft, evidence: Evidence) -> str:
    """What is told of documents that speak to language models: of those that the answer cites, or,
    without an answer, of those that were found; with the pages of such sentences in what was found."""
    cited = {c.document_id for c in draft.citations if isinstance(c, DocumentCitation)}
    pages: dict[str, set[int]] = {}
    for hit in (hit for part in evidence.clauses for hit in part.hits):
        if hit.document.orders > 0 and (hit.document.id in cited or not draft.sentences):
            here = pages.setdefault(hit.document.file, set())
            if hit.chunk.page and order_spans(hit.chunk.text):
                here.add(hit.chunk.page)
    if not pages:
        return ""
    files = " and ".join(
        f"“{file}”" + (f" ({_pages(sorted(numbers))})" if numbers else "")
        for file, numbers in pages.items()
    )
    have = "has" if len(pages) == 1 else "have"
    return (
        f"{files} {have} sentences that are addressed to language models. They were left out; the Library "
        "shows them, at the document. Read the document before you rely on it."
    )


def _pages(numbers: Sequence[int]) -> str:
    """Numbers of pages in words: "page 3", "pages 3, 5"."""
    return f"page{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"


def search_notices(searched: Searched) -> tuple[str, ...]:
    """What the reader must know of a search: above all, what was not looked through."""
    missing = (
        f"The index “{one.index}” was left out of the search. {one.error}"
        for one in searched.left_out
    )
    return (*missing, *searched.notices)


def addresses_removed(count: int) -> str:
    """What is told when a model's text had addresses that its evidence does not print."""
    if not count:
        return ""
    what = "An address was" if count == 1 else f"{count} addresses were"
    return f"{what} removed from the model's answer: no evidence of it prints such a one."


def compared_by_words(error: MateriaError) -> str:
    """What is told when the check of a model's text had to do without the embedding model."""
    return (
        f"{error.message} The answer was checked by words and numbers alone, so that sentences told in "
        "other words may be marked as unsupported."
    )


def as_refusal(
    answer: Answer,
    links: Sequence[EntityLink],
    named: Collection[str],
    hits: Sequence[Hit],
    spelling: Spelling,
) -> Answer:
    """The fixed refusal in place of an answer without a sentence; no document takes the graph's place.

    Args:
        links: entities around the question, of which those `named` in it (ids) stay.
        hits: what was found, best first.
    """
    if answer.graph_away:
        return replace(
            answer,
            sentences=(Sentence(prompts.GRAPH_AWAY, Support.UNSUPPORTED, ()),),
            citations=(),
            blocks=(),
            entities=tuple(link for link in links if link.id in named),
            suggestions=("Ask again when the graph is back; System says when it is.",),
        )
    return replace(
        answer,
        sentences=(Sentence(prompts.REFUSAL, Support.UNSUPPORTED, ()),),
        citations=(),
        blocks=(),
        entities=tuple(link for link in links if link.id in named),
        nearest=tuple(
            document_citation(n, hit, hit.chunk.start, hit.chunk.end, hit.chunk.text)
            for n, hit in enumerate(hits[:_NEAREST], start=1)
        ),
        suggestions=suggestions(spelling, answer.wider),
    )


def suggestions(spelling: Spelling, wider: bool) -> tuple[str, ...]:
    """What may help after a refusal, the most specific first."""
    found = [*_meant(spelling), "Ask in other words, or name the medicine."]
    if not wider:
        found.append("Search wider: in all indexes and all sections.")
    return (*found, "Add a document that says it.")


def _called_otherwise(spelling: Spelling) -> list[str]:
    return list(
        dict.fromkeys(
            f"No document that was searched names “{one.written}”; it is read as “{one.read}”, a name of the "
            "same substance: strengths and advice of another product may differ."
            for one in spelling.readings
            if one.same
        )
    )


def _meant(spelling: Spelling) -> list[str]:
    return [
        f"Did you mean {' or '.join(f'“{name}”' for name in one.names)} where you wrote "
        f"“{one.written}”?"
        for one in spelling.suggestions
    ]
