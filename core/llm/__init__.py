"""Language models behind OpenAI-compatible endpoints: choice, streaming, errors, prices."""
