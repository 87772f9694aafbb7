"""What an analyst sees of the graph, as records that are kept."""
