-- Embeddings of questions with their answers, float32; `model` is what made them. See schema.py.
CREATE TABLE pair_vectors (
    question_id TEXT PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;
