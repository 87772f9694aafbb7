"""From a question to ranked passages: routing, dense and lexical candidates, fusion.

May import documents, graph and what lies below; never answers or conversations.
"""
