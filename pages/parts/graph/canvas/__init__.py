"""The explorer's canvas: vis-network in a component of our own, what it is handed, what comes back."""
