"""The chat panel: asking, answers, their evidence."""
