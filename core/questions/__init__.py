"""A question read: its clauses, sections asked for, relationships asked for, what "it" means."""
