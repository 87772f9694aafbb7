"""Where each setting came from, and which values are wrong: for the System page and the command line."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic import AliasChoices, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from core.settings import ENV_FILE, PREFIX, Settings, unknown_names

_SECRETS = Path(".streamlit") / "secrets.toml"


class SettingSource(StrEnum):
    """Where a value came from; the later ones win over the earlier."""

    DEFAULT = "default"
    ENV_FILE = ".env"
    STREAMLIT = ".streamlit/secrets.toml"
    ENVIRONMENT = "environment"
    START = "given at the start"
    PAGE = "chosen on the System page"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting.

    Attributes:
        name: ``MATERIA_TOP_K``.
        value: of a secret "set" or "not set".
        variable: the name under which it was given; empty for a default.
        problem: why its value cannot be used; empty where it can.
    """

    name: str
    value: str
    default: str
    source: SettingSource
    variable: str
    meaning: str
    problem: str = ""

    def fits(self, search: str) -> bool:
        """Whether all words stand in it."""
        text = (
            f"{self.name} {self.value} {self.source} {self.variable} {self.meaning} {self.problem}"
        )
        return all(word in text.casefold() for word in search.casefold().split())


@dataclass(frozen=True, slots=True)
class SettingsReport:
    """All settings, and names that look like settings and are none."""

    rows: tuple[SettingRow, ...]
    unknown: tuple[str, ...]


def inspect_settings(
    settings: Settings | None = None, chosen: Settings | None = None
) -> SettingsReport:
    """Every setting with its value.

    Args:
        settings: those in force; None: those of the environment and of `.env`, right or wrong.
        chosen: the same with what was chosen on the page since.
    """
    problems: dict[str, str] = {}
    if settings is None:
        settings, problems = _read()
    given = _Given()
    rows = []
    for name, field in Settings.model_fields.items():
        source, variable = given.source(_variables(name, field))
        value = None if settings is None else getattr(settings, name)
        if source is SettingSource.DEFAULT and settings is not None and value != field.default:
            source = SettingSource.START
        if chosen is not None and settings is not None and getattr(chosen, name) != value:
            source, value, variable = SettingSource.PAGE, getattr(chosen, name), ""
        secret = isinstance(field.default, SecretStr)
        problem = next((why for key, why in problems.items() if key in _keys(name, field)), "")
        if problem:
            shown = "not valid"
        elif settings is None:
            shown = given.shown(variable, secret) if variable else _shown(field.default)
        else:
            shown = _shown(value)
        rows.append(
            SettingRow(
                f"{PREFIX}{name.upper()}",
                shown,
                _shown(field.default),
                source,
                variable,
                field.description or "",
                problem,
            )
        )
    return SettingsReport(tuple(rows), tuple(unknown_names()))


def _read() -> tuple[Settings | None, dict[str, str]]:
    """The settings, or what is wrong by the name that it was given under; never a value, which could be a
    key."""
    try:
        return Settings(), {}  # type: ignore[call-arg]
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False)
        return None, {str(item["loc"][0]).upper(): str(item["msg"]) for item in found}


class _Given:
    """What environment and files say."""

    def __init__(self) -> None:
        self._environment = {name.upper(): value for name, value in os.environ.items() if value}
        file: Mapping[str, Any] = dotenv_values(ENV_FILE)
        self._file = {name.upper(): value for name, value in file.items() if value}
        self._secrets = _streamlit_secrets()

    def source(self, variables: Collection[str]) -> tuple[SettingSource, str]:
        """Where a setting's value comes from, and by which of its names."""
        for name in variables:
            if name in self._environment:
                own = self._secrets.get(name) == self._environment[name]
                return (SettingSource.STREAMLIT if own else SettingSource.ENVIRONMENT), name
        for name in variables:
            if name in self._file:
                return SettingSource.ENV_FILE, name
        return SettingSource.DEFAULT, ""

    def shown(self, variable: str, secret: bool) -> str:
        value = self._environment.get(variable) or str(self._file.get(variable, ""))
        return "set" if secret else value


def _streamlit_secrets() -> dict[str, str]:
    """What Streamlit puts into the environment of the dashboard: the file's values outside of its tables."""
    try:
        with _SECRETS.open("rb") as file:
            read = tomllib.load(file)
    except (OSError, ValueError):
        return {}
    return {name.upper(): str(value) for name, value in read.items() if not isinstance(value, dict)}


def _variables(name: str, field: FieldInfo) -> list[str]:
    """The names under which a setting may be given, the first wins."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [str(one).upper() for one in alias.choices]
    return [f"{PREFIX}{name}".upper()]


def _keys(name: str, field: FieldInfo) -> set[str]:
    return {name.upper(), *_variables(name, field)}


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return "set" if value.get_secret_value() else "not set"
    return "" if value is None else str(value)
