"""The house rules that no linter here knows: sizes of files and folders, one home for every name."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_MODULE = 400  # lines
FULLEST_FOLDER = 15  # Python files beside each other
PACKAGES = ("core", "pages")


@cache
def _modules() -> dict[str, ast.Module]:
    """Every module of the product and its tests by its dotted name."""
    found = {}
    for package in (*PACKAGES, "bench", "tests"):
        for path in (ROOT / package).rglob("*.py"):
            if ".venv" in path.parts:
                continue
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    return found


def _read(tree: ast.Module) -> tuple[list[ast.ImportFrom], set[str]]:
    """What a module imports by name, and the names that it only imports and does not define itself."""
    froms, imported, defined = [], set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.Name():
                if isinstance(node.ctx, ast.Store):
                    defined.add(node.id)
            case ast.ImportFrom() | ast.Import():
                imported |= {alias.asname or alias.name for alias in node.names}
                if isinstance(node, ast.ImportFrom):
                    froms.append(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                defined.add(node.name)
    return froms, imported - defined


def test_no_module_of_the_product_is_long() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if (count := len(path.read_text("utf-8").splitlines())) > LONGEST_MODULE
    }
    assert not long


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_no_folder_is_crowded(package: str) -> None:
    crowded = {
        str(folder.relative_to(ROOT)): count
        for folder in (ROOT / package, *(ROOT / package).rglob("*"))
        if folder.is_dir() and (count := len(list(folder.glob("*.py")))) > FULLEST_FOLDER
    }
    assert not crowded


def test_every_name_is_imported_from_the_module_that_defines_it() -> None:
    modules = _modules()
    read = {name: _read(tree) for name, tree in modules.items()}
    borrowed = [
        f"{importer}: {node.module}.{alias.name}"
        for importer, (froms, _) in read.items()
        for node in froms
        if node.module in modules
        for alias in node.names
        if alias.name in read[node.module][1] and f"{node.module}.{alias.name}" not in modules
    ]
    assert not borrowed


def test_no_two_public_classes_of_core_have_one_name() -> None:
    homes = defaultdict(list)
    for module, tree in _modules().items():
        if module.partition(".")[0] == "core":
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(module)
    assert not {name: where for name, where in homes.items() if len(where) > 1}
