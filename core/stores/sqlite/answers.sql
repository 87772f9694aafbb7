-- What kept answers speak of and rest on, how they were rated, how conversations are marked; see schema.py.
ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE answers ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;

-- An entity, or a document, may be gone: the answer still speaks of it.
CREATE TABLE answer_mentions (
    entity_id TEXT NOT NULL,
    question_id TEXT NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    named INTEGER NOT NULL,
    PRIMARY KEY (entity_id, question_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_mentions_by_answer ON answer_mentions (question_id);

CREATE TABLE answer_sources (
    document_id TEXT NOT NULL,
    question_id TEXT NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    cited INTEGER NOT NULL,
    quoted INTEGER NOT NULL,
    PRIMARY KEY (document_id, question_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_sources_by_answer ON answer_sources (question_id);

CREATE TABLE feedback (
    question_id TEXT PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
    rating TEXT NOT NULL CHECK (rating IN ('up', 'down')),
    fault TEXT,
    comment TEXT NOT NULL,
    rated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE summaries (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    made_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Documents whose text is to be taken out of kept answers; a row goes when that is done.
CREATE TABLE quotes_to_remove (document_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Answers from before these tables; one that is no JSON stays as it is.
UPDATE answers SET refused = 1 WHERE json_valid(payload) AND json_extract(payload, '$.refused');
INSERT INTO answer_mentions (entity_id, question_id, type, name, named)
SELECT json_extract(entity.value, '$.id'), question_id, json_extract(entity.value, '$.type'),
    json_extract(entity.value, '$.name'),
    max(json_extract(entity.value, '$.reason') = 'named in the question')
FROM (SELECT question_id, payload FROM answers WHERE json_valid(payload)) AS valid,
    json_each(valid.payload, '$.entities') AS entity
GROUP BY 1, 2;
INSERT INTO answer_sources (document_id, question_id, file, cited, quoted)
SELECT document_id, question_id, file, max(cited), max(quoted) FROM (
    SELECT json_extract(one.value, '$.document_id') AS document_id, question_id,
        json_extract(one.value, '$.file') AS file, 1 AS cited,
        json_extract(one.value, '$.quote') <> '' AS quoted
    FROM (SELECT question_id, payload FROM answers WHERE json_valid(payload)) AS valid,
        json_each(valid.payload, '$.citations') AS one
    WHERE json_extract(one.value, '$.kind') = 'document'
    UNION ALL
    SELECT json_extract(one.value, '$.document_id'), question_id,
        json_extract(one.value, '$.file'), 0, json_extract(one.value, '$.quote') <> ''
    FROM (SELECT question_id, payload FROM answers WHERE json_valid(payload)) AS valid,
        json_each(valid.payload, '$.nearest') AS one
)
GROUP BY 1, 2;
