"""Pictures of pages: the part around a passage, marks, and those that are kept."""
