"""The kind of question that one to the graph is most like, where its words are not all understood."""
