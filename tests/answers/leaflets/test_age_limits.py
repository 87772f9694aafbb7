"""A medicine whose indications are for others than of a patient's age: that is told, and no dose."""

from __future__ import annotations

import pytest

from core.domain.answers import State
from core.evidence.patients.footnotes import has_dose
from core.workspace import Workspace


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("methotrexate dose for a 2-year-old with juvenile arthritis", "from 3 years"),
        ("Can a 2-year-old get methotrexate for arthritis?", "from 3 years"),
        ("What is the dose of metformin for an 8 year old?", "from 10 years"),
        ("Can an 8-year-old take metformin?", "from 10 years"),
        ("sertraline for a 4 year old with OCD", "from 6 to 17 years"),
        ("lisinopril for a 4 year old with hypertension", "from 6 years"),
        ("Wie viel Metformin bekommt ein Kind von 8 Jahren?", "from 10 years"),
    ],
)
def test_from_which_age_on_a_medicine_is_for_somebody_is_told_in_place_of_a_dose(
    sample_workspace: Workspace, question: str, limit: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert any(limit in one.text for one in answer.sentences), answer.text
    told = [one.text.replace("Methotrexate 2.5 mg tablets", "") for one in answer.sentences]
    assert not any(map(has_dose, told)), answer.text
    assert "No dose is told" in answer.notice


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("methotrexate dose for a 5 year old with juvenile arthritis", "10 mg to 15 mg"),
        ("What is the dose of sertraline for an 8 year old with OCD?", "from 6 to 12 years"),
        ("What is the starting dose of lisinopril for a 9 year old boy of 32 kg?", "2.5 mg"),
    ],
)
def test_within_the_ages_of_the_indication_the_dose_is_told(
    sample_workspace: Workspace, question: str, dose: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert answer.state is State.ANSWERED and dose in answer.text
