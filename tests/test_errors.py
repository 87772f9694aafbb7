"""One tree of errors, as its module's docstring draws it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from core import errors
from core.errors import MateriaError


def below(kind: type[MateriaError]) -> Iterator[type[MateriaError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from below(child)


def drawn() -> dict[str, int]:
    """Name -> HTTP status as the docstring draws the tree."""
    lines = re.findall(r"^[│├└─ ]*([A-Z]\w+)\s+(\d{3})", str(errors.__doc__), re.MULTILINE)
    return {name: int(status) for name, status in lines}


def test_the_drawn_tree_is_the_real_one() -> None:
    assert drawn() == {kind.__name__: kind.status for kind in (MateriaError, *below(MateriaError))}


@pytest.mark.parametrize("kind", [MateriaError, *below(MateriaError)])
def test_what_an_error_says(kind: type[MateriaError]) -> None:
    plain = kind("It broke.")
    assert str(plain) == "It broke." and plain.advice == "" and plain.retryable is False
    assert re.fullmatch(r"[A-Z][A-Z_]+", plain.code) and plain.code == kind.default_code
    full = kind("It broke.", advice="Mend it.", code="BROKEN", retryable=True)
    assert str(full) == "It broke. Mend it." and full.message == "It broke."
    assert (full.code, full.retryable) == ("BROKEN", True)
    assert kind.default_code == plain.code, "an error's own code must not change its class"


def test_codes_differ() -> None:
    codes = [kind.default_code for kind in (MateriaError, *below(MateriaError))]
    assert len(set(codes)) == len(codes)
