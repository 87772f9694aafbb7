"""What of an entity is embedded, and when."""
