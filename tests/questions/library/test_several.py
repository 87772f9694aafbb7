"""What is asked of several documents, as they are called, is answered by each of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.domain.answers import Answer, DocumentCitation
from core.domain.documents import Chunk, Document, DocumentState
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.questions.clauses import Clause
from core.questions.library.several import on_several, several_asked
from core.questions.mentioning.found import MentioningDocument, Occurrence
from core.workspace import Workspace
from tests.support.answering import Open

CLARITHROMYCIN = """# Clarithromycin 250 mg tablets: summary of product characteristics

## 4.2 Posology

The recommended dose of clarithromycin is 250 mg twice daily for 7 days.

## 4.5 Interaction with other medicinal products

Concomitant use of clarithromycin and prednisolone increases exposure to the corticosteroid. Patients should \
be monitored for systemic corticosteroid effects.

Rifampicin lowers the levels of clarithromycin.
"""
PREDNISOLONE = """# Prednisolone 5 mg tablets

## 2. What you need to know before you take Prednisolone

### Other medicines and Prednisolone

Clarithromycin may raise the levels of prednisolone, and your doctor may wish to check you more often.

## 5. How to store Prednisolone

Store below 25 °C.
"""
POLICY = """# Perioperative medicines: a hospital policy

## Steroids

Patients who take prednisolone 5 mg a day or more receive hydrocortisone 100 mg at induction.

## Antibiotics

Oral antibiotics are continued on the day of surgery.
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, open_shared: Open) -> Workspace:
    folder = tmp_path_factory.mktemp("several")
    opened = open_shared(tmp_path_factory.mktemp("data"), writer=True)
    texts = {"smpc.md": CLARITHROMYCIN, "leaflet.md": PREDNISOLONE, "policy.md": POLICY}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
        assert opened.library.ingest(folder / name).state == "ready"
    return opened


def files(answer: Answer) -> set[str]:
    return {one.file for one in answer.citations if isinstance(one, DocumentCitation)}


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Clarithromycin with prednisolone: what do the SmPC and the prednisolone leaflet each say?",
            {"smpc.md": "corticosteroid", "leaflet.md": "check you more often"},
        ),
        (
            "What do our documents say about taking clarithromycin with prednisolone?",
            {"smpc.md": "corticosteroid", "leaflet.md": "check you more often"},
        ),
    ],
)
def test_each_document_that_is_asked_answers_in_a_block_of_its_own(
    workspace: Workspace, question: str, expected: dict[str, str]
) -> None:
    answer = workspace.chat.answer(question)
    assert files(answer) == set(expected)
    told: dict[str, str] = {}
    for one in answer.sentences:
        for number in one.citations:
            cited = answer.citation(number)
            assert isinstance(cited, DocumentCitation)
            told[cited.file] = f"{told.get(cited.file, '')} {one.text}"
    assert all(text in told[file] for file, text in expected.items())
    assert len(answer.blocks) >= len(expected)
    assert not any(one.less_certain for one in answer.blocks)  # each is surely asked


def test_guidance_that_has_the_medicine_in_its_text_is_asked_beside_its_leaflet(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer(
        "Hydrocortisone with prednisolone: what do the leaflet and the hospital policy say?"
    )
    assert "policy.md" in files(answer) and "smpc.md" not in files(answer)
    assert "hydrocortisone 100 mg" in answer.text


def test_one_document_that_is_named_is_asked_as_before(workspace: Workspace) -> None:
    answer = workspace.chat.answer("How is prednisolone stored according to the leaflet?")
    assert files(answer) == {"leaflet.md"}
    assert "25 °C" in answer.text


@pytest.mark.parametrize(
    ("question", "text", "guidance"),
    [
        ("X: is it the same in the Swiss label and in our hospital's policy?", "X: is it the same", True),
        ("Bleeding risk of X with Y in both texts?", "Bleeding risk of X with Y", False),
        ("Was sagen die Fachinformation und die Leitlinie zu Dabigatran?", "Dabigatran", True),
        ("Wat zeggen de bijsluiter en de richtlijn over dabigatran?", "dabigatran", True),
    ],
)  # fmt: skip
def test_what_is_asked_is_told_from_the_words_for_the_documents(
    question: str, text: str, guidance: bool
) -> None:
    asked = several_asked(question)
    assert asked is not None
    assert (asked.text, asked.guidance) == (text, guidance)


@pytest.mark.parametrize(
    "question",
    [
        "What does the label say about driving?",
        "What must be printed on the labels under the IND guidance?",
        "How is X stored according to the leaflet?",
        "Which of my documents mention grapefruit?",
        "How often are liver tests done in the guideline?",
        "What is the dose of X and of Y?",
        "Wie lange ist X haltbar?",
    ],
)
def test_other_questions_ask_no_several_documents(question: str) -> None:
    assert several_asked(question) is None


def _document(number: int, title: str) -> Document:
    return Document(
        id=str(number),
        index="one",
        file=f"{number}.pdf",
        title=title,
        sha256="",
        bytes=0,
        pages=1,
        chunks=1,
        state=DocumentState.READY,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(("leaflets", "expected"), [(1, 2), (2, 3), (4, 5), (5, 0)])
def test_no_document_is_left_out_unsaid(leaflets: int, expected: int) -> None:
    """With as many leaflets as are asked the policy that is named is asked, too; of more none is chosen."""
    shelf = [_document(n, f"Ibuprofen {n}00 mg tablets") for n in range(1, leaflets + 1)]
    policy = _document(9, "Pain in adults: a hospital policy")
    name = Named("ibuprofen", (), "ibuprofen", "")
    chunk = Chunk("9-0", policy.id, 0, 1, "", "", 0, 9, "ibuprofen", "")
    place = Occurrence(0, chunk, 0, 9, "ibuprofen")
    asked = several_asked("What do the leaflets and our policy say about ibuprofen?")
    assert asked is not None and asked.guidance
    made = on_several(
        asked,
        [*shelf, policy],
        lambda text: [Clause(text, leaflet=DocumentPlan(subjects=(name,)))],
        lambda _: {policy.title: MentioningDocument(policy, (place,))},
    )
    assert len(made) == expected
    assert {one.documents[0] for one in made} == (
        {one.id for one in (*shelf, policy)} if expected else set()
    )
