"""What both registries of documents have in common: rows, readings and refusals; only statements differ."""
