"""What the last evaluation found."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.evaluation.metrics import Scores, Share
from core.evaluation.report import Report, last_report
from pages.parts.shared.login import login_is_configured
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain


def show_evaluation_report() -> None:
    """The measures of the last evaluation by kind of question, and what went wrong."""
    report = last_report(workspace().settings.root)
    if report is None:
        st.caption("Not evaluated yet. Run: python -m core evaluate")
        return
    st.caption(
        plain(
            f"{report.scores.questions:,} questions of “{report.questions}”, asked on "
            f"{report.made_at:%Y-%m-%d %H:%M} UTC; answers by {report.model or 'nobody'}, "
            f"embeddings by {report.embedding_model}, threshold {report.threshold:g}."
        )
    )
    groups = {"all": report.scores, **report.by_kind}
    if len(report.by_lang) > 1:
        groups |= {f"language {name}": scores for name, scores in report.by_lang.items()}
    st.dataframe(
        pd.DataFrame([{"Questions": name, **_row(scores)} for name, scores in groups.items()]),
        hide_index=True,
    )
    _show_problems(report)


def _row(scores: Scores) -> dict[str, str]:
    return {
        "Number": f"{scores.questions:,}",
        "Right page found": _share(scores.retrieval),
        "Citations on a right page": _share(scores.citation_precision),
        "Right page cited": _share(scores.citation_recall),
        "Answer as expected": _share(scores.answer),
        "Prompt holds the answer": _share(scores.prompt),
        "Lists exact": _share(scores.entities),
        "Refused rightly": _share(scores.refusal_precision),
        "Unanswerable refused": _share(scores.refusal_recall),
        "Answered": f"{scores.answered:,}",
        "Of these right": _share(scores.answered_right),
        "May not answer": f"{scores.may_not_answer:,}",
        "Of those right": _share(scores.may_not_answer_right),
        "Not in the library": f"{scores.not_in_library:,}",
        "Unsupported sentences": f"{scores.flagged:,}",
        "Forbidden strings told": _share(scores.forbidden),
        "Forbidden instead of the right": _share(scores.instead),
        "Numbers without evidence": f"{scores.invented:,}",
        "p50 ms": f"{scores.p50_ms:,.0f}",
        "p95 ms": f"{scores.p95_ms:,.0f}",
        "Within 3 s, no model": _share(scores.within_3s),
        "Within 1 s beside the model": _share(scores.own_within_1s),
    }


def _share(share: Share) -> str:
    if share.value is None:
        return "–"
    return f"{share.value:.0%} ({share.part:,} of {share.of:,})"


def _show_problems(report: Report) -> None:
    if not report.problems:
        return
    if login_is_configured():  # they may be of answers that others have rated
        st.caption(
            f"{len(report.problems):,} questions with problems: "
            "`evaluate --failures` on the command line names them."
        )
        return
    with st.expander(f"{len(report.problems):,} questions with problems"):
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        "Id": problem.id,
                        "Question": problem.question,
                        "What is wrong": "; ".join(problem.reasons),
                    }
                    for problem in report.problems
                ]
            ),
            hide_index=True,
        )
