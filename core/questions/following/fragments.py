"""Questions that go on with the one before without a verb of their own: "And with clarithromycin?".

What such a question names plays a part, told by its preposition. What played the same part in the
question before is replaced, and the rest taken over: "Can I take atorvastatin with grapefruit?" becomes
"Can I take atorvastatin with clarithromycin?". Without a preposition ("What about ibuprofen?") it
replaces the one name of its type, or the one that has no preposition. A patient or a state of one ("And in
children?") takes the place of another, or is added: "What is the dose of warfarin in children?". Where the
parts cannot be told, what the question before was about is kept beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.graph import Mention
from core.questions.asked import asked_sections
from core.questions.clauses import split_question
from core.questions.following.patients import (
    has_subject,
    is_person,
    is_state,
    measured_anew,
    of_person,
    told_of_patient,
    with_patient,
    with_statement,
)
from core.questions.following.phrases import (
    DETERMINERS,
    DRUG,
    GRAMMAR,
    LONGEST_PHRASE,
    OF,
    OPENER,
    PREPOSITIONS,
    WORD,
    Find,
    Phrase,
    are_counterparts,
    measured_phrases,
    phrases_in,
    replaced,
    with_behind,
    without_opener,
)
from core.questions.following.ranks import with_degree, with_rank
from core.questions.leaflets.names import ILLNESSES
from core.questions.leaflets.reader import conditions_of
from core.resources import any_of
from core.text.language import language, may_be_alike
from core.text.stems import content_words

_PASSED_OVER, _OF_SENTENCES, _OF_SUBJECT, _ASKING, _STANDING_FOR = (
    frozenset(GRAMMAR[name].split())
    for name in ("passed_over", "of_sentences", "of_subject", "asking", "standing_for")
)
_VERBS = _OF_SENTENCES - _STANDING_FOR - _ASKING  # and pronouns
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_CLASS = re.compile(r"\b[A-C]\b")  # of Child and Pugh
_AMOUNT = re.compile(rf"{_NUMBER.pattern}(?:[ -]?[^\W\d_]+(?:/[^\W\d_]+)?)?")  # with its unit
# "40 mg" of "40 mg tablets"; "week 14".
_COUNTED = re.compile(rf"{_NUMBER.pattern}[ -]?(?P<unit>[^\W\d_]+(?:/[^\W\d_]+)?)(?!\w|-old)")
_NUMBERED = re.compile(rf"(?P<what>[^\W\d_]+) {_NUMBER.pattern}")
_ENDS = "?.!"  # of sentences
_MOST_WORDS = 8  # of a fragment; more are a sentence
_FEW_WORDS = 5  # of a question that cannot stand alone
_AND = {"de": "und", "nl": "en"}  # "and" of other languages than English
_MOST_LEFT = 3  # of them, beside small words


def filled(question: str, before: str, find: Find) -> str:
    """A fragment as the whole question that it stands for; "" where it is none, or nothing before it has
    a part that it could play.

    Args:
        before: the question before, as it was read.
        find: the entities that a text names, with their places.
    """
    if whole := (
        _once_more(question, before)
        or _with_number(question, before)
        or _with_preposition(question, before, find)
        or with_degree(question, before)
        or with_rank(question, before)
    ):
        return whole
    patient = told_of_patient(question, find) if may_be_alike(question, before) else ""
    if patient and (whole := measured_anew(before, patient)):
        return whole
    if not (own := measured_phrases(_fragment(question, find), question)):
        return with_statement(before, patient, find) if patient else ""
    tells_patient = language(question) == language(before)
    tells_patient &= all(is_state(one, question) for one in measured_phrases(own, question))
    tells_patient &= not (own[0].measured and own[0].part in OF)
    for clause in reversed(split_question(before)):
        phrases = list(phrases_in(clause, 0, find))
        places = [_place(one, phrases, clause) for one in own]
        anew = own[0].types <= ILLNESSES and _is_free(places[0], phrases, clause)
        if tells_patient and not anew and has_subject(phrases, own):
            opener = OPENER.match(question)
            begin = own[0].opens if own[0].part or opener is None else opener.end()
            person = question[begin:].rstrip(" ?.!")
            bare = person[len(own[0].part) :].strip()
            ill = any(one.named and one.types <= ILLNESSES for one in own)
            if whole := with_patient(clause, phrases, person, bare, ill=ill):
                return whole
        if all(place is not None for place in places):
            said = (question[one.start : one.end] for one in own)
            put = [(place, words) for place, words in zip(places, said, strict=True) if place]
            whole = replaced(clause, put)
            if _names_all(question, whole, find):  # no two took one place
                return whole
        adjunct = may_be_alike(question, before) and not is_state(own[0], question)
        if adjunct and (whole := _with_counterpart(question, own, clause, phrases)):
            return whole
    if patient and (whole := with_statement(before, patient, find)):
        return whole
    return _beside(question, own, before, find)


def is_fragment(question: str) -> bool:
    """Whether a question goes on with the one before and has no verb of its own: "and the serious ones?"."""
    words = [one[0].casefold() for one in WORD.finditer(question) if one[0][0].isalnum()]
    goes_on = OPENER.match(question) is not None and len(words) <= _MOST_WORDS
    bare = question.rstrip().endswith("?") and 0 < len(words) <= _FEW_WORDS
    return (goes_on or bare or is_elliptical(question)) and _VERBS.isdisjoint(words)


def is_supposed(question: str, mentions: Sequence[Mention]) -> bool:
    """Whether a question supposes what all that it mentions is said of: "what if she also takes warfarin?"."""
    opened = _IF.match(question)
    if opened is None:
        return False
    end = question.find(",", opened.end())
    return end < 0 or all(one.start < end for one in mentions)


def by_itself(question: str) -> str:
    """A whole question without what only joins it to the one before: "And what is the dose of X?"."""
    if is_courtesy(question) or is_fragment(question):
        return question
    said = plain(question)
    joined = _CONJUNCTION.match(said)
    return said[joined.end() :] if joined else said


def asks_of_before(question: str) -> bool:
    """Whether a fragment has nothing but words that ask: "how often?"."""
    words = [one[0].casefold() for one in WORD.finditer(question) if one[0][0].isalnum()]
    return is_elliptical(question) and words[0] in _ASKING


def with_fragment(question: str, before: str) -> str:
    """The question before with a fragment behind it: "How often is fever (the serious ones)?"."""
    said = without_opener(question).strip(" ?.!")
    return with_behind(before, [said]) if said else before


def is_elliptical(question: str) -> bool:
    """Whether a question has too few words to say what it is about, and says nothing of a patient: "For how
    long?"."""
    words = [one[0].casefold() for one in WORD.finditer(question) if one[0][0].isalnum()]
    asking = question.rstrip().endswith("?") or not _ASKING.isdisjoint(words)
    if not asking or len(words) > _FEW_WORDS or conditions_of(question):
        return False
    little = _OF_SENTENCES | PREPOSITIONS | DETERMINERS | _PASSED_OVER
    return 0 < sum(one not in little for one in words) <= _MOST_LEFT


