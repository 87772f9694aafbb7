"""Which row, and which of its columns, is for those a question is about: of a printed table of each kind."""

from __future__ import annotations

import pytest

from core.domain.answers import State
from core.evidence.passages import Quote
from core.evidence.patients.beside.other_rows import is_of_another
from core.evidence.patients.contrasts import contrasts_told, opposed
from core.workspace import Workspace
from tests.evidence.patients.one_label import open_label
from tests.support.answering import Open
from tests.support.records import a_hit

WEIGHTS = (
    (
        "Weight: greater than",
        "And less than",
        "Daily dose Weeks 1 and 2",
        "Daily dose Weeks 3 and 4",
    ),
    ("6.7 kg", "14 kg", "21 mg every other day", "22 mg"),
    ("14.1 kg", "27 kg", "23 mg", "24 mg"),
    ("27.1 kg", "34 kg", "25 mg", "26 mg"),
)
STEPS = (
    ("Step", "Zelotrine", "Valproate"),
    ("Step 1", "Reach 200 mg a day", "Keep the dose"),
    ("Step 2", "Keep 200 mg a day", "Lower it to 500 mg a day"),
    ("Step 3", "Raise it to 300 mg a day", "Lower it to 250 mg a day"),
)
LEVELS = (
    ("Laboratory value (cells/mm³)", "Recommended action"),
    ("ALC 750 or more", "The dose is maintained at 41 mg."),
    ("ALC 500-749", "The dose is lowered to 42 mg."),
    ("ALC less than 500", "Treatment is stopped at once, also at 43 mg."),
)


@pytest.fixture(scope="module")
def shelf(open_shared: Open, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return open_label(
        open_shared,
        tmp_path_factory.mktemp("rows"),
        "Zelotrine 25 mg tablets",
        "epilepsy",
        "Table 1: Dose of Zelotrine in children who take valproate",
        WEIGHTS,
        "Table 2: Change from valproate to Zelotrine alone",
        STEPS,
        "Table 3: Zelotrine and low lymphocytes",
        LEVELS,
    )


def _told(shelf: Workspace, question: str) -> str:
    answer = shelf.chat.answer(question)
    assert answer.state is not State.NOT_IN_LIBRARY
    return answer.text


def test_a_weight_between_two_columns_and_the_weeks_that_are_asked_for(shelf: Workspace) -> None:
    told = _told(shelf, "Child of 20 kg on valproate: Zelotrine dose in weeks 3 and 4?")
    assert "24 mg" in told
    assert not any(f"{other} mg" in told for other in (21, 22, 25, 26))


def test_one_step_is_told_where_one_is_asked_for_and_else_all(shelf: Workspace) -> None:
    one = _told(shelf, "Change from valproate to Zelotrine alone: what is done in step 3?")
    assert "300 mg a day" in one and "Reach 200 mg" not in one
    whole = _told(shelf, "How do I change from valproate to Zelotrine alone?")
    assert "Reach 200 mg" in whole and "300 mg a day" in whole


def test_the_row_of_the_value_that_is_measured(shelf: Workspace) -> None:
    told = _told(shelf, "Zelotrine, ALC 620 on two tests - what now?")
    assert "42 mg" in told and "41 mg" not in told and "43 mg" not in told


def test_what_the_first_cell_of_a_row_says_holds_for_all_of_it() -> None:
    parts = (
        "Situation: Intermediate (heterozygous) activity",
        "In the first week: 25 mg",
        "Maintenance dose: 50 mg",
    )
    told = contrasts_told("; ".join(parts), [], "", parts)
    assert told == {"zygosity": {"heterozygous"}}, "and not a single cell's phase"
    assert set(opposed({"zygosity": frozenset({"homozygous"})}, told)) == {"zygosity"}


@pytest.mark.parametrize(
    ("label", "question", "other"),
    [
        ("Patients with BEN", "ANC 780, not BEN: what now?", True),
        ("Patients with BEN", "ANC 780 bei BEN: was tun?", False),
        ("Patients with BEN", "ANC 780, keine BEN: was tun?", True),
        ("Non-BEN patients", "ANC 780, not BEN: what now?", False),
        ("Patients without BEN", "ANC 780, not BEN: what now?", False),
        ("General population", "ANC 780, not BEN: what now?", False),
    ],
)
def test_a_table_for_those_whom_a_question_excludes_is_another(
    label: str, question: str, other: bool
) -> None:
    text = "ANC: 500 to 999; Monitor three times a week"
    hit = a_hit(text)
    parts = tuple(text.split("; "))
    quote = Quote(hit, text, 0, len(text), text, row=True, parts=parts, labels=(label,))
    assert is_of_another(quote, frozenset(), question) == other
