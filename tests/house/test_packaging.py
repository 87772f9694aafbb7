"""pyproject.toml says what is needed, requirements.txt which versions: both agree."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from deploy.pins import pins

ROOT = Path(__file__).resolve().parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")


def pinned(text: str) -> dict[str, Version]:
    """Package -> version, in the order of the lines."""
    lines = (line.partition("#")[0].partition(";")[0].strip() for line in text.splitlines())
    pairs = (line.split("==") for line in lines if line)
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def needed() -> list[Requirement]:
    about = tomllib.loads(PROJECT)["project"]
    groups = [about["dependencies"], *about["optional-dependencies"].values()]
    return [Requirement(one) for group in groups for one in group]


def test_every_dependency_is_pinned_at_a_version_that_will_do() -> None:
    versions = pinned((ROOT / "requirements.txt").read_text("utf-8"))
    assert len(needed()) > 40
    wrong = [
        str(one)
        for one in needed()
        if (version := versions.get(canonicalize_name(one.name))) is None
        or version not in one.specifier
    ]
    assert not wrong


def test_torch_is_pinned_first() -> None:
    assert next(iter(pinned((ROOT / "requirements.txt").read_text("utf-8")))) == "torch"


def test_pins_are_made_of_what_pip_resolved() -> None:
    resolved = {one.name: f"{min(one.specifier, key=str).version}.0" for one in needed()}
    resolved |= {"torch": "2.13.0+cpu", "uvloop": "0.23.0", "Some_Thing": "1", "materia": "0.1.0"}
    resolved |= {"nvidia-nccl-cu13": "2.29", "triton": "3.8"}
    report = {"install": [{"metadata": {"name": n, "version": v}} for n, v in resolved.items()]}
    made = pins(json.dumps(report), PROJECT)
    versions = pinned(made)
    assert next(iter(versions)) == "torch" and versions["torch"] == Version("2.13.0")
    left_out = {"materia", "nvidia-nccl-cu13", "triton"}
    assert set(versions) == {canonicalize_name(name) for name in resolved} - left_out
    assert 'uvloop==0.23.0 ; sys_platform != "win32"' in made.splitlines()
    assert "some-thing==1" in made.splitlines()
