"""How a question becomes a plan: names made whole, words read one by one into sets, and the end of it."""
