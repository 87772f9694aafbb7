"""What an answer came from: kept with it, so that it can be checked and asked again."""
