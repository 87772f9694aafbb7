"""The last report: kept whole or not at all, and never a reason for System to break."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.evaluation.judging import judge
from core.evaluation.questions import Question
from core.evaluation.report import Report, last_report, make_report, report_to_public, save_report
from tests.evaluation.make import outcome, passage, told

_QUOTE = "At most 3,000 mg a day."


@pytest.fixture
def report() -> Report:
    good = Question(id="a", question="Q?", document="Metformin.pdf", pages=(3,), kind="leaflet")
    bad = Question(id="b", question="R?", answerable=False, kind="no", lang="de")
    answer = told(_QUOTE, [passage(1, _QUOTE)])
    verdicts = [judge(outcome(good, answer, ("Metformin.pdf", 3))), judge(outcome(bad, answer))]
    return make_report(
        "mine", verdicts, seconds=1.25, model="extractive", embedding_model="m", threshold=0.45
    )


def test_a_report_is_kept_and_read(tmp_path: Path, report: Report) -> None:
    assert last_report(tmp_path) is None
    place = save_report(report, tmp_path)
    assert place == tmp_path / "evaluation" / "last.json"
    assert last_report(tmp_path) == report
    save_report(report, tmp_path)
    assert [path.name for path in place.parent.iterdir()] == ["last.json"]


def test_its_problems_and_groups(report: Report) -> None:
    assert [problem.id for problem in report.problems] == ["b"]
    assert set(report.by_kind) == {"leaflet", "no"} and set(report.by_lang) == {"de"}
    assert report.scores.questions == 2


def test_public_values_are_plain_json(report: Report) -> None:
    public = json.loads(json.dumps(report_to_public(report)))
    assert public["scores"]["citation_precision"] == {"part": 1, "of": 1, "value": 1.0}
    assert public["scores"]["refusal_precision"] == {"part": 0, "of": 0, "value": None}
    assert public["by_kind"]["no"]["refusal_recall"]["value"] == 0.0
    assert public["problems"][0]["question"] == "R?" and public["made_at"].endswith("+00:00")


@pytest.mark.parametrize("content", [b"", b"{", b'{"questions": "x"}', b"\xff\xfe"])
def test_a_damaged_report_is_no_report(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "evaluation").mkdir()
    (tmp_path / "evaluation" / "last.json").write_bytes(content)
    assert last_report(tmp_path) is None


def test_a_failed_write_leaves_the_old_report(tmp_path: Path, report: Report) -> None:
    save_report(report, tmp_path)
    kept = tmp_path / "evaluation" / "last.json"
    before = kept.read_bytes()
    broken = tmp_path / "other"
    broken.write_text("a file where the folder should be")
    with pytest.raises(OSError):
        save_report(report, broken)
    assert kept.read_bytes() == before
