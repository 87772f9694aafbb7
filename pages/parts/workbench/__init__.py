"""What stands around the explorer's canvas: links, saved views, files, a table, the chat about what is shown."""
