"""Questions that say by its kind which document they are asked of: "according to the guideline".

The kind stands in a document's title. What the guideline says of a medicine is not answered from a trial that
says it, too, and says it otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Any

from core.documents.cutting.parts import METHODS, part_in
from core.domain.answers import DocumentCitation
from core.domain.conversations import Turn
from core.domain.documents import Document
from core.domain.provenance.within import EVERYTHING, Within
from core.questions.library.several import several_asked
from core.resources import any_of, read_table
from core.text.language import language
from core.text.spelling.everyday import is_everyday
from core.text.spelling.medicines import substances_in
from core.text.stems import stem, stems

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:-[^\W_]+)*")
_CAPITALS = re.compile(r"[A-Z].*[A-Z]")  # "SUMMIT-RH", "TNFi"
_SHORTEST = 4  # letters of a name that is written as a word
_MOST = 12  # documents of a kind; of more, as of a corpus of abstracts, "the trial" is none of them
_MOST_BETWEEN = 3  # words between "the" and the kind: "the 2022 ozanimod trial"


def part_named(
    question: str, documents: Iterable[Document], texts_of: Callable[[Document], Iterable[str]]
) -> Within:
    """The documents of the kinds that a question names; everything where it names none, there is none or too
    many, or none of them names a medicine that it names, or has what else it names that is no everyday word
    ("the SUMMIT-RH trial"); and where it compares one kind with others.

    Args:
        texts_of: gives the texts of a document.
    """
    asked = [place for place, pattern in enumerate(_asked()) if pattern.search(question)]
    if not asked or (len(asked) == 1 and _compared().search(question)):
        return EVERYTHING
    if several_asked(question) is not None:
        return EVERYTHING  # each of those that it names is asked by itself
    medicines, names = substances_in(question), _names_in(question)

    def has_what_is_named(document: Document) -> bool:
        known, words = substances_in(document.title), stems(document.title)
        if medicines <= known and names <= words:
            return True
        texts = list(texts_of(document))
        return medicines <= known.union(*map(substances_in, texts)) and names <= words.union(
            *map(stems, texts)
        )

    of_kind = list(islice((one for one in documents if _kind(one.title) in asked), _MOST + 1))
    if len(of_kind) > _MOST:
        return EVERYTHING
    found = [one for one in of_kind if has_what_is_named(one)]
    if not found:
        return EVERYTHING
    return Within(tuple(one.id for one in found), tuple(one.file for one in found))


def part_spoken_of(
    question: str, turns: Sequence[Turn], headings_of: Callable[[str], Iterable[str]]
) -> Within:
    """The paper that the answer before rests on, or came closest to, where a question speaks of it ("that
    study", "the authors"); everything where it speaks of none, or the answer rests on no paper.

    Args:
        headings_of: gives the headings that passages of a document stand under, by its id.
    """
    if not turns or not _spoken_of().search(question):
        return EVERYTHING
    before = turns[-1].answer
    cited = [one for one in before.citations if isinstance(one, DocumentCitation)]
    for one in [*cited, *before.nearest][:1]:
        if any(part_in(heading) == METHODS for heading in headings_of(one.document_id)):
            return Within((one.document_id,), (one.file,))
    return EVERYTHING


def _names_in(question: str) -> set[str]:
    """The stems of words that are in no everyday use: a trial's name, a substance that is in development."""
    spoken = language(question)
    return {
        stem(word)
        for word in _WORD.findall(question)
        if _CAPITALS.search(word)
        or (spoken == "en" and len(word) > _SHORTEST and not is_everyday(word, spoken))
    }


def _kind(title: str) -> int | None:
    """The place of the first kind that a title names; None of a medicine's own document."""
    return next((place for place, one in enumerate(_titled()) if one.search(title)), None)


@cache
def _titled() -> Sequence[re.Pattern[str]]:
    return [any_of(rf"\b{one}\b" for one in kind["titled"]) for kind in _table()["kinds"]]


@cache
def _asked() -> Sequence[re.Pattern[str]]:
    """Each kind as one document: behind "the", or as a keyword at a question's end."""
    definite = "|".join(_table()["definite"]["words"])
    between = rf"(?:[^\W_][\w-]*\s+){{0,{_MOST_BETWEEN}}}?"
    alone = "".join(rf"(?<!\b{word} )" for word in _table()["definite"]["not_behind"])
    return [
        any_of([rf"\b(?:{definite})\s+{between}(?:{kind})\b", rf"\b{alone}(?:{kind})\W*$"])
        for kind in ("|".join(one["asked"]) for one in _table()["kinds"])
    ]


@cache
def _spoken_of() -> re.Pattern[str]:
    return any_of(rf"\b(?:{one})\b" for one in _table()["spoken_of"]["words"])


@cache
def _compared() -> re.Pattern[str]:
    return any_of(rf"\b(?:{one})\b" for one in _table()["compared"]["words"])


@cache
def _table() -> dict[str, Any]:
    return read_table(__file__, "kinds.toml")
