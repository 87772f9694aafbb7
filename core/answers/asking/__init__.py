"""How questions are let in: how much of what one may take, and how many are worked on at once."""
