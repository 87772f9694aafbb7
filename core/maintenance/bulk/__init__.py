"""Many files into a library, read and embedded on the machines of a Ray cluster."""
