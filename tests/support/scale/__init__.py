"""Servers that several processes of Materia share."""
