"""Widgets that pages share. Text from documents, graph and models is escaped or shown as plain text."""
