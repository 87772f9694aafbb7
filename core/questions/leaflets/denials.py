"""What a question says is not so: "people without diabetes", "which do not interact"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.questions.leaflets.lexicon import LeafletWords, lexicon_of
from core.questions.leaflets.question_text import EMPTY
from core.text.language import language
from core.text.stems import stem

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[,;:]")
_FOLLOWING = 3  # words behind a "not" in which a passage says what is not so
_HEAD = 12  # words from the head of a clause to its "not", at most
_TABLE = "denial"
_WHOLE = r"^(?:{})$"


@dataclass(frozen=True, slots=True)
class Denial:
    """A "not" of a question.

    Attributes:
        text: from the "not" to the word that it denies, as it is written.
        stems: of that word; in German and Dutch of the one before where none follows.
    """

    text: str
    stems: frozenset[str]


def denials(text: str, names: Iterable[str]) -> list[Denial]:
    """The denials of a question that do not forbid: "must not be taken" asks for what does.

    Args:
        names: of medicines in it; they are passed over.
    """
    words = lexicon_of(text)
    passed_over = words.pattern(_TABLE, "passed_over")
    left = passed_over.sub(lambda found: "," * len(found[0]), text)
    tokens = list(_TOKEN.finditer(left))
    own = {part.casefold() for name in names for part in name.split()}
    either_side = language(text) != "en"
    found = []
    for place, token in enumerate(tokens):
        if not _is(words, "words", token[0]):
            continue
        behind = _up_to_mark(tokens[place + 1 :])
        content = [one for one in behind if one[0].casefold() not in EMPTY]
        telling = [one for one in content if one[0].casefold() not in own]
        circumstance = _is(words, "circumstance", token[0])
        if circumstance and content[:1] != telling[:1]:
            continue  # "without clarithromycin" tells the treatment
        if _forbids(words, tokens, place, behind, telling):
            continue
        denied = telling[:1]
        if not denied and either_side and not circumstance:
            before = _up_to_mark(tokens[:place][::-1])
            denied = [one for one in before if _tells(one[0], own)][:1]
        if denied:
            end = telling[0].end() if telling else token.end()
            found.append(
                Denial(
                    text[token.start() : end], frozenset(stem(one[0].casefold()) for one in denied)
                )
            )
    return found


def denies(text: str, denial: Denial) -> bool:
    """Whether a passage says the same: that what the question denies is not so."""
    words = lexicon_of(text)
    tokens = [one[0] for one in _TOKEN.finditer(text)]
    for place, token in enumerate(tokens):
        if _is(words, "words", token):
            near = tokens[max(0, place - _FOLLOWING) : place] if language(text) != "en" else []
            near = [*near, *tokens[place + 1 : place + 1 + _FOLLOWING]]
            if denial.stems & {stem(one.casefold()) for one in near}:
                return True
    return False


def _forbids(
    words: LeafletWords,
    tokens: Sequence[re.Match[str]],
    place: int,
    behind: Sequence[re.Match[str]],
    telling: Sequence[re.Match[str]],
) -> bool:
    """Whether a "not" stands with a verb of taking, or with a word for what is fit to be taken."""
    near = behind[: behind.index(telling[0]) + 1] if telling else behind
    if any(_is(words, "taking", one[0]) for one in near):
        return True
    token = tokens[place][0]
    if _is(words, "circumstance", token):
        return False
    modal = _is(words, "forbidding", token) or any(
        _is(words, "modal", one[0]) for one in tokens[max(0, place - _reach(words)) : place]
    )
    return modal and any(_is(words, key, one[0]) for one in behind for key in ("taking", "having"))


def _reach(words: LeafletWords) -> int:
    """How far before a "not" its modal verb stands: at once in English, at its clause's head in the others."""
    return 1 if words.words(_TABLE, "forbidding") else _HEAD


def _up_to_mark(tokens: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    marks = (n for n, one in enumerate(tokens) if not one[0][0].isalnum())
    return list(tokens[: next(marks, len(tokens))])


def _tells(word: str, names: set[str]) -> bool:
    return word.casefold() not in EMPTY and word.casefold() not in names


def _is(words: LeafletWords, key: str, word: str) -> bool:
    return bool(words.pattern(_TABLE, key, frame=_WHOLE).search(word))
