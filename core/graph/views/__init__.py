"""Views of the graph that people name and keep, and what is told of a view in files."""
