"""Files as objects of an S3-compatible store."""
