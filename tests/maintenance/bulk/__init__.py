"""Bulk ingestion, without a cluster."""
