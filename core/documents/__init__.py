"""A file becomes pages, sections and chunks; ingestion, the registry, deletion.

May import domain, settings, errors and logs; never stores, search or answers. Kept light: the child
process that reads PDFs imports this package.
"""
