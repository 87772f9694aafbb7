"""From evidence to a checked answer: clauses, evidence, extractive answerer, language model, citations.

May import search, conversations and what lies below; never the workspace, the API or a page.
"""