_MARKED = f"(?:{'|'.join(GRAMMAR['leading_marked'])})"
_LEADING = re.compile(
    rf"\s*(?:(?:{'|'.join(GRAMMAR['leading'])})\b[\s,.:;!-]*"
    rf"|(?:{_MARKED}\s+)*{_MARKED}\s*[,.:;!-]+\s*)+",  # "no sorry, I meant"
    re.IGNORECASE,
)
_REASON, _PLACE = any_of(GRAMMAR["reason"]), any_of(GRAMMAR["place"])
_CORRECTS = re.compile(rf"\b(?:{'|'.join(GRAMMAR['correcting'])})\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    rf"\s*(?:(?:{'|'.join(GRAMMAR['openers'])})\s+)?(?:{'|'.join(GRAMMAR['ifs'])})\s+"
    rf"(?:{'|'.join(GRAMMAR['empty_subject'])})\s+",
    re.IGNORECASE,
)
_IF = re.compile(
    rf"\s*(?:(?:{'|'.join(GRAMMAR['openers'])})\s+)?(?:{'|'.join(GRAMMAR['supposing'])})\b",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(rf"\s*(?:{'|'.join(GRAMMAR['conjunctions'].split())})\s+", re.IGNORECASE)
_CORRECTED = re.compile(rf"[\s,]+(?:{'|'.join(GRAMMAR['corrected'])})\s.*", re.IGNORECASE)


def is_courtesy(question: str) -> bool:
    """Whether a question says nothing but what comes before one: "Ok, thank you!"."""
    leading = _LEADING.match(question)
    return leading is not None and not question[leading.end() :].strip(" ?.!")


def plain(question: str) -> str:
    """A question that goes on without what says nothing of what is asked: "and 6 months" of "sorry, 6 months,
    not 6 years", "and shingles?" of "And what if it's shingles?"."""
    leading = _LEADING.match(question)
    rest = question[leading.end() :] if leading else question
    if is_courtesy(question):
        return question
    joining = _AND.get(language(question), "and")
    if supposed := _SUPPOSED.match(rest):
        return f"{joining} {rest[supposed.end() :]}"
    if leading is None or OPENER.match(rest) or not _CORRECTS.search(leading[0]):
        return rest
    rest = _CORRECTED.sub("", rest)
    return f"{joining} {rest}" if len(rest.split()) <= LONGEST_PHRASE else rest


def _once_more(question: str, before: str) -> str:
    """The question before, of one that asks for its reason ("why?") or where that is said ("which page?")."""
    said = without_opener(question).strip(" ?.!")
    if _PLACE.fullmatch(said):
        return before
    return f"{before.rstrip(' ?.!')} ({said})?" if _REASON.fullmatch(said) else ""


def _with_number(question: str, before: str) -> str:
    """A question that says a number alone ("And 35?", "and at 3 years?", "C?"), in the place of the one that
    measured the patient."""
    number = without_opener(question).strip(" ?.!")
    first, _, rest = number.partition(" ")
    number = rest if first.casefold() in PREPOSITIONS else number  # "and at 20?"
    if like := _with_like_number(number, before):
        return like
    form = next((one for one in (_CLASS, _NUMBER, _AMOUNT) if one.fullmatch(number)), None)
    if form is None:
        return ""
    asked = of_person(before)
    places = form.finditer(before)
    put = [replaced(before, [(one.span(), number)]) for one in places]
    put = [one for one in put if len(told := of_person(one)) == len(asked) and told != asked]
    return put[0] if len(put) == 1 else ""


def _with_like_number(said: str, before: str) -> str:
    """The question before with another number of the same ("week 14", "the 40 mg tablets") in the place of the
    only one that it has; "" where there is none."""
    words = said.split()
    while words and words[0].casefold() in DETERMINERS:
        words = words[1:]
    said = " ".join(words)
    if of_person(said):
        return ""
    if (one := _COUNTED.match(said)) is not None:
        like = rf"(?<!\w){_NUMBER.pattern}[ -]?{re.escape(one['unit'])}(?!\w)"
    elif (one := _NUMBERED.fullmatch(said)) is not None:
        like = rf"(?<!\w){re.escape(one['what'])} {_NUMBER.pattern}(?!\w|[.,]\d)"
    else:
        return ""
    places = list(re.finditer(like, before, re.IGNORECASE))
    return replaced(before, [(places[0].span(), one[0])]) if len(places) == 1 else ""


def _with_preposition(question: str, before: str, find: Find) -> str:
    """The question before, with a preposition that is all of a question in the place of its counterpart: "and
    without?"."""
    said = without_opener(question).strip(" ?.!").casefold()
    if said not in PREPOSITIONS:
        return ""
    for one in reversed(list(phrases_in(before, 0, find))):
        if one.part != said and are_counterparts(one.part, said):
            place = one.opens, one.opens + len(one.part)
            return replaced(before, [(place, said)])
    return ""


def _with_counterpart(
    question: str, own: Sequence[Phrase], clause: str, phrases: Sequence[Phrase]
) -> str:
    """The clause before, with a fragment of one phrase ("and after stopping?") in the place of what its
    counterpart says there, or of the same words behind another preposition; where there is none, behind it. A
    medicine that stood there is still spoken of; "" for another fragment."""
    said = question[own[0].opens : own[0].end]
    of_section = asked_sections(said) and conditions_of(said)  # "in der Schwangerschaft"
    if len(own) != 1 or not own[0].part or own[0].named or of_section:
        return ""
    words = set(content_words(question[own[0].start : own[0].end]))
    for one in reversed(phrases):
        same = bool(words) and words == set(content_words(clause[one.start : one.end]))
        if (
            not one.part
            or is_state(one, clause)
            or not (same or are_counterparts(one.part, own[0].part))
        ):
            continue
        whole = replaced(clause, [((one.opens, one.end), said)])
        return with_behind(whole, [clause[m.start : m.end] for m, _ in one.named])
    behind = own[0].part not in OF and any(one.named for one in phrases)
    return f"{clause.rstrip(' ?.!')} {said}?" if behind else ""


def _is_free(place: tuple[int, int] | None, phrases: Sequence[Phrase], clause: str) -> bool:
    """Whether a place is one of a phrase that says nothing of a patient: "in hairy cell leukemia"."""
    return any(one.replaced == place and not is_state(one, clause) for one in phrases)


def _names_all(question: str, whole: str, find: Find) -> bool:
    """Whether `whole` has each name of a question; one that nobody knows as it is written."""
    ids = {entity.id for _, entity in find(whole)}
    return all(one.id in ids if one.id else one.name in whole for _, one in find(question))


def _fragment(question: str, find: Find) -> list[Phrase]:
    """The phrases of a fragment; none where a question is a sentence, or asks for something else than
    what it names."""
    opener = OPENER.match(question)
    start = opener.end() if opener else 0
    written = list(WORD.finditer(question, start))
    words = [match for match in written if match[0] not in _ENDS]
    if any(one[0] in _ENDS and one.start() < words[-1].start() for one in written if words):
        return []  # two sentences
    while words and words[0][0].casefold() in _PASSED_OVER:
        words = words[1:]
    plain = [match[0].casefold() for match in words]
    if not plain or len(plain) > _MOST_WORDS or _OF_SENTENCES.intersection(plain):
        return []
    found = list(phrases_in(question, words[0].start(), find))
    is_drug = len(found) == 1 and found[0].types == {DRUG} and found[0].is_name
    if opener is None and plain[0] not in PREPOSITIONS and not is_drug:
        return []
    known = all(
        one.part or one.types == {DRUG} or one.is_name or is_person(question[one.start : one.end])
        for one in found
    )
    return found if known else []


def _place(own: Phrase, phrases: Sequence[Phrase], clause: str) -> tuple[int, int] | None:
    """Where in the clause before stands what played the part of a fragment's phrase; None where that
    cannot be told."""
    if own.part:
        same = [one for one in phrases if one.part == own.part and _may_replace(own, one)]
        if own.types == {DRUG}:  # no patient is a medicine
            same = [one for one in same if one.named or not is_state(one, clause)]
        if own.measured and len(same) > 1:
            same = [one for one in same if one.measured]
        if len(same) > 1:  # "the volume of distribution of adalimumab"
            told = [conditions_of(clause[one.opens : one.end]) for one in same]
            like = zip(same, told, strict=True)  # "bij gordelroos bij hemodialyse"
            same = [x for x, said in like if (x.types == own.types if own.named else not said)]
        if not same and own.part in _OF_SUBJECT and own.types:
            return _alike(own, phrases)  # "salbutamol side effects" has no "of"
        if len(same) != 1:
            return None
        start, end = same[0].replaced
        # What measures it goes with it: "for a child of 25 kg".
        behind = phrases[phrases.index(same[0]) + 1 :][:1]
        described = [one.end for one in behind if one.measured and one.part in OF]
        return start, max([end, *described])
    return _alike(own, phrases)


def _alike(own: Phrase, phrases: Sequence[Phrase]) -> tuple[int, int] | None:
    """The place of the one name of the same type, or of the one without a preposition."""
    alike = [
        (phrase, mention)
        for phrase in phrases
        for mention, entity in phrase.named
        if {entity.type} == own.types
    ]
    bare = [one for one in alike if not one[0].part]
    only = alike if len(alike) == 1 else bare
    return (only[0][1].start, only[0][1].end) if len(only) == 1 else None


def _may_replace(own: Phrase, other: Phrase) -> bool:
    if own.named and other.named:
        return own.types == other.types
    return bool(other.named) or other.words <= LONGEST_PHRASE


def _beside(question: str, own: Sequence[Phrase], before: str, find: Find) -> str:
    """A fragment that names something, with the subject of the question before beside it."""
    said = {entity.id for phrase in own for _, entity in phrase.named}
    phrases = list(phrases_in(before, 0, find))
    if not said or "" in said:  # a name that nobody knows stands for itself
        return ""
    named = [(phrase, entity) for phrase in phrases for _, entity in phrase.named]
    drugs = [one for one in named if one[1].type == DRUG] or named
    bare = [one for one in drugs if not one[0].part] or drugs
    if all(one.types <= ILLNESSES for one in own if one.named) and not asked_sections(question):
        return with_fragment(question, before)
    names = dict.fromkeys(entity.name for _, entity in bare if entity.id not in said)
    return f"{question.rstrip(' ?.!')} ({', '.join(names)})?" if names else ""
