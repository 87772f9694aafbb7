"""The library: documents in, looked at, out."""
