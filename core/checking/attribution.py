"""Whether a sentence gives a number to what its evidence gives it to.

`number_check` asks whether a number stands in the passage at all. A leaflet's passage has several: of
adults and of children, the usual and the highest, of this drug and of the one taken with it. Here the
passage is read statement by statement, and a number of the sentence is compared with the statements
that have it:

- its limit and its period, in the statement that speaks of the same,
- whom it is for: adults, children,
- which dose it is: to start with, to stay on, the usual, the highest,
- how often it is taken,
- which drug it is of, where the drug's name stands beside it or in the title of the leaflet,
- a range, where the evidence gives two doses to choose from,
- another statement that has all the sentence's words and another number.

Nothing is reported where the evidence leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction

from core.checking.amounts import (
    POPULATIONS,
    ROLES,
    EvidenceStatement,
    StatementPart,
    is_dose,
    parts_of,
    same_amount,
    spoken_part,
    telling_words,
)
from core.checking.numbers import turned_round
from core.text.limits import AT_MOST
from core.text.quantities import RANK, Quantity
from core.text.units import COUNTED

FindIds = Callable[[str], AbstractSet[str]]

_CLAUSE = re.compile(r";\s+|,?\s(?:while|whereas|but|während|aber)\s")
_RANGE = re.compile(r"\s*(?:-|to|bis|up to|bis zu|and|und)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"(?i)\b(?:between|zwischen)\s$")
_CHOICE = re.compile(r"\s*,?\s*(?:or|oder)\s*", re.IGNORECASE)
_OFTEN_WITHIN = 40  # characters from a dose to how often it is taken
_ROLE_REACHES = 25  # characters from a dose to the next of the same role: "5 mg to 10 mg"
_FOR = frozenset("in for bei für zur against gegen".split())
_LONGEST_NAME = 4  # words


def attribution_problems(
    said: str, evidence: Sequence[EvidenceStatement], entity_ids_in: FindIds | None = None
) -> list[str]:
    """What a sentence's numbers are of, that they are not of in its evidence, in words.

    Args:
        evidence: statements of the cited passages, in order.
        entity_ids_in: ids of the entities named in a text.
    """
    spoken = spoken_part(said, evidence)
    parts = parts_of(evidence)
    problems: dict[str, None] = {}
    for one in spoken.found:
        holders = [part for part in parts if part.has(one)]
        if not holders or one.unit.startswith(RANK):
            continue
        problem = _limit_differs(one, spoken, holders)
        if not problem and is_dose(one):
            problem = (
                _of_other_drug(one, spoken, holders, entity_ids_in)
                or _of_other_document(one, spoken, holders, parts, entity_ids_in)
                or _for_others(one, spoken, holders)
                or _other_role(one, spoken, holders)
                or _other_frequency(one, spoken, holders)
            )
        if not problem and (is_dose(one) or one.unit == "hour"):
            problem = _other_statement(one, spoken, parts)
        if problem:
            problems[problem] = None
    problems.update(dict.fromkeys(_made_ranges(spoken, parts)))
    return list(problems)


def _nearest(
    one: Quantity, spoken: StatementPart, holders: Sequence[StatementPart]
) -> list[StatementPart]:
    """Of the statements that have a number, those that share most words and numbers."""

    def shared(part: StatementPart) -> int:
        numbers = sum(1 for q in spoken.found if q is not one and part.has(q))
        return len(spoken.words & part.wide) + numbers

    best = max(map(shared, holders))
    return [part for part in holders if shared(part) == best]


def _limit_differs(one: Quantity, spoken: StatementPart, holders: Sequence[StatementPart]) -> str:
    there = [q for part in _nearest(one, spoken, holders) for q in part.having(one)]
    if one.bound and all(turned_round(one, other) for other in there):
        return f"the limit at {one.written} is the other way round in the cited evidence"
    if one.period and all(other.period not in ("", one.period) for other in there):
        return f"{one.written} is not in the cited evidence, which has {there[0].written}"
    return ""


def _for_others(one: Quantity, spoken: StatementPart, holders: Sequence[StatementPart]) -> str:
    whom = _populations(_clause_of(spoken.text, one))
    if not whom:
        return ""
    theirs = [_populations(part.text) for part in holders]
    if all(found and not found & whom for found in theirs):
        listed = " and ".join(sorted(theirs[0]))
        return f"{one.written} is for {listed} in the cited evidence"
    return ""


def _populations(text: str) -> frozenset[str]:
    return frozenset(name for name, rule in POPULATIONS.items() if rule.search(text))


def _clause_of(text: str, one: Quantity) -> str:
    begin = 0
    for match in _CLAUSE.finditer(text):
        if match.start() >= one.end:
            return text[begin : match.start()]
        begin = match.end()
    return text[begin:]


def _other_role(one: Quantity, spoken: StatementPart, holders: Sequence[StatementPart]) -> str:
    role = dict(_roles(spoken)).get(one.start, "")
    if not role:
        return ""
    theirs = [_roles(part).get(other.start, "") for part in holders for other in part.having(one)]
    agree = {role, ""} | ({"first", "maintenance"} if role == "usual" else set())
    agree |= {"usual"} if role in ("first", "maintenance") else set()
    if any(other in agree for other in theirs):
        return ""
    return f"{one.written} is the {theirs[0]} dose in the cited evidence, not the {role} one"


def _roles(part: StatementPart) -> dict[int, str]:
    """Start of a dose -> the role that the words before it give it."""
    roles: dict[int, str] = {}
    end, role = 0, ""
    for one in part.found:
        if not is_dose(one):
            continue
        between = part.text[end : one.start]
        own = next((name for name, rule in ROLES.items() if rule.search(between)), "")
        if own or len(between) > _ROLE_REACHES:
            role = own
        roles[one.start] = "highest" if one.bound == AT_MOST and not own else role
        end = one.end
    return roles


def _other_frequency(one: Quantity, spoken: StatementPart, holders: Sequence[StatementPart]) -> str:
    often = _frequencies(one, spoken)
    theirs = [
        found
        for part in holders
        for other in part.having(one)
        if (found := _frequencies(other, part))
    ]
    if not often or not theirs or any(often.keys() & found.keys() for found in theirs):
        return ""
    said, given = next(iter(often.values())), next(iter(theirs[0].values()))
    return f"{one.written} is taken {given} in the cited evidence, not {said}"


def _frequencies(one: Quantity, part: StatementPart) -> dict[tuple[object, str], str]:
    """How often a dose is taken, by the words that follow it: (times, period) -> as it is written.

    "500 mg a day" is once a day: not what "500 mg three times a day" says.
    """
    found: dict[tuple[object, str], str] = {}
    end = one.end
    for other in part.found:
        if other.start < one.end:
            continue
        between = part.text[end : other.start]
        joined = bool(_RANGE.fullmatch(between) or _CHOICE.fullmatch(between))
        first = not found and len(between) <= _OFTEN_WITHIN and not re.search(r"[;:]", between)
        if other.unit == "time" and other.period and (first or joined):
            found[other.value, other.period] = other.written
        elif found or not (joined and other.unit == one.unit):
            break
        end = other.end
    if not found and one.period not in ("", "dose"):
        found[Fraction(1), one.period] = f"once a {one.period}"
    return found


def _of_other_drug(
    one: Quantity,
    spoken: StatementPart,
    holders: Sequence[StatementPart],
    entity_ids_in: FindIds | None,
) -> str:
    if not entity_ids_in:
        return ""
    beside = [
        (part, _named_beside(part, other, entity_ids_in))
        for part in holders
        for other in part.having(one)
    ]
    if not all(name for _, (name, _) in beside):
        return ""
    own = _named_beside(spoken, one, entity_ids_in)[1] or entity_ids_in(spoken.text)
    if any(ids & (own or entity_ids_in(part.context)) for part, (_, ids) in beside):
        return ""
    return f"{one.written} is of {beside[0][1][0]} in the cited evidence"


def _of_other_document(
    one: Quantity,
    spoken: StatementPart,
    holders: Sequence[StatementPart],
    parts: Sequence[StatementPart],
    entity_ids_in: FindIds | None,
) -> str:
    """Of leaflets of several drugs that a sentence cites, the number stands in another drug's."""
    contexts = {part.context for part in parts}
    if not entity_ids_in or len(contexts) < 2:
        return ""
    subjects = {context: entity_ids_in(context) for context in contexts}
    told = _named_before(
        spoken.text[: one.start], frozenset().union(*subjects.values()), entity_ids_in
    )
    if not told or any(
        not subjects[part.context] or (subjects[part.context] | entity_ids_in(part.text)) & told
        for part in holders
    ):
        return ""
    return f"{one.written} is of another drug in the cited evidence: {holders[0].context.strip()}"


