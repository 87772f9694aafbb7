"""Words that are built like a medicine's nonproprietary name."""

from __future__ import annotations

from core.resources import any_of, read_table

_TABLE = read_table(__file__, "name_stems.toml")
NAME_STEMS = any_of(
    [
        rf"[^\W\d_]*(?:{'|'.join(_TABLE['stems'])})",
        rf"co-(?:{'|'.join(_TABLE['compound'])})",
    ]
)
"""Matches a whole word with the stem of one, or the name of a compound ("co-codamol")."""
