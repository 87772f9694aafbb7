"""Sessions, turns and references to what was spoken of before.

May import domain, settings, errors, logs and graph; never the workspace, the API or a page.
"""
