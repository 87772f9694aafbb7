"""What stands around the explorer's canvas: links, saved views, files, tables, asking about what is shown."""