def _named_before(text: str, wanted: AbstractSet[str], entity_ids_in: FindIds) -> AbstractSet[str]:
    """Ids, of those wanted, of the last name in a text; empty without one."""
    words = re.findall(r"[^\s,;:()]+", text)
    for end in range(len(words), 0, -1):
        for length in range(1, min(end, _LONGEST_NAME) + 1):
            name = re.sub(r"['’]s$", "", " ".join(words[end - length : end]))
            if found := entity_ids_in(name) & wanted:
                return found
    return frozenset()


def _named_beside(
    part: StatementPart, one: Quantity, entity_ids_in: FindIds
) -> tuple[str, AbstractSet[str]]:
    """The entity whose name stands right before or after a number or its range, and its ids."""
    text, start = part.text, one.start
    for other in reversed(part.found):
        if other.end < start and _RANGE.fullmatch(text[other.end : start]):
            start = other.start
    before = re.sub(r"[,(]?\s*$", "", text[:start]).split()
    for length in (3, 2, 1):
        name = " ".join(before[-length:])
        preceding = before[-length - 1 : -length]
        if len(before) < length or (preceding and preceding[0].casefold() in _FOR):
            continue
        if before[-length].casefold() not in _FOR and (ids := entity_ids_in(name)):
            return name, ids
    after = re.sub(r"^\s*(?:of\s|von\s)?", "", text[one.end :]).split()
    for length in (1, 2, 3):
        name = " ".join(after[:length]).rstrip(".,;:)")
        if (
            len(after) >= length
            and after[0].casefold() not in _FOR
            and (ids := entity_ids_in(name))
        ):
            return name, ids
    return "", frozenset()


