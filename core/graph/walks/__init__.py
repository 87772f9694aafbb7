"""Ways through the graph: expansion and paths over its connections in memory."""
