"""What documents say of adverse reactions: their blocks, frequencies and names, each read once."""
