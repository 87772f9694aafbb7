"""Documents on their way from one index to another."""
