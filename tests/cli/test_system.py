"""Backup, restoration and settings on the command line."""

from __future__ import annotations

from core.writer_lock import take_lock
from tests.cli.runner import CommandLine, Ended, check_failure, the_json


def test_a_backup_beside_the_dashboard_comes_back_elsewhere(
    cli: CommandLine, ingested: Ended
) -> None:
    lock = take_lock(cli.data)  # as a running dashboard has it
    place, elsewhere = cli.folder / "kept.zip", str(cli.folder / "elsewhere")
    try:
        made = the_json(cli.run("backup", str(place), "--json"))
        check_failure(cli.run("backup", str(place)), "FILE_EXISTS")
        check_failure(cli.run("restore", str(place), "--yes"), "LIBRARY_IN_USE")
    finally:
        lock.release()
    there = the_json(cli.run("documents", "--json"))
    assert made["counts"]["documents"] == len(there["documents"]) and made["bytes"] > 1_000
    restored = cli.run("restore", str(place), MATERIA_DATA_DIR=elsewhere)
    assert restored.returncode == 0 and "Restored: " in restored.stdout, restored.stderr
    assert the_json(cli.run("documents", "--json", MATERIA_DATA_DIR=elsewhere)) == there
    again = cli.run("restore", str(place), MATERIA_DATA_DIR=elsewhere)
    assert again.returncode == 2, "there is nobody to ask whether what is there may go"
    assert cli.run("verify", MATERIA_DATA_DIR=elsewhere).returncode == 0
    check_failure(cli.run("restore", "nothing.zip", "--yes"), "BACKUP_NOT_FOUND")


def test_settings_tell_their_source_and_what_is_wrong(cli: CommandLine) -> None:
    told = cli.run("settings", "top_k", MATERIA_TOP_K="7")
    assert told.stdout.strip() == "MATERIA_TOP_K=7  (environment)" and told.returncode == 0
    wrong = cli.run("settings", "top_k", MATERIA_TOP_K="sk-secret", MATERIA_TOPK="1")
    assert wrong.returncode == 1 and "WRONG" in wrong.stdout and "sk-secret" not in wrong.stdout
    assert "MATERIA_TOPK is no setting" in wrong.stderr
    rows = the_json(cli.run("settings", "--json", OPENAI_API_KEY="sk-secret"))["settings"]
    (key,) = (row for row in rows if row["name"] == "MATERIA_LLM_API_KEY")
    assert (key["value"], key["variable"]) == ("set", "OPENAI_API_KEY")
