"""Data that stands in files beside the module that reads it: tables of words and phrases, schemas."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def read_text(module: str, name: str) -> str:
    """A text file beside a module.

    Args:
        module: the module's ``__file__``.
    """
    return Path(module).with_name(name).read_text("utf-8")


def read_table(module: str, name: str) -> dict[str, Any]:
    """A TOML file beside a module, see `read_text`."""
    return tomllib.loads(read_text(module, name))


def any_of(alternatives: Iterable[str]) -> re.Pattern[str]:
    """A pattern, blind to case, of regular expressions of which any may match."""
    return re.compile("|".join(alternatives), re.IGNORECASE)
