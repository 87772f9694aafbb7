"""A file becomes pages of text, in a child process with limits."""
