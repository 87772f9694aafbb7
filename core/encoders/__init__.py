"""Embedding models that implement `core.documents.encoder.Encoder`.

May import domain, settings, errors and logs. torch and sentence_transformers are imported inside
the class that needs them.
"""
