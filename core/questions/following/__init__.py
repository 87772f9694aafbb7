"""Questions that go on with a conversation."""
