-- The library's database, see schema.py.
CREATE TABLE indexes (
    name TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    generation INTEGER NOT NULL,
    deleting INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    "index" TEXT NOT NULL REFERENCES indexes (name),
    file TEXT NOT NULL,
    title TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('ingesting', 'ready', 'deleting')),
    created_at TEXT NOT NULL,
    metadata TEXT NOT NULL,
    kind TEXT NOT NULL,
    blank_pages INTEGER NOT NULL,
    ocr_pages INTEGER NOT NULL,
    UNIQUE ("index", sha256)
) STRICT;
CREATE INDEX documents_by_name ON documents ("index", file);
-- Every search counts the chunks that it looks through.
CREATE INDEX documents_by_state ON documents ("index", state, chunks);

-- Text without pages has the page number 0.
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
    "index" TEXT NOT NULL,
    position INTEGER NOT NULL,
    page INTEGER NOT NULL,
    section TEXT NOT NULL,
    heading TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    text TEXT NOT NULL,
    context TEXT NOT NULL,
    UNIQUE (document_id, position)
) STRICT;
CREATE INDEX chunks_by_index ON chunks ("index");

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

-- The entities themselves are in the graph, which may be imported anew or live elsewhere.
CREATE TABLE mentions (
    chunk_id TEXT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    entity_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (chunk_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_entity ON mentions (entity_id);

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

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
