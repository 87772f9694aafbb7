"""Plans that are corrected: what could be meant instead, and whether the graph allows it."""
