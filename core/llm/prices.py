"""What a language model's tokens cost, as far as it is known."""

from __future__ import annotations

from core.domain.answers import Usage
from core.settings import Settings

PRICES_CHECKED = "2026-05"
# US dollars for a million tokens of prompt and of answer: list prices, without discounts for cached
# prompts (so a bill may be lower). DeepSeek's depend on the hour; it has no place in such a table.
PRICES: dict[str, tuple[float, float]] = {
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4o": (2.50, 10.00),
    "gemini-2.0-flash": (0.10, 0.40),
    "gemini-2.5-flash": (0.30, 2.50),
}
_MILLION = 1_000_000


def usage(settings: Settings, prompt: int, completion: int, *, counted: bool) -> Usage:
    """What a call used, in tokens, and its cost in US dollars when the price is known.

    The prices in the settings win; only with both of them, because half a price is a wrong one. The
    table's are for the providers' own endpoints: another one may charge something else.
    """
    price: tuple[float, float] | None = None
    if settings.llm_price_in is not None and settings.llm_price_out is not None:
        price = (settings.llm_price_in, settings.llm_price_out)
    elif not settings.llm_base_url:
        price = PRICES.get(settings.chat_model.removeprefix("models/"))
    cost = None
    if price is not None:
        cost = (prompt * price[0] + completion * price[1]) / _MILLION
    return Usage(prompt, completion, cost, counted)
