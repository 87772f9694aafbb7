"""A page to draw on."""

from __future__ import annotations

import fpdf
import pytest


@pytest.fixture
def pdf() -> fpdf.FPDF:
    document = fpdf.FPDF(unit="pt")
    document.set_font("Helvetica", size=11)
    document.add_page()
    return document
