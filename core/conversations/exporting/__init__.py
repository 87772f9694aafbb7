"""Conversations as files: Markdown, PDF, Word and JSON; and JSON read in again.

A file is made for somebody who was not there and checks what was answered, and on what. May import what
`core.conversations` may, and `core.documents`, which knows the hashes of documents.
"""
