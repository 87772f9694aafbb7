"""Signal board and interaction matrix: computed from library and graph at each request."""
