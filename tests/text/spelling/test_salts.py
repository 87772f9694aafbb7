"""Salts that German and Dutch write in one word with the substance."""

from __future__ import annotations

import pytest

from core.text.spelling.salts import parted_salts


@pytest.mark.parametrize(
    ("written", "parted"),
    [
        ("Metoprololsuccinat Lindau 95 mg", "Metoprolol succinat Lindau 95 mg"),
        ("Metforminehydrochloride", "Metformine hydrochloride"),
        ("Bisoprololfumaraat", "Bisoprolol fumaraat"),
        ("metoprolol succinate", "metoprolol succinate"),
        ("Succinat", "Succinat"),
        ("Isosorbide mononitrate", "Isosorbide mononitrate"),
        ("Sodium thiosulfate, polysulfate", "Sodium thiosulfate, polysulfate"),
        ("", ""),
    ],
)
def test_the_substance_stands_apart(written: str, parted: str) -> None:
    assert parted_salts(written) == parted
