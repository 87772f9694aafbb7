"""What documents, search and answers ask of the stores: a protocol for each purpose."""
