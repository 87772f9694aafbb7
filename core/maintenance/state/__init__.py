"""What one asks in trouble: how the parts are, which errors the log has, where settings come from."""
