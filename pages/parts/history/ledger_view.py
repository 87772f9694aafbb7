"""Claims as a table: what is said, what it rests on, what became of that since.

The component builds its elements with `textContent` alone: whatever a document, the graph or a model says
stays text.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import streamlit as st

from core.conversations.exporting.ledger import Basis, Ledger, LedgerClaim
from pages.parts.evidence.opened import open_claim
from pages.parts.shared.assets import asset

BASES = {
    Basis.DOCUMENT: "Document",
    Basis.GRAPH: "Graph",
    Basis.BOTH: "Document and graph",
    Basis.CONTRADICTED: "Contradicted",
    Basis.UNSUPPORTED: "Unsupported",
}
CAUTION = "May not answer"
_component = st.components.v2.component(
    "materia_ledger", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)
_KEY = "ledger_view"


def ledger_view(ledger: Ledger) -> None:
    """Draw the claims; a click on one, or on a source of it, opens its evidence."""

    def follow() -> None:
        clicked = st.session_state[_KEY].get("clicked") or {}
        number = str(clicked.get("claim", ""))
        claim = next((one for one in ledger.claims if one.number == number), None)
        if claim is not None:
            cited = tuple(one.citation for one in claim.sources)
            at = next((i for i, one in enumerate(cited) if one.n == clicked.get("n")), 0)
            open_claim(cited, at, claim.turn.answer)

    _component(key=_KEY, data=ledger_rows(ledger), on_clicked_change=follow)


def ledger_rows(ledger: Ledger) -> dict[str, Any]:
    """What the element draws: the claims under their questions."""
    return {
        "questions": [
            {
                "number": turn.position + 1,
                "question": turn.question,
                "asked": f"{turn.created_at.astimezone():%Y-%m-%d %H:%M}",
                "confidence": ""
                if turn.answer.confidence is None
                else f"confidence {turn.answer.confidence:.2f}",
                "claims": [_claim(claim) for claim in claims],
            }
            for turn, claims in _by_turn(ledger)
        ]
    }


def _by_turn(ledger: Ledger) -> list[tuple[Any, list[LedgerClaim]]]:
    grouped = groupby(ledger.claims, key=lambda claim: claim.turn.id)
    return [(found[0].turn, found) for _, members in grouped if (found := list(members))]


def _claim(claim: LedgerClaim) -> dict[str, Any]:
    return {
        "number": claim.number,
        "text": claim.text,
        "basis": str(claim.basis),
        "word": BASES[claim.basis],
        "caution": CAUTION if claim.caution else "",
        "problems": list(claim.problems),
        "sources": [
            {
                "n": one.citation.n,
                "place": ", ".join(filter(None, (one.name, one.section))),
                "said": one.said or "What was quoted from it has been taken out.",
                "changed": one.changed[:1].upper() + one.changed[1:],
            }
            for one in claim.sources
        ],
    }
