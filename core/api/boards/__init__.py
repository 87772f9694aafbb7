"""Boards over HTTP."""
