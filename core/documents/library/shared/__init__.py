"""Originals that several processes share."""
