"""From evidence to an answer: the chat, statements quoted, a model's text, notices, confidence.

May import search, conversations and what lies below; never the workspace, the API or a page.
"""
