"""How the processes that read files are started: forked from one that has its modules loaded."""
