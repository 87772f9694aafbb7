"""Materia's services, free of any user interface.

The packages form layers (see docs/architecture.md); `lint-imports` keeps the arrows pointing down.
Nothing in here imports streamlit, and nothing heavy (torch, sentence_transformers, chromadb, openai)
is imported before the class that needs it is used.
"""

__version__ = "0.1.0"
