"""Two documents of the library side by side; the address names them."""

from __future__ import annotations

from pages.parts.versions.compare import compare_page

compare_page()
