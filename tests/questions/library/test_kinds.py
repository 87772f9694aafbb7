"""What is asked of the guideline, the letter or the trial is answered from it, and from no other document."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.domain.answers import Answer, DocumentCitation
from core.domain.documents import Document, DocumentState
from core.questions.library.kinds import part_named
from core.workspace import Workspace
from tests.support.answering import Open

GUIDELINE = """# Treatment of multiple sclerosis in adults: a guideline

## Monitoring

Liver tests are done every 2 weeks for 6 months with teriflunomide, and every 8 weeks thereafter.

- R15. Stop fingolimod if ALT is above 5 times the upper limit of normal.
- R16. Stop siponimod if jaundice occurs.

## Dosing

The maintenance dose of siponimod is 2 mg once daily.
"""
TRIAL = """# Ozanimod versus teriflunomide in relapsing multiple sclerosis: a randomised trial

## Procedures

Teriflunomide 14 mg was started without escalation. Liver tests were done at weeks 2, 4, 12 and 24, and \
every 12 weeks thereafter.

## Exclusion criteria

Patients were excluded if they had any of the following:

- primary progressive disease
- a history of macular oedema
- pregnancy or planned pregnancy during the trial
- previous treatment with cladribine
"""
LEAFLET = """# Teriflunomide 14 mg tablets

## How to take it

The dose of teriflunomide is one tablet of 14 mg once a day. Liver tests are done before treatment begins.
"""
CASES = "Liver injury during treatment with siponimod: a series of three cases"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, open_shared: Open) -> Workspace:
    folder = tmp_path_factory.mktemp("papers")
    opened = open_shared(tmp_path_factory.mktemp("data"), writer=True)
    for name, text in {"guideline.md": GUIDELINE, "trial.md": TRIAL, "leaflet.md": LEAFLET}.items():
        (folder / name).write_text(text, "utf-8")
        assert opened.library.ingest(folder / name).state == "ready"
    return opened


def files(answer: Answer) -> set[str]:
    return {one.file for one in answer.citations if isinstance(one, DocumentCitation)}


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "file", "told"),
    [
        (
            "How often should liver tests be done with teriflunomide according to the guideline?",
            "guideline.md",
            "every 8 weeks",
        ),
        ("How often were liver tests done in the trial?", "trial.md", "every 12 weeks"),
        ("liver tests teriflunomide guideline", "guideline.md", "every 8 weeks"),
    ],
)
def test_the_document_that_is_named_answers(
    workspace: Workspace, question: str, file: str, told: str
) -> None:
    answer = workspace.chat.answer(question)
    assert files(answer) == {file} and told in answer.text
    assert answer.within.files == (file,)


def test_a_list_is_whole_though_one_item_has_a_word_of_the_question(workspace: Workspace) -> None:
    answer = workspace.chat.answer("List all exclusion criteria of the ozanimod trial")
    for item in ("progressive disease", "macular oedema", "during the trial", "cladribine"):
        assert item in answer.text


def test_whoever_asks_wider_asks_every_document(workspace: Workspace) -> None:
    question = "How often should liver tests be done with teriflunomide according to the guideline?"
    answer = workspace.chat.answer(question, wider=True)
    assert not answer.within


def test_what_the_named_document_does_not_say_is_not_told_from_another(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer("What dose of teriflunomide does the guideline give?")
    assert answer.within.files == ("guideline.md",)
    assert "14 mg" not in answer.text and files(answer) <= {"guideline.md"}


def document(title: str) -> Document:
    return Document(
        id=title[:8],
        index="one",
        file=f"{title[:8]}.pdf",
        title=title,
        sha256="",
        bytes=0,
        pages=1,
        chunks=1,
        state=DocumentState.READY,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


SHELF = [
    document("A guideline on multiple sclerosis"),
    document("Ozanimod versus teriflunomide"),
    document(CASES),
    document("Receptor modulators: a systematic review and meta-analysis of randomised trials"),
    document("Metformin 500 mg tablets"),
    document("Cohort of new users: drosetinib versus other inhibitors"),
]


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("What does the guideline say of stopping?", ["A guideline"]),
        ("limitations of the 2022 meta-analysis", ["Receptor"]),
        ("What happened to the men in the case series?", ["Liver in"]),
        ("sample size of the ozanimod trial", ["Ozanimod"]),
        ("Does the review agree with the guideline?", ["A guideline", "Receptor"]),
        # One side of what is compared may be any document.
        ("Does the guideline differ from what Metformin's leaflet says?", []),
        ("Is it known from trials?", []),
        ("Was it looked at in a trial?", []),
        ("Review the dose of metformin.", []),
        ("sample size ozanimod trial", ["Ozanimod"]),
        ("May it be taken in a trial of labour?", []),
        # What is named beside it, and is no everyday word, is of that document alone.
        ("registration number of the brelunapant trial", []),
        ("How was randomisation done in the SUMMIT-RH trial?", []),
        ("How was randomisation done in the ozanimod trial?", ["Ozanimod"]),
        ("exclusion criteria of the drosetinib cohort study", ["Cohort o"]),
        ("Kernaussage der Leitlinie zur Nierenfunktionsstörung", ["A guideline"]),
        ("What does the letter say?", []),  # there is none
        # It does not name the medicine.
        ("What does the guideline say of warfarin?", []),
    ],
)
def test_kinds(question: str, titles: list[str]) -> None:
    found = part_named(question, SHELF, lambda one: [one.title])
    assert sorted(found.files) == sorted(f"{one[:8]}.pdf" for one in titles)


def test_a_kind_that_most_documents_are_of_names_none() -> None:
    trials = [document(f"{n:08} randomised trial") for n in range(20)]
    assert not part_named("What did the trial find?", trials, lambda one: [one.title])
    assert part_named("What did the trial find?", trials[:12], lambda one: [one.title])
