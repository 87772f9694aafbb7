"""Tests of the Library page."""
