"""Boards: medicines side by side."""
