"""The System page: the language model, the last evaluation."""
