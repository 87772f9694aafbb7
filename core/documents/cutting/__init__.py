"""Pages become sections and chunks."""
