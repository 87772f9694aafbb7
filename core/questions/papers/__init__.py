"""Questions on papers."""
