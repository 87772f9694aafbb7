"""Statements as the model reads them: kept from one question to the next, and read ahead of the first."""
