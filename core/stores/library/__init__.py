"""What the stores of documents, and those of conversations, have in common: rows, readings and refusals;
only statements differ."""
