"""The explorer: canvas, controls, cards, paths."""
