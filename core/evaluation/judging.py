"""One answer held against what is known of it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from core.domain.answers import Answer, DocumentCitation, GraphCitation, State, Support
from core.evaluation.quantities import invented_quantities
from core.evaluation.questions import Question
from core.llm.tokens import estimated_tokens
from core.text.titles import name_in

_GROUP_MARK = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DASHES = str.maketrans("‐‑‒–’", "----'")
_MANY = 5  # names that a reason repeats
_ALIKE = {"ClinicalDisease": "Disease"}  # one type to who reads a list of diseases


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question.

    Attributes:
        answer: None when asking ended in an error, which `error` names.
        places: file and page of each passage that was found.
        milliseconds: from asking to the checked answer.
        prompt: the evidence that a language model would be given, where the answer is known; empty where
            none would be asked.
    """

    question: Question
    answer: Answer | None
    places: tuple[tuple[str, int], ...]
    milliseconds: float
    error: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome, judged; None is what the question does not ask or know.

    Attributes:
        retrieved: a right page is among the passages found.
        page_citations, right_citations: document citations, and those on a right page; both 0 when
            no page is known.
        cited: at least one citation is right.
        answered: all known strings are in the answer.
        listed: exactly the known names are listed.
        prompted: all known strings are in the evidence that a language model would be given.
        prompt_tokens: of that evidence; 0 where none was looked at.
        forbidden: a string that no answer may hold is in it; None where none is known.
        state: of the answer; None where asking ended in an error.
        flagged: sentences marked as unsupported.
        invented: sentences with a quantity that their citations do not have.
        model_ms: the part of `milliseconds` that a language model took; 0 where none was called.
        problems: what is wrong, in words; empty when nothing is.
    """

    id: str
    question: str
    lang: str
    kind: str
    answerable: bool
    refused: bool
    failed: bool
    retrieved: bool | None
    page_citations: int
    right_citations: int
    cited: bool | None
    answered: bool | None
    listed: bool | None
    forbidden: bool | None
    state: State | None
    flagged: int
    invented: int
    milliseconds: float
    model_ms: float
    problems: tuple[str, ...]
    prompted: bool | None = None
    prompt_tokens: int = 0

    @property
    def right(self) -> bool | None:
        """Whether an answer cites a right page; where no page is known, lists exactly the right names or has
        all known strings. What should have been refused is wrong."""
        if not self.answerable:
            return False
        known = (self.cited, self.listed, self.answered)
        return next((one for one in known if one is not None), None)

    @property
    def own_ms(self) -> float:
        """The time without the language model's."""
        return self.milliseconds - self.model_ms


def judge(outcome: Outcome) -> Verdict:
    """Hold an outcome against what is known of its question."""
    question, answer = outcome.question, outcome.answer
    refused = answer is not None and answer.refused
    told = answer if answer is not None and not answer.refused else None
    problems = [outcome.error] if outcome.error else []
    if refused and question.answerable:
        problems.append("refused, although the answer is known")
    if told is not None and not question.answerable:
        problems.append(f"answered, although it must be refused: “{_start(told)}”")
    retrieved = _retrieved(outcome)
    if retrieved is False:
        problems.append(f"not found: {_right_places(question)}")
    pages, right, misplaced = _judge_pages(question, told)
    problems += misplaced
    missing = _missing_strings(question, told)
    if missing and told is not None:
        problems.append(f"not in the answer: {_listed(missing)}")
    forbidden = [one for one in question.forbidden if told and has_string(_told_text(told), one)]
    if forbidden:
        problems.append(f"must not be in the answer: {_listed(forbidden)}")
    listed, differences = _judge_list(question, told)
    problems += differences
    flagged, invented, untrue = _judge_sentences(told)
    problems += untrue
    return Verdict(
        id=question.id,
        question=question.question,
        lang=question.lang,
        kind=question.kind,
        answerable=question.answerable,
        refused=refused,
        failed=answer is None,
        retrieved=retrieved,
        page_citations=pages,
        right_citations=right,
        cited=right > 0 if question.pages else None,
        answered=not missing if question.answer else None,
        listed=listed,
        forbidden=bool(forbidden) if question.forbidden else None,
        state=answer.state if answer is not None else None,
        flagged=flagged,
        invented=invented,
        milliseconds=outcome.milliseconds,
        model_ms=answer.timings_ms.get("model", 0.0) if answer is not None else 0.0,
        problems=tuple(problems),
        prompted=_prompted(outcome) if question.answer else None,
        prompt_tokens=estimated_tokens(outcome.prompt),
    )


def _prompted(outcome: Outcome) -> bool:
    return all(has_string(outcome.prompt, wanted) for wanted in outcome.question.answer)


