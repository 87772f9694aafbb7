"""A process that is killed while a restored folder takes its place: old, or in the end new."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from core.errors import Conflict
from core.maintenance.backup import swap
from core.maintenance.backup.writing import clear_interrupted

_OLD = {"materia.db": "old", "materia.db-wal": "old", "chroma/a": "old", "files/1.pdf": "old"}
_NEW = {"materia.db": "new", "chroma/b": "new", "files/2.pdf": "new", "graph/1.db": "new"}
_STAYS = {"logs/materia.log": "log", "backups/x.zip": "kept", "notes.txt": "foreign"}
# Completes a restoration, and kills itself at the given step: before a name is moved, or a note is written.
_KILLED = """
import os, signal, sys
from pathlib import Path
left = int(sys.argv[2])
def counting(real):
    def counted(*given):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given)
    return counted
from core.maintenance.backup import swap
Path.rename, Path.replace = counting(Path.rename), counting(Path.replace)
swap.shutil.rmtree = counting(swap.shutil.rmtree)
swap.complete(Path(sys.argv[1]))
"""


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def found(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in root.rglob("*")
        if path.is_file() and swap.FOLDER not in path.relative_to(root).parts
    }


def staged(root: Path) -> Path:
    put(root, _OLD | _STAYS)
    put(root / swap.FOLDER / swap.NEW, _NEW)
    swap.note(root, {"phase": swap.STAGED})
    return root


def test_killed_at_any_step_it_ends_as_the_new_folder(tmp_path: Path) -> None:
    steps = 0
    while True:
        root = staged(tmp_path / str(steps))
        command = [sys.executable, "-c", _KILLED, str(root), str(steps)]
        ended = subprocess.run(command, check=False, capture_output=True, timeout=120)
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        if swap.is_staged(root):
            assert found(root) == _OLD | _STAYS, "nothing was moved before it was noted"
        swap.complete(root)
        assert found(root) == _NEW | _STAYS
        assert not (root / swap.FOLDER).exists()
        steps += 1
    assert steps >= 9 and found(root) == _NEW | _STAYS
    assert swap.complete(root) == {}, "once"


def test_what_was_not_staged_is_cleared(tmp_path: Path) -> None:
    put(tmp_path, _OLD)
    put(tmp_path / swap.FOLDER / swap.NEW, _NEW)
    swap.note(tmp_path, {"phase": swap.FILLING})
    assert swap.complete(tmp_path)["phase"] == swap.FILLING
    assert found(tmp_path) == _OLD and not (tmp_path / swap.FOLDER).exists()


def test_who_only_reads_waits_for_the_swap(tmp_path: Path) -> None:
    root = staged(tmp_path)
    swap.refuse_in_the_middle(root)
    swap.note(root, {"phase": "aside"})
    for refused in (swap.refuse_in_the_middle, swap.discard):
        with pytest.raises(Conflict) as caught:
            refused(root)
        assert caught.value.code == "RESTORE_UNFINISHED"
    swap.note(root, {"phase": swap.STAGED})
    swap.discard(root)
    assert found(root) == _OLD | _STAYS and swap.complete(root) == {}


def test_what_a_killed_backup_left_is_cleared_unless_one_is_being_made(tmp_path: Path) -> None:
    place = tmp_path / "backups"
    kept = {"materia-2026-11-23-101010.zip": "whole", "notes.txt": "foreign", ".x.part": "foreign"}
    put(place, kept | {"snapshot-a/files/1.pdf": "text", ".materia-2026-11-23-101011.zip.part": ""})
    with FileLock(place / ".lock"):
        clear_interrupted(tmp_path)
        assert (place / "snapshot-a").exists()
    clear_interrupted(tmp_path)
    assert {path.name for path in place.iterdir()} - {".lock"} == set(kept)
    clear_interrupted(tmp_path / "none")
