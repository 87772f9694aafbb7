"""Tables told by the rules of a page, and by its areas of colour."""
