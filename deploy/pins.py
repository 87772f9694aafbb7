"""`make pins`: requirements.txt from what pip resolves for pyproject.toml.

Reads pip's installation report from standard input and prints the pins.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

_HEAD = """\
# Made from pyproject.toml by `make pins`.
# PyTorch first: what follows then takes this build and nothing pulls another one.
# Any build of this version will do; README says how to get the small CPU-only one."""
# What PyTorch's usual build brings for graphics cards; its CPU-only build must not be made to.
_FOR_GPUS = ("nvidia-", "cuda-", "triton")
# The report is made on one system; these packages do not exist on every other.
_MARKERS = {"uvloop": ' ; sys_platform != "win32"'}


def pins(report: str, project: str) -> str:
    """Text of requirements.txt: torch, then what the project names, then what these need.

    Args:
        report: JSON of ``pip install --report``.
        project: text of pyproject.toml.
    """
    versions = {
        _normal(item["metadata"]["name"]): item["metadata"]["version"].partition("+")[0]
        for item in json.loads(report)["install"]
        if not item["metadata"]["name"].startswith(_FOR_GPUS)
    }
    about = tomllib.loads(project)["project"]
    versions.pop(_normal(about["name"]), None)
    groups = [about["dependencies"], *about["optional-dependencies"].values()]
    named = {_normal(re.split(r"[^\w.-]", one)[0]) for group in groups for one in group} - {"torch"}
    return "\n".join(
        [
            _HEAD,
            *_lines(versions, ["torch"]),
            "\n# Named in pyproject.toml",
            *_lines(versions, named),
            "\n# What the packages above need, pinned so that every install is the same",
            *_lines(versions, versions.keys() - named - {"torch"}),
            "",
        ]
    )


def _lines(versions: dict[str, str], names: Iterable[str]) -> list[str]:
    return [f"{name}=={versions[name]}{_MARKERS.get(name, '')}" for name in sorted(names)]


def _normal(name: str) -> str:
    """A package's name as PEP 503 writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.stdout.write(pins(sys.stdin.read(), Path("pyproject.toml").read_text("utf-8")))
