"""The page on which the API is read and tried."""
