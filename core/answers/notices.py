"""What the analyst should know about an answer beside its text, in fixed words."""

from __future__ import annotations

from core.answers.drafts import Draft
from core.answers.evidence import Evidence
from core.answers.graph_facts import is_yes_no
from core.answers.model import STOPPED
from core.graph.spelling import Spelling

CONVERSATION_LOST = "The conversation that was named does not exist; this one is new."
# How a model's text ended -> what its reader must know. Any other end is a whole answer.
BROKEN_OFF = {
    STOPPED: "You stopped this answer; it is not complete.",
    "length": "The answer was cut at the limit of tokens (MATERIA_LLM_MAX_TOKENS); it is not complete.",
    "": "The model did not say that its answer is complete; its last words may be missing.",
}
_GRAPH_MISSING = (
    "The knowledge graph cannot be reached at present, so this answer is from documents alone."
)


def notice(draft: Draft, evidence: Evidence, spelling: Spelling) -> str:
    """The notice of an answer; empty when there is nothing to say."""
    notices = [draft.notice]
    if evidence.graph_missing:
        notices.append(_GRAPH_MISSING)
    else:
        notices += [
            "The knowledge graph has no such relationship between "
            f"{' and '.join(entity.name for entity in part.clause.entities)}."
            for part in evidence.clauses
            if len(part.clause.entities) > 1
            and part.clause.relationships
            and not part.groups
            and is_yes_no(part.clause)
        ]
    if not draft.sentences:
        notices += _meant(spelling)
    return " ".join(filter(None, notices))


def suggestions(spelling: Spelling, wider: bool) -> tuple[str, ...]:
    """What may help after a refusal, the most specific first."""
    found = [*_meant(spelling), "Ask in other words, or name the medicine."]
    if not wider:
        found.append("Search wider: in all indexes and all sections.")
    return (*found, "Add a document that says it.")


def _meant(spelling: Spelling) -> list[str]:
    return [
        f"Did you mean {' or '.join(f'“{name}”' for name in one.names)} where you wrote "
        f"“{one.written}”?"
        for one in spelling.suggestions
    ]
