"""The colours in which an answer's citations are marked on the pages they come from."""

from __future__ import annotations

from core.domain.answers import Answer, DocumentCitation, State, Support
from core.domain.evidence.pictures import YELLOW, Colour, PageMark

# As light as a marker pen: of the hues that stand beside the sentences (answer_view.css).
_OF_SUPPORT: dict[Support, Colour] = {
    Support.DOCUMENT: (168, 203, 255),
    Support.BOTH: (160, 228, 215),
    Support.GRAPH: (204, 182, 255),
    Support.UNSUPPORTED: (255, 176, 170),
}
_MAY_NOT_ANSWER: Colour = (255, 206, 140)
_FAINT = 0.32  # of the colour of the one that is looked at


def page_marks(
    answer: Answer | None, shown: DocumentCitation, page: int, found: tuple[int, int] | None
) -> tuple[PageMark, ...]:
    """All passages of one page that an answer cites, faint; the one that is looked at, strong and on top;
    what was found by a search, yellow."""
    marks = []
    for citation in answer.citations if answer else ():
        if (
            isinstance(citation, DocumentCitation)
            and citation != shown
            and _is_on(citation, shown, page)
        ):
            colour = _fainter(citation_colour(answer, citation.n))
            marks.append(PageMark(citation.start, citation.end, colour))
    if shown.page == page:
        own = citation_colour(answer, shown.n)
        marks.append(PageMark(shown.start, shown.end, _fainter(own) if found else own))
    if found:
        marks.append(PageMark(*found))
    return tuple(marks)


def citation_colour(answer: Answer | None, number: int) -> Colour:
    """The colour of what the first sentence that cites a number rests on; yellow where none does."""
    if answer is None:
        return YELLOW
    cited_by = [one for one in answer.sentences if number in one.citations]
    if not cited_by:
        return YELLOW
    support = cited_by[0].support
    if answer.state is State.MAY_NOT_ANSWER and support is not Support.UNSUPPORTED:
        return _MAY_NOT_ANSWER
    return _OF_SUPPORT[support]


def _is_on(citation: DocumentCitation, shown: DocumentCitation, page: int) -> bool:
    return citation.document_id == shown.document_id and citation.page == page


def _fainter(colour: Colour) -> Colour:
    red, green, blue = (round(255 - _FAINT * (255 - each)) for each in colour)
    return red, green, blue
