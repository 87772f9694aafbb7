"""What several pages use: state, style, text made safe, errors, colours of types."""
