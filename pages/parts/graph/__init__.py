"""The explorer: canvas, search, filters, cards, paths."""
