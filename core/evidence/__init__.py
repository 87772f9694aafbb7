"""What an answer may rest on: passages and facts for each clause, their relevance, the citations."""