def _other_statement(one: Quantity, spoken: StatementPart, parts: Sequence[StatementPart]) -> str:
    """Another statement has all the words that speak for the number's own, more, and another number.

    A statement whose numbers of that unit the sentence has too is no rival: the sentence tells both.
    """
    holders = [part for part in parts if part.has(one)]
    title = frozenset[str]().union(*(telling_words(part.context) for part in parts))
    told = [other for other in spoken.found if other.unit == one.unit]
    numbers = frozenset(number for number in spoken.numbers if number[0] != one.unit)
    words = spoken.words - title
    clause = telling_words(_clause_of(spoken.text, one)) - title - ROLES.keys()
    own_words = frozenset[str]().union(*(part.wide for part in holders))
    own_numbers = numbers & frozenset[object]().union(*(part.numbers for part in holders))
    for part in parts:
        alike = [other for other in part.found if other.unit == one.unit]
        if not alike or any(part.has(other) for other in told):
            continue
        more = (clause & part.words) - own_words or (numbers & part.numbers) - own_numbers
        if more and not (words & own_words) - part.wide and not own_numbers - part.numbers:
            return f"{one.written} is not what the cited evidence gives there: {alike[0].written}"
    return ""


def _made_ranges(spoken: StatementPart, parts: Sequence[StatementPart]) -> Iterator[str]:
    """Two doses to choose from that the sentence makes a range of."""
    for one, other, is_range in _pairs(spoken):
        if not is_range or one.unit in COUNTED:
            continue
        kinds = {
            kind
            for part in parts
            for a, b, kind in _pairs(part)
            if same_amount(one, a) and same_amount(other, b)
        }
        if kinds == {False}:
            yield f"{one.written} to {other.written} is no range in the cited evidence but a choice"


def _pairs(part: StatementPart) -> Iterator[tuple[Quantity, Quantity, bool]]:
    """Doses that follow each other, and whether as the ends of a range (else to choose from)."""
    for one, other in zip(part.found, part.found[1:], strict=False):
        between = part.text[one.end : other.start]
        if not (is_dose(one) and one.unit == other.unit):
            continue
        if _CHOICE.fullmatch(between):
            yield one, other, False
        elif _RANGE.fullmatch(between) and (
            not re.search(r"(?i)and|und", between) or _BETWEEN.search(part.text[: one.start])
        ):
            yield one, other, True
