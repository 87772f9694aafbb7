"""The graph on the command line."""
