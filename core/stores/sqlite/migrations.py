"""The schema's history: script n brings a database from version n - 1 to version n.

Scripts are never edited once released; a change is a new script at the end.
"""

from __future__ import annotations

_V1 = """
CREATE TABLE indexes (
    name TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    index_name TEXT NOT NULL REFERENCES indexes (name),
    file TEXT NOT NULL,
    title TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('ingesting', 'ready', 'deleting')),
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (index_name, sha256)
) STRICT;

CREATE TABLE pages (
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    index_name TEXT NOT NULL,
    position INTEGER NOT NULL,
    page INTEGER NOT NULL,
    section TEXT NOT NULL,
    heading TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    context TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (document_id, position)
) STRICT;
CREATE INDEX chunks_by_index ON chunks (index_name);

CREATE VIRTUAL TABLE chunks_text USING fts5 (
    context, text, content = 'chunks', content_rowid = 'row', tokenize = 'porter unicode61'
);
CREATE TRIGGER chunks_added AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_text (rowid, context, text) VALUES (new.row, new.context, new.text);
END;
CREATE TRIGGER chunks_removed AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_text (chunks_text, rowid, context, text)
    VALUES ('delete', old.row, old.context, old.text);
END;

CREATE TABLE mentions (
    chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    entity_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (chunk_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_entity ON mentions (entity_id);

CREATE TABLE entities (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    synonyms TEXT NOT NULL,
    properties TEXT NOT NULL,
    degree INTEGER NOT NULL,
    importance REAL NOT NULL
) STRICT;
CREATE INDEX entities_by_type ON entities (type, importance DESC);

CREATE TABLE entity_names (
    row INTEGER PRIMARY KEY,
    entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    is_main INTEGER NOT NULL
) STRICT;
CREATE INDEX entity_names_by_key ON entity_names (key);
CREATE INDEX entity_names_by_entity ON entity_names (entity_id);

CREATE TABLE relationships (
    row INTEGER PRIMARY KEY,
    source TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    target TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    properties TEXT NOT NULL,
    UNIQUE (source, type, target)
) STRICT;
CREATE INDEX relationships_by_target ON relationships (target, source);

-- Each entity's relationships in order of the neighbour's importance, so that "the 25 most important
-- neighbours" is a range scan that costs the same for a hub as for a leaf.
CREATE TABLE neighbours (
    entity_id TEXT NOT NULL,
    rank INTEGER NOT NULL,
    neighbour_id TEXT NOT NULL,
    relationship INTEGER NOT NULL,
    PRIMARY KEY (entity_id, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE users (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO users (id) VALUES ('analyst');

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (session_id, position)
) STRICT;

CREATE TABLE answers (
    question_id TEXT PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    payload TEXT NOT NULL
) STRICT;
"""

_V2 = """
ALTER TABLE indexes ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE indexes ADD COLUMN deleting INTEGER NOT NULL DEFAULT 0;

ALTER TABLE documents ADD COLUMN kind TEXT NOT NULL DEFAULT 'pdf';
ALTER TABLE documents ADD COLUMN blank_pages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN ocr_pages INTEGER NOT NULL DEFAULT 0;
CREATE INDEX documents_by_name ON documents (index_name, file);

-- Text without pages has the page number 0; an abstract had 1.
UPDATE documents SET kind = 'abstract', pages = 0 WHERE index_name = 'abstracts';
UPDATE pages SET number = 0
WHERE document_id IN (SELECT id FROM documents WHERE kind = 'abstract');
UPDATE chunks SET page = 0
WHERE document_id IN (SELECT id FROM documents WHERE kind = 'abstract');

CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    params TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    items TEXT NOT NULL,
    message TEXT NOT NULL,
    code TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    submitted REAL NOT NULL,
    seconds REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""

# Each import of a graph is a file of its own now. What an older Materia imported is kept under other
# names until it has become such a file; names and neighbours follow from it.
_V3 = """
DROP TABLE neighbours;
DROP TABLE entity_names;
DROP INDEX relationships_by_target;
DROP INDEX entities_by_type;
ALTER TABLE relationships RENAME TO old_relationships;
ALTER TABLE entities RENAME TO old_entities;
DELETE FROM counters WHERE name = 'graph_version';
"""

# Every search counts the chunks that it looked through.
_V4 = """
CREATE INDEX documents_by_state ON documents (index_name, state, chunks);
"""

MIGRATIONS: tuple[str, ...] = (_V1, _V2, _V3, _V4)
