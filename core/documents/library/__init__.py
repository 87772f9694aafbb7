"""Documents and indexes in and out, every trace accounted for."""
