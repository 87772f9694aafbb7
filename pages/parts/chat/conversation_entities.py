"""Which entities the open conversation speaks of."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.domain.answers import GraphCitation
from core.domain.conversations import Turn
from pages.parts.shared.state import chat_session, workspace

_OF_TURNS = "conversation_entities"  # turn id -> entity ids, for the version of the graph at [0]


@dataclass(frozen=True, slots=True)
class ConversationEntities:
    """Ids of entities that a conversation speaks of.

    Attributes:
        newest: those of its last answer.
        older: those of the answers before, without the newest.
    """

    newest: frozenset[str] = frozenset()
    older: frozenset[str] = frozenset()


def conversation_entities() -> ConversationEntities:
    """The entities that the questions and answers of the open conversation name, and the ends of the
    relationships that they cite.

    What a cited passage happens to mention does not count.
    """
    if not chat_session():
        return ConversationEntities()
    version = workspace().graph.version()
    kept: tuple[int, dict[str, set[str]]] = st.session_state.get(_OF_TURNS, (-1, {}))
    known = kept[1] if kept[0] == version else {}
    turns = workspace().conversations.history(chat_session())
    of_turns = {turn.id: known.get(turn.id) or _of_turn(turn) for turn in turns}
    st.session_state[_OF_TURNS] = (version, of_turns)
    if not turns:
        return ConversationEntities()
    newest = frozenset(of_turns[turns[-1].id])
    return ConversationEntities(newest, frozenset().union(*of_turns.values()) - newest)


def _of_turn(turn: Turn) -> set[str]:
    answer = turn.answer
    texts = [answer.read_as, *(one.text for one in answer.sentences if one.entities is None)]
    named = {entity_id for text in texts for entity_id in workspace().names.entity_ids_in(text)}
    named |= {entity.id for one in answer.sentences for entity in one.entities or ()}
    cited = {
        end
        for citation in answer.citations
        if isinstance(citation, GraphCitation)
        for end in (citation.source_id, citation.target_id)
    }
    return named | cited
