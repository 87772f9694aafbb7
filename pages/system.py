"""The state of stores and models, what to do in trouble, and the settings in force."""

from __future__ import annotations

import streamlit as st

from core import __version__
from pages.parts.graph.vector_note import vector_note
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain
from pages.parts.system.backups import backups, restored_waits
from pages.parts.system.error_list import errors
from pages.parts.system.evaluation_report import show_evaluation_report
from pages.parts.system.model_choice import model_choice
from pages.parts.system.settings_table import settings_table
from pages.parts.system.state import show_state, show_step_times
from pages.parts.system.store_check import check_stores


def _conversations() -> None:
    """What the limits on conversations removed, where there are any."""
    known = workspace().conversations
    if known.limits:
        gone = known.purged
        st.text(
            f"Removed by the limits since the start: {gone.too_old:,} as too old, {gone.too_many:,} as too "
            f"many, with {gone.turns:,} questions. Pinned ones stay."
        )


def _recall() -> None:
    """A switch for what is offered above answers."""
    recall = workspace().recall
    on = st.toggle(
        "Offer earlier questions that are close to a new one",
        recall.is_on,
        key="recall_on",
        disabled=not recall.allowed,
    )
    if recall.allowed and on != recall.is_on:
        recall.turn(on)
    st.caption(
        "Above an answer, with what changed since. Questions with their answers are embedded for it, on this "
        "machine or by the configured embedding model; a language model is given them only where you say so."
        if recall.allowed
        else "The setting MATERIA_RECALL turns it off."
    )


st.title("System")
show_state()
restored_waits()
vector_note("system")
show_step_times()
model, check, backup, errors_tab, settings, evaluation, recall = st.tabs(
    ["Language model", "Check", "Backup", "Errors", "Settings", "Evaluation", "Conversations"],
    key="system_tabs",
)
with model:
    model_choice()
with check:
    check_stores()
with backup:
    backups()
with errors_tab:
    errors()
with settings:
    settings_table()
with evaluation:
    show_evaluation_report()
with recall:
    _recall()
    _conversations()
st.caption(f"Materia {plain(__version__)}")
