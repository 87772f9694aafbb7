"""Which medicines a question names, and which of them are told of."""
