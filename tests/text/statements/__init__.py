"""Text cut into statements."""
