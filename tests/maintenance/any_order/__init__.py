"""Everything that changes a library, in any order, while processes are killed and servers come and go."""
