"""What a statement of a medicine's document says just as its section does: that the medicine must not
be used in a condition, that it is used for one, that it does not interact with another medicine.

Strict: all words of the statement are accounted for, so that nothing in it can narrow what it says.
"Asthma" under Contraindications is one; "severe asthma", "asthma in the last month", "a history of
asthma" and "hypersensitivity to aspirin" are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.checking.contradictions import IDEAS, denies
from core.domain.graph import Mention
from core.resources import read_table
from core.text.stems import stem, stems

_TABLE = read_table(__file__, "section_claims.toml")
_GRAMMAR, _MEDICINE, _OF_THE_MEDICINE = (
    frozenset(_TABLE[name].split()) for name in ("grammar", "medicine", "of_the_medicine")
)
_REFERENCES = re.compile(_TABLE["references"], re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_OR = frozenset(("or", "oder"))
_JOINING = _OR | frozenset(", /")  # between names that are said alike
_ALL = frozenset(("and", "und"))  # "A and B" may mean both at once; "A, B, and C" does not
_MARKS = frozenset(". : - – — •")
_SHORT_FORM = re.compile(r"\s*\([A-Z][A-Za-z0-9-]{1,7}\)")  # "multiple sclerosis (MS)"


@dataclass(frozen=True, slots=True)
class _Words:
    """What may stand in a section's statement before the names, and behind them."""

    idea: str
    before: frozenset[str]
    behind: frozenset[str]


_SECTIONS = {
    name: _Words(
        row["idea"],
        frozenset(row["words"].split()) | _GRAMMAR | _MEDICINE,
        frozenset(row["behind"].split()),
    )
    for name, row in _TABLE["sections"].items()
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a section's statement says of all that it names: `denied` says that it denies the use, or the
    interaction."""

    entity_ids: frozenset[str]
    denied: bool


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    entity_id: str = ""


def claims(
    text: str,
    heading: str,
    section: str,
    mentions: Sequence[Mention],
    subject: AbstractSet[str],
) -> list[Claim]:
    """What a statement says without any limit, part by part between its semicolons; empty where that is
    left open.

    Args:
        heading: of the section; a statement without a verb of its own is read under it.
        section: its code.
        mentions: of entities in `text`, none overlapping another.
        subject: ids of what the document is about.
    """
    words = _SECTIONS.get(section)
    if words is None:
        return []
    denied = _denied(text, heading, words.idea)
    if denied is None:
        return []
    parts = list(_parts(_tokens(text, mentions)))
    if not _leads_in(parts[0], words, subject):
        return []
    found = (_named(part, words, subject) for part in parts)
    return [Claim(ids, denied) for ids in found if ids]


def _denied(text: str, heading: str, idea: str) -> bool | None:
    """Whether a statement denies its section's idea; one that does not speak of it stands under the
    heading, which does."""
    meant = IDEAS.get(stem(idea), stem(idea))
    spoken = {IDEAS.get(one, one) for one in stems(text)}
    refused = stem("contraindicated") in spoken
    said = text if meant in spoken or refused else f"{heading}: {text}"
    return denies(said, idea)


def _tokens(text: str, mentions: Sequence[Mention]) -> Iterator[_Token]:
    """Words, marks and names in order, without references and without a name's short form."""
    place = 0
    passed = [match.span() for match in _REFERENCES.finditer(text)]
    spans = [(one.start, one.end, one.entity_id) for one in mentions]
    for start, end, entity_id in sorted([*spans, *((a, b, "") for a, b in passed)]):
        if start < place:
            continue
        yield from map(_Token, _TOKEN.findall(text[place:start].casefold()))
        place = end
        if entity_id:
            yield _Token(text[start:end].casefold(), entity_id)
            short = _SHORT_FORM.match(text, end)
            place = short.end() if short else end
    yield from map(_Token, _TOKEN.findall(text[place:].casefold()))


def _parts(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    part: list[_Token] = []
    for token in tokens:
        if token.text == ";" and not token.entity_id:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _names(part: Sequence[_Token], subject: AbstractSet[str]) -> list[int]:
    """Places of names but the subject's."""
    return [n for n, one in enumerate(part) if one.entity_id and one.entity_id not in subject]


def _leads_in(part: Sequence[_Token], words: _Words, subject: AbstractSet[str]) -> bool:
    """Whether what stands before a part's first name says nothing but what the section is for."""
    names = _names(part, subject)
    before = part[: names[0]] if names else part
    return all(
        one.entity_id or one.text in words.before or one.text in _MARKS or one.text == ","
        for one in before
    )


def _named(part: Sequence[_Token], words: _Words, subject: AbstractSet[str]) -> frozenset[str]:
    """What a part names, where nothing else is said of it; else nothing."""
    names = _names(part, subject)
    if not names or not _leads_in(part, words, subject):
        return frozenset()
    first, last = names[0], names[-1]
    behind = all(
        not one.entity_id and (one.text in words.behind or one.text in _MARKS)
        for one in part[last + 1 :]
    )
    whole = behind and _is_joined(part[first : last + 1], subject)
    apart = [part[first : last + 1]] if whole else _alternatives(part[first:])
    told = [one for each in apart if _is_joined(each, subject) for one in each if one.entity_id]
    if any(_OF_THE_MEDICINE & set(one.text.split()) for one in told):
        return frozenset()
    return frozenset(one.entity_id for one in told)


def _is_joined(tokens: Sequence[_Token], subject: AbstractSet[str]) -> bool:
    """Whether tokens are names, or words that join what is said alike of each."""
    return all(
        (bool(one.entity_id) and one.entity_id not in subject)
        or one.text in _JOINING
        or (one.text in _ALL and n > 0 and tokens[n - 1].text == ",")
        for n, one in enumerate(tokens)
    )


def _alternatives(tokens: Sequence[_Token]) -> list[list[_Token]]:
    """Of "A, severe B, C, or D that is not treated" what stands alone before the last: each holds by
    itself. Nothing of a list without an "or", or of two."""
    apart: list[list[_Token]] = [[]]
    for one in tokens:
        if one.text == "," and not one.entity_id:
            apart.append([])
        else:
            apart[-1].append(one)
    is_choice = len(apart) > 2 and bool(apart[-1]) and apart[-1][0].text in _OR
    return apart[:-1] if is_choice else []
