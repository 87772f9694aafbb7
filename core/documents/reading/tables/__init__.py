"""Tables of a PDF page, found from its rules and from where its words stand."""
