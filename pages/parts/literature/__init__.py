"""The Literature page: papers and passages that a search found."""
