"""Sentences that say the opposite of the passage they cite."""

from __future__ import annotations

import pytest

from core.checking.contradictions import contradicted


def opposite(said: str, *evidence: str, context: str = "") -> str:
    return contradicted(said, [(text, context) for text in evidence])


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        ("It should be taken with milk.", "It should not be taken with milk."),
        ("It should not be taken with milk.", "It should be taken with milk."),
        ("It is safe in pregnancy.", "It is contraindicated in pregnancy."),
        ("Alcohol is allowed during treatment.", "Avoid alcohol during treatment."),
        ("Warfarin lowers the effect of aspirin.", "Warfarin increases the effect of aspirin."),
        ("Swallow it without food.", "Swallow it with food."),
        ("Die Kapseln dürfen zerkaut werden.", "Die Kapseln dürfen nicht zerkaut werden."),
        ("It may be taken with milk.", "It may be taken with food but not with milk."),
        ("It is recommended in children.", "Use is not recommended in children."),
    ],
)
def test_the_opposite_is_seen_and_shown(said: str, evidence: str) -> None:
    assert opposite(said, evidence) == evidence


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        ("Store it below 25 °C.", "Do not store it above 25 °C."),
        ("It can be taken with food.", "It can be taken with or without food."),
        ("Older people should be watched.", "Older people need no other dose but should be watched."),
        ("Keep it from children.", "Keep it from children and do not store it above 25 °C."),
        ("It has little effect on driving.", "It has little or no effect on driving."),
        ("Take it only if your doctor says so.", "Do not take it unless your doctor says so."),
        ("Warfarin must not be used in pregnancy.", "Warfarin is contraindicated in pregnancy."),
        ("It may be taken with food.", "It may be taken with food but not with milk."),
        ("Take it with food.", "Take it with food and do not take it with milk."),
        ("Grass is green.", "The tablet must not be chewed."),
        ("", "The tablet must not be chewed."),
    ],
)  # fmt: skip
def test_a_paraphrase_is_no_contradiction(said: str, evidence: str) -> None:
    assert opposite(said, evidence) == ""


def test_one_of_two_like_sentences_may_agree() -> None:
    assert opposite("Take it with milk.", "Do not take it with milk.", "Take it with milk.") == ""


def test_what_a_passage_stands_under_tells_which_sentence_is_meant() -> None:
    lines = ("Rare: heartburn, nausea.", "Common: headache.")
    said = "Common side effects are heartburn and nausea."
    assert opposite(said, *lines, context="Side effects") == lines[0]


def test_a_long_sentence_is_shortened() -> None:
    long = f"Never take it with {'very ' * 60}hot milk."
    assert opposite("Take it with hot milk.", long).endswith(" …")


def test_the_parts_between_semicolons_are_read_each_for_itself() -> None:
    evidence = (
        "Omeprazole 20 mg should not be used at the same time; pantoprazole 40 mg may be used."
    )
    assert opposite("Omeprazole 20 mg may be used at the same time.", evidence)
    assert opposite("Pantoprazole 40 mg should not be used at the same time.", evidence)
    assert not opposite("Pantoprazole 40 mg may be used at the same time.", evidence)
    assert not opposite("Omeprazole 20 mg should not be used at the same time.", evidence)
