"""Embedding models that implement `core.domain.encoder.Encoder`.

May import domain, settings, errors and logs. torch and sentence_transformers are imported inside
the class that needs them.
"""
