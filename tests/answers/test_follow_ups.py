"""Questions that go on with a conversation: what they are read as, and which medicine they mean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.answers import prompts
from core.domain.events import Routed
from core.domain.graph import NAMED_IN_QUESTION as NAMED
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.asking import (
    WHEN_NOT,
    assert_evidence,
    documents,
)
from tests.support.fake_openai import FakeOpenAI, text


@pytest.fixture(scope="module")
def about_metformin(workspace: Workspace) -> str:
    """A conversation whose only question is about metformin."""
    return workspace.chat.answer(WHEN_NOT).session


def how_read(workspace: Workspace, question: str, session: str) -> str:
    """How a question would be read in a conversation; the question is not kept."""
    routed = next(iter(workspace.chat.ask(question, session)))
    assert isinstance(routed, Routed)
    return routed.read_as


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("follow_up", "read_as"),
    [
        ("What are its side effects?", "What are Metformin's side effects?"),
        ("Can it be taken in pregnancy?", "Can Metformin be taken in pregnancy?"),
        ("How should they be stored?", "How should Metformin be stored?"),
        ("How should I store them?", "How should I store Metformin?"),
        ("What is the maximum dose of that?", "What is the maximum dose of Metformin?"),
        ("Can I drive with this drug?", "Can I drive with Metformin?"),
        ("And in pregnancy?", "And in pregnancy (Metformin)?"),
        ("Which side effects are very common?", "Which side effects are very common (Metformin)?"),
        ("Und bei Kindern?", "Und bei Kindern (Metformin)?"),
        ("En bij kinderen?", "En bij kinderen (Metformin)?"),
        ("And in children?", "When must metformin not be taken in children?"),
        ("Und mit Fooxil?", "Und mit Fooxil?"),
        ("How common is nausea?", "How common is nausea (Metformin)?"),
        ("Is gout a reason against?", "Is gout a reason against (Metformin)?"),
        ("What is gout?", "What is gout?"),
        ("and what treats gout?", "and what treats gout?"),
        ("what if she also takes warfarin?", "Metformin: what if she also takes warfarin?"),
        ("and gout or asthma?", "When must metformin not be taken (gout or asthma)?"),
        ("Wie häufig ist Durchfall?", "Wie häufig ist Durchfall (Metformin)?"),
        ("And what is the dose of warfarin?", "what is the dose of warfarin?"),
    ],
)
def test_a_follow_up_is_read_as_the_medicine_in_focus(
    follow_up: str, read_as: str, workspace: Workspace, about_metformin: str
) -> None:
    assert how_read(workspace, follow_up, about_metformin) == read_as


@pytest.mark.parametrize(
    ("first", "follow_up", "read_as"),
    [
        (
            "Dosering metformin voor een kind van 8 jaar bij hoge bloeddruk?",
            "en bij hartfalen?",
            "Dosering metformin voor een kind van 8 jaar bij hartfalen?",
        ),
        (
            "What is the dose of metformin in a child with laryngitis?",
            "and in an adult with cystitis?",
            "What is the dose of metformin in an adult with cystitis?",
        ),
    ],
)
def test_an_illness_that_no_graph_knows_takes_the_place_of_the_one_before(
    first: str, follow_up: str, read_as: str, workspace: Workspace
) -> None:
    assert how_read(workspace, follow_up, workspace.chat.answer(first).session) == read_as


@pytest.mark.req("KG-13")
def test_a_follow_up_is_answered_for_that_medicine(
    workspace: Workspace, about_metformin: str
) -> None:
    answer = workspace.chat.answer("What are its side effects?", about_metformin)
    assert (answer.session, answer.read_as) == (
        about_metformin,
        "What are Metformin's side effects?",
    )
    assert {c.file for c in documents(answer)} == {"Metformin.pdf"}
    assert "loss of appetite" in answer.text


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "question",
    [
        "Which drugs are contraindicated in pregnancy?",
        "Which drugs treat asthma?",
        "What are the side effects of ibuprofen?",
        "Is it safe to take ibuprofen in pregnancy?",
    ],
)
def test_a_question_with_a_subject_of_its_own_is_left_alone(
    question: str, workspace: Workspace, about_metformin: str
) -> None:
    assert how_read(workspace, question, about_metformin) == question


@pytest.mark.req("KG-13", "KG-14")
@pytest.mark.parametrize(
    ("first", "follow_up", "read_as", "files"),
    [
        ("Does ibuprofen interact with lithium?", "And with methotrexate?",
         "Does ibuprofen interact with methotrexate?", {"Ibuprofen.pdf"}),
        ("Can I take warfarin with aspirin?", "And with paracetamol?",
         "Can I take warfarin with paracetamol?", {"Warfarin.pdf"}),
        (WHEN_NOT, "What about ibuprofen?", "When must ibuprofen not be taken?", {"Ibuprofen.pdf"}),
        (WHEN_NOT, "And with alcohol?", "When must metformin not be taken with alcohol?",
         {"Metformin.pdf"}),
        ("What is the dose of ibuprofen for adults?", "And for children?",
         "What is the dose of ibuprofen for children?", {"Ibuprofen.pdf"}),
        ("What is the dose of ibuprofen?", "And in children?",
         "What is the dose of ibuprofen in children?", {"Ibuprofen.pdf"}),
        ("What are the side effects of metformin?", "And in pregnancy?",
         "And in pregnancy (Metformin)?", {"Metformin.pdf"}),
    ],
)  # fmt: skip
def test_what_takes_the_place_of_another_is_answered_for_the_same_medicine(
    workspace: Workspace, first: str, follow_up: str, read_as: str, files: set[str]
) -> None:
    before = workspace.chat.answer(first)
    answer = workspace.chat.answer(follow_up, before.session)
    assert answer.read_as == read_as
    assert not answer.refused and {c.file for c in documents(answer)} == files


@pytest.mark.req("KG-14")
def test_a_name_that_nobody_knows_takes_the_place_of_the_medicine(workspace: Workspace) -> None:
    session = workspace.chat.answer("What are Metformin's side effects?").session
    assert (
        how_read(workspace, "And of olodaterol?", session) == "What are olodaterol's side effects?"
    )
    answer = workspace.chat.answer("And Olodaterol?", session)
    assert answer.read_as == "What are Olodaterol's side effects?" and answer.refused


@pytest.mark.req("KG-14")
def test_a_conversation_keeps_medicine_and_patient(workspace: Workspace) -> None:
    session = workspace.chat.answer("What is the dose of ibuprofen for a child of 8 years?").session
    for question, read_as in (
        ("How often?", "How often (Ibuprofen, for a child of 8 years)?"),
        ("sorry, I meant 6 years", "How often (Ibuprofen, for a child of 6 years)?"),
        (
            "What should I give him then?",
            "What should I give him then (Ibuprofen, How often, for a child of 6 years)?",
        ),
        ("Thank you!", "Thank you!"),
        ("What is the dose of metformin?", "What is the dose of metformin?"),
        ("and the maximum?", "and the maximum (Metformin)?"),
        (
            "back to the first one, what are its side effects?",
            "what are Ibuprofen's side effects (for a child of 6 years)?",
        ),
        ("ok and storage?", "and storage (Ibuprofen)?"),
    ):
        assert workspace.chat.answer(question, session).read_as == read_as


@pytest.mark.req("KG-14")
def test_what_somebody_takes_beside_is_not_what_is_asked_about(workspace: Workspace) -> None:
    session = workspace.chat.answer("What is the dose of ibuprofen for adults?").session
    question = "my mother takes lithium, ok for her?"
    answer = workspace.chat.answer(question, session)
    assert answer.read_as == f"Ibuprofen: {question}"
    assert {one.file for one in documents(answer)} == {"Ibuprofen.pdf"} and "ithium" in answer.text
    # Of her own medicine, which has a document, she is asked by herself.
    question = "she takes warfarin, is that safe in pregnancy?"
    assert not workspace.chat.answer(question, session).read_as.startswith("Ibuprofen")


@pytest.mark.req("KG-14")
def test_which_of_a_list_is_never_read_as_one_medicine(workspace: Workspace) -> None:
    """The graph treats nothing that is called infection."""
    session = workspace.chat.answer("Which drugs interact with warfarin?").session
    assert workspace.chat.answer("list them all", session).read_as == "list them all"
    assert how_read(workspace, "What about with clarithromycin?", session) == (
        "Which drugs interact with clarithromycin?"
    )
    answer = workspace.chat.answer("Which of them treat infections?", session)
    assert answer.read_as == answer.question
    assert answer.plan is not None and "infections" in {one.text for one in answer.plan.left_over}


@pytest.mark.req("KG-14")
def test_a_fragment_never_goes_on_over_a_name_that_nobody_knows(workspace: Workspace) -> None:
    session = workspace.chat.answer("Can I take warfarin with alcohol?").session
    workspace.chat.answer("How should Fooxil be taken?", session)
    assert "warfarin" not in how_read(workspace, "And with ibuprofen?", session).casefold()


@pytest.mark.req("KG-14")
@pytest.mark.parametrize("name", ["Fooxil", "fooxil"])
def test_it_is_the_last_thing_asked_about_although_nobody_knows_it(
    workspace: Workspace, name: str
) -> None:
    session = workspace.chat.answer(WHEN_NOT).session
    workspace.chat.answer(f"What is the dose of {name}?", session)
    answer = workspace.chat.answer("Is it flammable?", session)
    assert answer.read_as == f"Is {name} flammable?"
    assert answer.refused
    assert f"No document that was searched names “{name}”" in answer.notice
    known = workspace.chat.answer("What is the dose of ibuprofen?", session).session
    assert how_read(workspace, "Can it be taken in pregnancy?", known) == (
        "Can Ibuprofen be taken in pregnancy?"
    )


@pytest.mark.req("KG-16")
def test_a_new_conversation_knows_nothing_of_another(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(text("Kidneys matter, says the marker kestrel [1]."))
    first = with_provider.chat.answer(WHEN_NOT)
    second = with_provider.chat.answer("What are its side effects?")
    assert second.session != first.session
    assert second.read_as == second.question
    assert all(link.reason != NAMED for link in second.entities)
    assert len(provider.requests) == 2
    assert "kestrel" not in provider.requests[1].user
    assert prompts.HISTORY_HEAD not in provider.requests[1].user
    assert [t.question for t in with_provider.conversations.history(second.session)] == [
        second.question
    ]


@pytest.mark.req("KG-E")
def test_an_unknown_conversation_makes_a_new_one(workspace: Workspace) -> None:
    answer = workspace.chat.answer(WHEN_NOT, "no-such-conversation")
    assert answer.session != "no-such-conversation"
    assert "does not exist; this one is new" in answer.notice
    assert [turn.answer for turn in workspace.conversations.history(answer.session)] == [answer]
    assert workspace.chat.answer(WHEN_NOT).notice == ""


@pytest.mark.req("PR-6")
def test_the_last_five_turns_are_in_the_prompt(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(*(text(f"The leaflet says so, marker-{n} [1].") for n in range(7)))
    session = None
    for n in range(7):
        question = f"What is the highest daily dose of metformin, time {n}?"
        session = with_provider.chat.answer(question, session).session
    assert len(provider.requests) == 7
    for n, request in enumerate(provider.requests):
        expected = [f"{earlier}" for earlier in range(max(0, n - 5), n)]
        assert re.findall(r"marker-(\d)", request.user) == expected
        assert re.findall(r"time (\d)", request.user) == [*expected, str(n)]


@pytest.mark.req("PR-3")
def test_a_deleted_document_is_never_cited_again(own_workspace: Workspace) -> None:
    for name in ("Metformin", "Ibuprofen"):
        assert own_workspace.library.ingest(SAMPLE / "leaflets" / f"{name}.pdf").state == "ready"
    chat = own_workspace.chat
    before = chat.answer(WHEN_NOT)
    deleted = documents(before)[0].document_id
    assert own_workspace.library.delete(deleted).left == 0
    again = chat.answer(WHEN_NOT, before.session)
    assert {citation.kind for citation in again.citations} == {"graph"}
    assert_evidence(again, own_workspace)
    for question in ("What is its maximum dose?", "What is the dose of metformin?"):
        answer = chat.answer(question, before.session)
        assert answer.refused
        assert answer.nearest and all(c.file == "Ibuprofen.pdf" for c in answer.nearest)


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("What is the dose of Zorvatex?", "75 mg"),
        ("what is the dose of zorvatex?", "75 mg"),
        ("Zorvatex dose?", "75 mg"),
        ("When must Bravanil not be used?", ""),
        ("when must bravanil not be used?", ""),
    ],
)
def test_a_question_on_a_medicine_of_its_own_never_gets_another_ones_doses(
    own_workspace: Workspace, tmp_path: Path, question: str, dose: str
) -> None:
    """Zorvatex is in a document, Bravanil nowhere; the graph knows neither."""
    leaflets = SAMPLE / "leaflets"
    own = tmp_path / "zorvatex.txt"
    own.write_text("How to take Zorvatex\n\nThe usual dose of Zorvatex is 75 mg a day.")
    for path in (leaflets / "Warfarin.pdf", own):
        assert own_workspace.library.ingest(path).state == "ready"
    first = own_workspace.chat.answer("How should warfarin be taken?")
    assert not first.refused
    answer = own_workspace.chat.answer(question, first.session)
    assert answer.read_as == question
    assert "arfarin" not in answer.text
    assert answer.refused == (not dose) and dose in answer.text


def test_whoever_names_nothing_goes_on_with_the_medicine_written_small(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """Nobody knows Zorvatex but the title of its document."""
    own = tmp_path / "zorvatex.txt"
    own.write_text(
        "Zorvatex 75 mg tablets\n\nHow to take it\n\nThe usual dose of Zorvatex is 75 mg a day. "
        "The highest dose of Zorvatex is 150 mg a day.\n\nStorage\n\nStore below 25 degrees."
    )
    for path in (SAMPLE / "leaflets" / "Warfarin.pdf", own):
        assert own_workspace.library.ingest(path).state == "ready"
    session = own_workspace.chat.answer("starting dose zorvatex adult").session
    for question, read_as in (
        ("top dose?", "top dose (Zorvatex"),
        (
            "suppose somebody keeps forgetting the evening one",
            "suppose somebody keeps forgetting the evening one (",
        ),
        ("is warfarin kept in a fridge?", "is warfarin kept in a fridge?"),
        ("Ok, thank you!", "Ok, thank you!"),
    ):
        answer = own_workspace.chat.answer(question, session)
        assert answer.read_as.casefold().startswith(read_as.casefold())
        assert "arfarin" in question or "arfarin" not in answer.text


def test_a_section_asked_for_alone_still_means_the_medicine_in_focus(
    own_workspace: Workspace,
) -> None:
    assert own_workspace.library.ingest(SAMPLE / "leaflets" / "Warfarin.pdf").state == "ready"
    first = own_workspace.chat.answer("How should warfarin be taken?")
    for follow_up in ("And the side effects?", "In pregnancy?", "How should it be stored?"):
        assert "Warfarin" in own_workspace.chat.answer(follow_up, first.session).read_as


@pytest.mark.req("KG-14")
def test_they_are_the_medicines_that_were_compared(sample_workspace: Workspace) -> None:
    chat = sample_workspace.chat
    session = chat.answer("Compare metformin and ibuprofen").session
    answer = chat.answer("How are they stored?", session)
    assert answer.read_as == "How are Metformin and Ibuprofen stored?"
    assert {c.file for c in documents(answer)} == {"Metformin.pdf", "Ibuprofen.pdf"}


@pytest.mark.req("KG-14")
def test_what_was_asked_of_one_is_asked_of_the_next(workspace: Workspace) -> None:
    session = workspace.chat.answer("Can warfarin cause nausea?").session
    assert how_read(workspace, "and headache?", session) == "Can warfarin cause headache?"
    workspace.chat.answer("How is ibuprofen stored?", session)
    for question, read_as in (
        ("How common is headache?", "How common is headache (Ibuprofen)?"),
        ("and dizziness?", "How common is dizziness (Ibuprofen)?"),
        ("back to warfarin: can it cause a rash?", "can warfarin cause a rash?"),
        ("back to work: is it safe?", "back to work: is Warfarin safe?"),
        ("and what about driving?", "and what about driving (Warfarin)?"),
    ):
        assert workspace.chat.answer(question, session).read_as == read_as


def test_that_study_is_the_paper_that_answered(own_workspace: Workspace, tmp_path: Path) -> None:
    for name, drug, number in (("one", "Zorvatex", "NCT01"), ("two", "Bravanil", "NCT02")):
        (tmp_path / f"{name}.md").write_text(
            f"# {drug} against placebo\n\n## Methods\n\nWe gave {drug} to 40 adults. The registration number "
            f"is {number}.\n\n## Results\n\nHeadache was reported by {len(name)} of 40 adults on {drug}.\n"
        )
        assert own_workspace.library.ingest(tmp_path / f"{name}.md").state == "ready"
    for file, drug, other in (("one.md", "Zorvatex", "NCT02"), ("two.md", "Bravanil", "NCT01")):
        session = own_workspace.chat.answer(f"How many had headache on {drug}?").session
        answer = own_workspace.chat.answer(
            "What is the registration number of that study?", session
        )
        assert answer.within.files == (file,)
        assert other not in answer.text


def test_a_german_question_goes_on_with_what_the_title_alone_knows(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    own = tmp_path / "zubelan.txt"
    own.write_text(
        "Zubelan 40 mg/ml Suspension zum Einnehmen\n\nWie ist Zubelan einzunehmen?\n\nKinder mit 20 kg bis 29 "
        "kg nehmen 5 ml Zubelan. Zubelan wird dreimal am Tag eingenommen.\n\nSchwangerschaft\n\nNehmen Sie "
        "Zubelan in der Schwangerschaft nicht ein."
    )
    for path in (SAMPLE / "leaflets" / "Warfarin.pdf", own):
        assert own_workspace.library.ingest(path).state == "ready"
    session = own_workspace.chat.answer("Wie viel Zubelan für ein Kind mit 22 kg?").session
    for question, read_as in (
        ("wie oft am Tag?", "wie oft am Tag (Zubelan, für ein Kind, mit 22 kg)?"),
        ("und in der Schwangerschaft?", "und in der Schwangerschaft (Zubelan)?"),
        ("was tun bei Überdosierung?", "was tun bei Überdosierung (Zubelan)?"),
    ):
        assert how_read(own_workspace, question, session) == read_as
    then = own_workspace.chat.answer("und mit 35 kg?", session)
    assert then.read_as == "Wie viel Zubelan für ein Kind mit 35 kg?"


def test_another_illness_takes_the_place_of_the_one_before_beside_a_state(
    workspace: Workspace,
) -> None:
    asked = "Dosering metformine bij gordelroos bij een creatinineklaring van 35?"
    session = workspace.chat.answer(asked).session
    read = how_read(workspace, "en bij koortslip?", session)
    assert "bij koortslip bij een creatinineklaring van 35" in read and "gordelroos" not in read
