-- Views of the graph that people named and kept; `view` is JSON. See schema.py.
CREATE TABLE graph_views (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    view TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX graph_views_by_user ON graph_views (user_id, name);
