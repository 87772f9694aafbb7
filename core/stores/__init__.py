"""The stores that implement the protocols declared by documents, graph and conversations.

May import domain, settings, errors and logs; nothing above. No other package imports a store but
the workspace, which opens them.
"""
