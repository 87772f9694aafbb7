"""A page to lay tables on."""

from __future__ import annotations

import fpdf
import pytest


@pytest.fixture
def pdf() -> fpdf.FPDF:
    document = fpdf.FPDF()
    document.set_font("Helvetica", size=11)
    document.add_page()
    return document
