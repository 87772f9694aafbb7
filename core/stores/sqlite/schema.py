"""The tables of the library's database, and the scripts that bring an earlier version to them.

Script n brings a database from version n - 1 to version n; the first makes the tables. A script is never
edited once it is released: a change is a new one at the end.
"""

from __future__ import annotations

from core.resources import read_text

# The file's application_id: what has another one, or none, is no database of this history.
APPLICATION_ID = 0x4D617465  # "Mate"

MIGRATIONS: tuple[str, ...] = (
    read_text(__file__, "tables.sql"),
    "ALTER TABLE documents ADD COLUMN orders INTEGER NOT NULL DEFAULT -1;",
    "ALTER TABLE documents ADD COLUMN corrections INTEGER NOT NULL DEFAULT 0;",
    read_text(__file__, "answers.sql"),
    read_text(__file__, "pairs.sql"),
    read_text(__file__, "installation.sql"),
    # What an index was called before: kept answers, scopes and links may still name it so.
    "CREATE TABLE index_names (earlier TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;",
    read_text(__file__, "views.sql"),
    "ALTER TABLE documents ADD COLUMN products TEXT NOT NULL DEFAULT '[]';",
    read_text(__file__, "words.sql"),
    read_text(__file__, "word_counts.sql"),
    read_text(__file__, "index_counts.sql"),
    read_text(__file__, "about.sql"),
    read_text(__file__, "states.sql"),
)
