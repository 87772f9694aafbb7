"""Medicines that are held against each other: each has its own answer, from its own document; what is asked of
them together is not asked of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.domain.answers import DocumentCitation, State
from core.workspace import Workspace
from tests.support.pdfs import make_pdf

_FACTS = {
    "Zelvantine": ("21 hours", "10 mg once a day"),
    "Orbexanol": ("33 hours", "75 mg twice a day"),
    "Quibrelan": ("7 days", "4 mg once a week"),
}
_LEAFLET = (
    "Package leaflet: Information for the user\n{name} tablets\n\n"
    "2. What you need to know before you take {name}\n"
    "Do not take {name} with other medicines that slow the heart.\n"
    "{name} must not be used during pregnancy.\n\n"
    "3. How to take {name}\nThe recommended dose of {name} is {dose}.\n\n"
    "6. Further information\nThe elimination half-life of {name} is approximately {half_life}."
)


@pytest.fixture
def leaflets(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    """Leaflets of three medicines that no graph knows."""
    for name, (half_life, dose) in _FACTS.items():
        text = _LEAFLET.format(name=name, half_life=half_life, dose=dose)
        read = own_workspace.library.ingest(make_pdf(tmp_path / f"{name}.pdf", text))
        assert read.state == "ready"
    return own_workspace


def _asked(workspace: Workspace, question: str) -> list[str]:
    reader, scope = workspace.chat._reader, workspace.chat._scope()
    return [one.text for one in reader.planned(question, reader.planner.read(question), scope)]


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Compare the half-life of Zelvantine and Orbexanol", ["Zelvantine", "Orbexanol"]),
        ("half-life Orbexanol vs Zelvantine", ["Orbexanol", "Zelvantine"]),
        ("Which has the longer half-life, Zelvantine or Quibrelan?", ["Zelvantine", "Quibrelan"]),
        ("How long is the half-life of each: Zelvantine, Orbexanol, Quibrelan?", list(_FACTS)),
        (
            "Wie unterscheidet sich die Halbwertszeit von Zelvantine und Orbexanol?",
            ["Zelvantine", "Orbexanol"],
        ),
    ],
)
def test_each_of_several_medicines_has_the_number_of_its_own_leaflet(
    leaflets: Workspace, question: str, names: Sequence[str]
) -> None:
    answer = leaflets.chat.answer(question)
    sources = {one.n: one.file for one in answer.citations if isinstance(one, DocumentCitation)}
    for name in names:
        own = [
            x.text for x in answer.sentences if {sources[n] for n in x.citations} == {f"{name}.pdf"}
        ]
        assert any(_FACTS[name][0] in text for text in own), name
    for name in set(_FACTS) - set(names):
        assert _FACTS[name][0] not in answer.text


@pytest.mark.req("PR-4")
def test_of_a_medicine_without_a_leaflet_it_is_said_that_nothing_was_found(
    leaflets: Workspace,
) -> None:
    answer = leaflets.chat.answer("Compare the half-life of Zelvantine and siponimod")
    assert "21 hours" in answer.text and "33 hours" not in answer.text
    assert "No document that was searched names “siponimod”" in answer.notice
    assert answer.state is State.MAY_NOT_ANSWER


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    "question",
    [
        "Can I take Zelvantine and Orbexanol?",
        "What happens if a patient takes Zelvantine and Orbexanol?",
        "Do Zelvantine and Orbexanol interact?",
        "Is Zelvantine or Orbexanol safe with Quibrelan?",
        "What is the dose of Zelvantine for a patient on Orbexanol?",
        "How much Zelvantine together with Orbexanol?",
        "How many weeks should lie between Zelvantine and Orbexanol?",
        "Zelvantine was stopped yesterday, and now he wants Orbexanol. What is the dose?",
        "dose of Zelvantine vs placebo in the table that the Orbexanol leaflet has",
    ],
)
def test_what_is_asked_of_medicines_together_stays_one_question(
    leaflets: Workspace, question: str
) -> None:
    assert len(_asked(leaflets, question)) == 1


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "Is Zelvantine safer than Orbexanol in pregnancy?",
            ["Is Zelvantine safer in pregnancy", "Is safer than Orbexanol in pregnancy"],
        ),
        (
            "What is the difference between the doses of Zelvantine, Orbexanol and of Quibrelan?",
            [f"What is the doses of {name}" for name in _FACTS],
        ),
        (
            "Which has the longer half-life, Zelvantine tablets or Orbexanol, and what are they?",
            [
                "Which has the longer half-life, Zelvantine, what are they",
                "Which has the longer half-life, Orbexanol, what are they",
            ],
        ),
        (
            "Is Zelvantine compared with Orbexanol more likely to slow the heart?",
            [
                "Is Zelvantine more likely to slow the heart",
                "Is Orbexanol more likely to slow the heart",
            ],
        ),
    ],
)
def test_how_it_is_asked_of_each(leaflets: Workspace, question: str, texts: Sequence[str]) -> None:
    assert _asked(leaflets, question) == list(texts)


def test_the_other_arm_of_a_study_is_no_medicine_of_its_own(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    text = (
        _LEAFLET.format(name="Zelvantine", half_life="21 hours", dose="10 mg once a day")
        + "\nRelapses were fewer with Zelvantine than with teriflunomide in Study 1: 0.18 against 0.19."
    )
    read = own_workspace.library.ingest(make_pdf(tmp_path / "Zelvantine.pdf", text))
    assert read.state == "ready"
    question = "Zelvantine vs teriflunomide: relapses in Study 1"
    assert _asked(own_workspace, question) == [question]


def test_what_one_product_contains_is_asked_about_together(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    name = "Zelvantine and Orbexanol"
    text = _LEAFLET.format(name=name, half_life="9 hours", dose="5 mg once a day")
    assert own_workspace.library.ingest(make_pdf(tmp_path / "both.pdf", text)).state == "ready"
    assert _asked(own_workspace, f"What is the dose of {name}?") == [f"What is the dose of {name}"]


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    "question",
    [
        "Compare metformin and ibuprofen",
        "metformin vs ibuprofen",
        "Vergleiche Metformin und Ibuprofen",
    ],
)
def test_where_it_is_not_said_in_what_they_are_compared_what_each_is_for_is_told(
    sample_workspace: Workspace, question: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert {block.section for block in answer.blocks} == {"indications"}
    assert {block.file for block in answer.blocks} == {"Metformin.pdf", "Ibuprofen.pdf"}
    assert answer.notice.startswith("The question does not say in what they are to be compared")


def test_where_it_is_said_nothing_is_said_of_it(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer("Compare the storage of metformin and ibuprofen")
    assert "does not say in what" not in answer.notice
