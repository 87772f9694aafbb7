"""Counts that add up, and the tables that show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

from rich import box
from rich.table import Table


@dataclass(slots=True)
class Summed:
    """What is counted of one part; those of several parts add up field by field."""

    def add(self, other: Self) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    @classmethod
    def of_all(cls, each: Iterable[Self]) -> Self:
        """The sum of all."""
        found = cls()
        for one in each:
            found.add(one)
        return found


def count_table(title: str, *columns: str) -> Table:
    """An empty table: names at the left, numbers at the right."""
    table = Table(title=title, box=box.SIMPLE_HEAD)
    table.add_column("", justify="left")
    for column in columns:
        table.add_column(column, justify="right")
    return table
