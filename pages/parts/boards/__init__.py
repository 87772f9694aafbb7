"""The Boards page: medicines side by side."""
