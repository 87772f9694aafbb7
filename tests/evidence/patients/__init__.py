"""Of whom and of what a statement is said."""
