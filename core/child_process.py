"""How Materia starts processes of its own: in its folder, with what Python needs and without any key."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_PASSED_ON = frozenset(
    {"PATH", "LANG", "HOME", "USERPROFILE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"}
    | {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV", "TESSDATA_PREFIX"}
)
_PASSED_ON_PREFIXES = ("PYTHON", "LC_")


def module_command(module: str, *arguments: str) -> list[str]:
    """What runs a module in a Python like this one; with `ROOT` as the working folder."""
    return [sys.executable, "-P", "-X", "utf8", "-m", module, *arguments]


def child_environment() -> dict[str, str]:
    """The environment of such a process."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }
    before = passed.get("PYTHONPATH", "")
    return passed | {"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), before)))}
