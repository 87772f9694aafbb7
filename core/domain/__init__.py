"""The records that all layers speak of: frozen dataclasses without behaviour of their own.

Imports nothing of the project. Stores read and write these; services hand them up; pages show them.
"""