def has_string(text: str, wanted: str) -> bool:
    """Whether `wanted` stands in `text`, whatever the case, white space and grouping of digits.

    A number is not found inside another: ``3 mg`` is not in ``13 mg`` nor in ``2.3 mg``.
    """
    sought = _plain(wanted)
    before = r"(?<!\d)(?<!\d[.,])" if sought[:1].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if sought[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(sought)}{after}", _plain(text)) is not None


def _has_name(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_plain(name))}(?!\w)", _plain(text)) is not None


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(_DASHES).casefold()
    return " ".join(_GROUP_MARK.sub("", folded).split())


def _retrieved(outcome: Outcome) -> bool | None:
    question = outcome.question
    if question.pages:
        return any(question.is_right_page(*place) for place in outcome.places)
    if question.document is not None:
        return any(file == question.document for file, _ in outcome.places)
    return None


def _judge_pages(question: Question, told: Answer | None) -> tuple[int, int, list[str]]:
    """Document citations, those on a right page, and what is wrong with the others."""
    if told is None or not question.pages:
        return 0, 0, []
    cited = [c for c in told.citations if isinstance(c, DocumentCitation)]
    right = [c for c in cited if question.is_right_page(c.file, c.page)]
    wrong = list(dict.fromkeys(c.place for c in cited if c not in right))
    if right and not wrong:
        return len(cited), len(right), []
    how = "also cites" if right else "cites"
    seen = ", ".join(wrong) or "no document"
    return len(cited), len(right), [f"{how} {seen}; right is {_right_places(question)}"]


def _missing_strings(question: Question, told: Answer | None) -> list[str]:
    text = _told_text(told) if told else ""
    return [wanted for wanted in question.answer if not has_string(text, wanted)]


def _told_text(told: Answer) -> str:
    return " ".join(sentence.text for sentence in told.sentences)


def _judge_list(question: Question, told: Answer | None) -> tuple[bool | None, list[str]]:
    """Whether the text has the known names, and the facts it cites no others of their types.

    What the question itself names is no part of the list.
    """
    if question.entities is None:
        return None, []
    if told is None:
        return False, []
    text = _told_text(told)
    asked = _plain(f"{question.question} {told.read_as}")
    wanted = {_plain(name) for name in question.entities}
    facts = [c for c in told.citations if isinstance(c, GraphCitation)]
    ends = {
        _plain(name): (name, _ALIKE.get(kind, kind))
        for c in facts
        for name, kind in ((c.source, c.source_type), (c.target, c.target_type))
    }
    types = {ends[key][1] for key in wanted if key in ends}
    missing = [name for name in question.entities if not _has_name(text, name)]
    extra = [
        name
        for key, (name, kind) in ends.items()
        if key not in wanted and key not in asked and (kind in types or not types)
    ]
    problems = []
    if missing:
        problems.append(f"missing in the list: {_listed(missing)}")
    if extra:
        problems.append(f"too much in the list: {_listed(extra)}")
    return not problems, problems


def _judge_sentences(told: Answer | None) -> tuple[int, int, list[str]]:
    flagged = invented = 0
    problems = []
    subjects = {block.n: name_in(block.subject) for block in told.blocks} if told else {}
    for sentence in told.sentences if told else ():
        if sentence.support is Support.UNSUPPORTED:
            flagged += 1
            problems.append(f"unsupported sentence: “{_short(sentence.text)}”")
        citations = [c for c in told.citations if c.n in sentence.citations] if told else []
        # "AVONEX (interferon beta-1a): ..." has the name of what its document is about before the quote.
        subject = subjects.get(sentence.block, "")
        said = replace(sentence, text=sentence.text.removeprefix(f"{subject}: "))
        numbers = [
            one
            for one in invented_quantities(said, citations)
            if told and one not in _counted(told)
        ]
        if numbers:
            invented += 1
            problems.append(f"number without evidence: {_listed(numbers)}")
    return flagged, invented, problems


def _counted(told: Answer) -> set[str]:
    """Numbers that an answer's own lists prove: of members, and of what is counted of each."""
    numbers = {len(one.members) for one in told.lists}
    numbers |= {member.count for one in told.lists for member in one.members}
    return {f"{number:,}" for number in numbers}


def _right_places(question: Question) -> str:
    places = {question.document or "": question.pages, **question.also}
    return " or ".join(
        f"{file}, p. {', '.join(map(str, pages))}" if pages else str(file)
        for file, pages in places.items()
    )


def _start(answer: Answer) -> str:
    return _short(" ".join(sentence.text for sentence in answer.sentences))


def _short(text: str, most: int = 120) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _listed(names: list[str]) -> str:
    more = len(names) - _MANY
    return ", ".join(names[:_MANY]) + (f" and {more} more" if more > 0 else "")
