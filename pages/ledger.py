"""Every claim of a conversation with what it rests on; the address names the conversation."""

from __future__ import annotations

from pages.parts.history.ledger import ledger_page

ledger_page()
