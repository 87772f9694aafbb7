"""What is taken beside a medicine, or must not be."""
