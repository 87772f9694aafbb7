"""Rows that no rule parts, told by the space around them, their lines, or the order in which they are drawn."""
