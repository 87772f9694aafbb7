"""Entities and relationships: import, names found in text, expansion, layout.

May import domain, settings, errors and logs; never stores, documents, search or answers.
"""
