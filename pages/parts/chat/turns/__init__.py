"""An answered question in the panel, and what stands with it."""
