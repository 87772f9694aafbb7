"""Work on the library in the background, in a queue that outlives the process."""
