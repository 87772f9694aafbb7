"""Parts of the history page."""
