"""A question read: its clauses, the sections and relationships each asks for, what "it" means."""
