"""The state of stores and models, and the settings in force."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from pydantic import SecretStr

from core import __version__
from core.domain.documents import VerifyReport
from core.domain.health import PartHealth
from pages.parts.graph.vector_note import vector_note
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain
from pages.parts.system.evaluation_report import show_evaluation_report
from pages.parts.system.model_choice import model_choice


def _part(part: PartHealth) -> None:
    with st.container(border=True, height="stretch"):
        mark = ":green[:material/check_circle:]" if part.ok else ":red[:material/error:]"
        st.markdown(f"{mark} **{plain(part.name)}**")
        st.text(part.detail)
        facts = [
            f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}"
            for name, value in part.facts.items()
        ]
        if facts:
            st.caption(plain(", ".join(facts)))


def _settings() -> pd.DataFrame:
    """Every setting with its value; of a secret only whether it is set."""
    settings = workspace().settings
    rows = []
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            value = "set" if value.get_secret_value() else "not set"
        rows.append(
            {
                "Setting": f"MATERIA_{name.upper()}",
                "Value": str(value),
                "Meaning": field.description or "",
            }
        )
    return pd.DataFrame(rows)


def _check_stores() -> None:
    """Compare all stores with each other, on request, and mend what can be mended."""
    st.header("Stores")
    with st.container(horizontal=True, vertical_alignment="center"):
        check = st.button("Check the stores", icon=":material/fact_check:")
        repair = st.button(
            "Check and repair",
            icon=":material/build:",
            help="Embeds what has no vector, removes what belongs to no document.",
        )
        st.caption("Compares registry, full text, vectors and files; also: python -m core verify")
    if check or repair:
        with st.spinner("Comparing ..."):
            _findings(workspace().verifier.run(repair=repair))


def _findings(report: VerifyReport) -> None:
    counts = (
        f"{report.documents:,} documents, {report.chunks:,} chunks, {report.text_rows:,} full-text "
        f"rows, {report.vectors:,} vectors, {report.files:,} files, compared in {report.seconds} s."
    )
    if not report.findings:
        st.success(f"All stores agree: {counts}", icon=":material/check_circle:")
        return
    if report.consistent:
        st.success(f"Repaired; all stores agree now: {counts}", icon=":material/build:")
    else:
        st.warning(f"The stores do not agree: {counts}", icon=":material/sync_problem:")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "What": finding.what,
                    "Found": finding.message,
                    "Count": finding.count,
                    "State": "repaired"
                    if finding.repaired
                    else ("can be repaired" if finding.repairable else "needs you"),
                }
                for finding in report.findings
            ]
        ),
        hide_index=True,
    )


def _conversations() -> None:
    """What the limits on conversations removed, where there are any."""
    known = workspace().conversations
    if known.limits:
        gone = known.purged
        st.header("Conversations")
        st.text(
            f"Removed by the limits since the start: {gone.too_old:,} as too old, {gone.too_many:,} as too "
            f"many, with {gone.turns:,} questions. Pinned ones stay."
        )


def _recall() -> None:
    """A switch for what is offered above answers."""
    recall = workspace().recall
    st.header("Recall")
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
health = workspace().health()
for first in range(0, len(health.parts), 2):
    for column, part in zip(st.columns(2), health.parts[first : first + 2], strict=False):
        with column:
            _part(part)
vector_note("system")
model_choice()
_check_stores()
show_evaluation_report()
_conversations()
_recall()
st.header("Settings")
st.caption("Set them in the environment or in .env, then restart.")
st.dataframe(_settings(), hide_index=True)
st.caption(f"Materia {plain(__version__)}")
