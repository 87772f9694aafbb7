"""Questions that ask something of each medicine of the library: "Which of my medicines may be crushed?"

Each document is asked by itself, as search ranks passages and not documents: of ten leaflets that all say
something of it, three passages of the first come before the others' one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from core.domain.documents import Document
from core.domain.provenance.within import Within
from core.questions.clauses import Clause
from core.questions.leaflets.lexicon import lexicon_of
from core.text.stems import content_words
from core.text.titles import name_in

MOST = 12  # documents that are asked one by one
_TABLE, _KEY = "library", "all"


def is_asked_of_all(text: str) -> bool:
    """Whether something is asked of each medicine of the library."""
    found = lexicon_of(text).pattern(_TABLE, _KEY).search(text)
    return found is not None and bool(content_words(text[found.end() :]))


def titles_asked(question: str, documents: Iterable[Document], within: Within) -> list[str]:
    """The titles of the documents that something is asked of each of, sorted; none for any other question.

    Args:
        documents: that are searched.
        within: those of them that it is asked of.
    """
    if not is_asked_of_all(question):
        return []
    titles = (title for one in documents if within.has_document(one.id) for title in one.titles)
    return sorted(dict.fromkeys(titles), key=str.casefold)


def on_each(question: str, titles: Sequence[str], read: Callable[[str], Clause]) -> list[Clause]:
    """A question as one on each of these documents; none where it is one on none, on one, or on too many.

    Args:
        read: gives a text as a clause.
    """
    if not 1 < len(titles) <= MOST:
        return []
    asked = lexicon_of(question).pattern(_TABLE, _KEY)

    def about(title: str) -> Clause:
        text = asked.sub(lambda _: name_in(title), question, count=1)
        return replace(
            read(text.strip(" ?")),
            relationships=(),
            wanted_types=(),
            one_of_several=True,
            titled=title,
        )

    return list(map(about, titles))
