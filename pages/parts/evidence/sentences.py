"""An answer sentence by sentence, each beside what it rests on; those without support first."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.domain.answers import Answer, Citation, DocumentCitation, Sentence, Support
from core.graph.phrases import relationship_phrase
from pages.parts.evidence.opened import open_citation
from pages.parts.shared.assets import asset
from pages.parts.shared.text import citation_label

_component = st.components.v2.component(
    "materia_sentences", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)
_KEY = "evidence_sentences"


def sentences(answer: Answer) -> None:
    """Draw it; a click on what a sentence rests on opens that."""

    def follow() -> None:
        clicked = st.session_state[_KEY].get("clicked") or {}
        citation = answer.citation(int(clicked.get("n", 0)))
        if citation is not None:
            open_citation(citation, answer)

    _component(key=_KEY, data=sentence_rows(answer), on_clicked_change=follow)


def sentence_rows(answer: Answer) -> dict[str, Any]:
    """What the element draws of an answer."""
    unsupported = [one for one in answer.sentences if one.support is Support.UNSUPPORTED]
    others = [one for one in answer.sentences if one.support is not Support.UNSUPPORTED]
    count = len(answer.sentences)
    return {
        "summary": f"{len(unsupported)} of {count} {'sentence is' if count == 1 else 'sentences are'} "
        "without support"
        if unsupported
        else "Every sentence has support",
        "rows": [_row(one, answer) for one in [*unsupported, *others]],
    }


def _row(sentence: Sentence, answer: Answer) -> dict[str, Any]:
    cited = [one for n in sentence.citations if (one := answer.citation(n)) is not None]
    return {
        "text": sentence.text,
        "support": str(sentence.support),
        "problems": list(sentence.problems),
        "evidence": [_evidence(one) for one in cited],
    }


def _evidence(citation: Citation) -> dict[str, Any]:
    if isinstance(citation, DocumentCitation):
        said = citation.quote or "What was quoted from it has been taken out."
        place = citation_label(citation)
    else:
        verb = relationship_phrase(citation.relationship, True)
        said = f"{citation.source} {verb} {citation.target}"
        place = f"Graph, {citation.relationship}"
    return {"n": citation.n, "said": " ".join(said.split()), "place": place}
