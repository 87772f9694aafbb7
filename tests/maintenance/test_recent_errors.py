"""Errors found in the log by their id, without what the log may not tell."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.logs import LOG_NAME, configure, correlation, get_logger
from core.maintenance.state.recent_errors import MOST, errors_with, latest_errors


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    configure(tmp_path, "INFO")
    yield tmp_path
    root = logging.getLogger("materia")
    for handler in root.handlers[:]:
        root.removeHandler(handler)
        handler.close()


def test_errors_are_found_by_id_and_the_latest_without_one(log: Path) -> None:
    logger = get_logger("jobs")
    with correlation("abc123def456"):
        logger.info("routed", query_type="exact")
        logger.warning(
            "job_failed", code="DISK_FULL", message="The disk is full.", text="a leaflet's text"
        )
    with correlation("0123456789ab"):
        try:
            raise ValueError("sk-proj-AbCdEf0123456789 in a leaflet's text")
        except ValueError:
            logger.exception("job_crashed")
    latest = latest_errors(log)
    assert [one.correlation_id for one in latest] == ["0123456789ab", "abc123def456"]
    assert (latest[1].code, latest[1].what) == ("DISK_FULL", "The disk is full.")
    assert latest[1].where == "job failed" and "inside Materia" in latest[0].what
    assert "leaflet" not in repr(latest) and "sk-proj" not in repr(latest)
    found = errors_with(log, " abc123def456 ")
    assert [one.level for one in found] == ["info", "warning"]
    assert errors_with(log, "abc1") == []
    for wrong in ("", "a", "../etc", '"level"', "x" * 65):
        with pytest.raises(InputError) as caught:
            errors_with(log, wrong)
        assert caught.value.code == "INVALID_CORRELATION_ID"


def test_rotated_logs_and_broken_lines_are_read_to_a_limit(tmp_path: Path) -> None:
    def line(number: int, wanted: str = "") -> str:
        fields = {"event": "x", "level": "warning", "timestamp": f"{number}"}
        return json.dumps({**fields, "correlation_id": wanted or f"id-{number}"})

    (tmp_path / f"{LOG_NAME}.1").write_text("\n".join(line(n, "wanted-id") for n in range(3)))
    broken = ["", "{", "[1]", '"x"', "\x00\xff", "{" * 30_000, json.dumps({"level": "warning"})]
    lines = [*(line(n) for n in range(20_000)), *broken, line(20_000), "half of a li"]
    (tmp_path / LOG_NAME).write_text("\n".join(lines), encoding="utf-8")
    latest = latest_errors(tmp_path)
    assert len(latest) == MOST and latest[0].correlation_id == "id-20000"
    assert len(errors_with(tmp_path, "wanted-id")) == 3, (
        "in an earlier log, behind the limit of the latest"
    )
    assert latest_errors(tmp_path / "none") == []
