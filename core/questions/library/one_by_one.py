"""Questions that ask something of each medicine of the library: "Which of my medicines may be crushed?"

Each document is asked by itself, as search ranks passages and not documents: of ten leaflets that all say
something of it, three passages of the first come before the others' one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from core.domain.documents import Document
from core.domain.provenance.within import Within
from core.questions.clauses import Clause
from core.questions.leaflets.lexicon import lexicon_of
from core.text.stems import content_words
from core.text.titles import name_in

MOST = 12  # documents that are asked one by one


def is_asked_of_all(text: str, by_graph: bool = False) -> bool:
    """Whether something is asked of each medicine of the library.

    Args:
        by_graph: the graph answers the question: "these drugs" are its own.
    """
    found = _all(text, by_graph)
    return found is not None and bool(content_words(text[found.end() :]))


def titles_asked(
    question: str, documents: Iterable[Document], within: Within, by_graph: bool
) -> list[str]:
    """The titles of the documents that something is asked of each of, sorted; none for any other question.

    Args:
        documents: that are searched.
        within: those of them that it is asked of.
        by_graph: see `is_asked_of_all`.
    """
    if within.entities or not is_asked_of_all(question, by_graph):
        return []
    titles = (title for one in documents if within.has_document(one.id) for title in one.titles)
    return sorted(dict.fromkeys(titles), key=str.casefold)


def _all(text: str, by_graph: bool) -> re.Match[str] | None:
    """How a text names all medicines of the library."""
    words = lexicon_of(text)
    keys = ("own",) if by_graph else ("own", "shown")
    found = (words.pattern("library", key).search(text) for key in keys)
    return next(filter(None, found), None)


def on_each(question: str, titles: Sequence[str], read: Callable[[str], Clause]) -> list[Clause]:
    """A question as one on each of these documents; none where it is one on none, on one, or on too many.

    Args:
        read: gives a text as a clause.
    """
    if not 1 < len(titles) <= MOST:
        return []
    found = _all(question, by_graph=False)
    before, behind = (question[: found.start()], question[found.end() :]) if found else ("", "")

    def about(title: str) -> Clause:
        return replace(
            read(f"{before}{name_in(title)}{behind}".strip(" ?")),
            relationships=(),
            wanted_types=(),
            one_of_several=True,
            titled=title,
        )

    return list(map(about, titles))


def is_on_its_document(clause: Clause) -> bool:
    """Whether a clause of `on_each`, as it was read, is on its document's medicine and no other one: of "Which
    label warnings does X have?" each would be on X, too."""
    names = clause.leaflet.subjects if clause.leaflet is not None else ()
    title = clause.titled.casefold()
    return bool(names) and all(one.text.casefold() in title for one in names)
