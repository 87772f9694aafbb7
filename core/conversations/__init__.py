"""Sessions, turns and references to what was spoken of before.

May import domain, settings, errors, logs and graph, `exporting` the documents too; never the workspace, the
API or a page.
"""
