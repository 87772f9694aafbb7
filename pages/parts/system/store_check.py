"""All stores compared with each other while everything goes on, and mended."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.domain.documents import Finding, VerifyReport
from core.maintenance.backup.jobs import VERIFY
from pages.parts.shared.state import workspace
from pages.parts.system.upkeep_jobs import is_running, show_job

_NAMES = {False: "Check of the stores", True: "Check and repair"}


def check_stores() -> None:
    """Buttons, progress and the last result."""
    st.caption(
        "Compares registry, full text, vectors and files. Questions and uploads go on meanwhile. "
        "On the command line: python -m core verify"
    )
    runs = is_running(VERIFY)
    with st.container(horizontal=True, vertical_alignment="center"):
        check = st.button("Check the stores", icon=":material/fact_check:", disabled=runs)
        repair = st.button(
            "Check and repair",
            icon=":material/build:",
            disabled=runs,
            help="Embeds what has no vector, removes what belongs to no document.",
        )
    if check or repair:
        workspace().jobs.submit(VERIFY, _NAMES[repair], {"repair": repair}, keep=False)
        st.rerun()
    show_job(VERIFY)
    report = workspace().upkeep.verified
    if report is not None and not runs:
        _findings(report)


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
        if any(one.repairable and not one.repaired for one in report.findings):
            st.markdown("“Check and repair” mends what says so below; nothing is lost by it.")
    st.dataframe(pd.DataFrame([_row(one) for one in report.findings]), hide_index=True)


def _row(finding: Finding) -> dict[str, object]:
    mendable = "press “Check and repair”" if finding.repairable else "needs you, see “Found”"
    return {
        "What": finding.what,
        "Found": finding.message,
        "Count": finding.count,
        "What to do": "repaired" if finding.repaired else mendable,
    }
