"""Whom a statement speaks of: the patients, people or an animal."""
