"""What each sentence of an answer rests on, found without a model."""
