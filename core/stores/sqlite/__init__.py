"""The embedded store: registry, full text, graph and conversations in SQLite files.

`Database` opens a file and runs migrations; the other modules each implement one protocol on it.
"""
