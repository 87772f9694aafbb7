-- Chunks of the ready documents of an index: each search asks for them.
CREATE TABLE index_counts ("index" TEXT PRIMARY KEY, chunks INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO index_counts ("index", chunks)
SELECT "index", sum(chunks) FROM documents WHERE state = 'ready' GROUP BY "index";

CREATE TRIGGER documents_counted_in AFTER INSERT ON documents WHEN new.state = 'ready' BEGIN
    INSERT INTO index_counts ("index", chunks) VALUES (new."index", new.chunks)
    ON CONFLICT ("index") DO UPDATE SET chunks = chunks + excluded.chunks;
END;

CREATE TRIGGER documents_counted_out AFTER DELETE ON documents WHEN old.state = 'ready' BEGIN
    UPDATE index_counts SET chunks = chunks - old.chunks WHERE "index" = old."index";
END;

CREATE TRIGGER documents_counted_anew AFTER UPDATE OF "index", state, chunks ON documents BEGIN
    UPDATE index_counts SET chunks = chunks - old.chunks WHERE "index" = old."index" AND old.state = 'ready';
    INSERT INTO index_counts ("index", chunks) SELECT new."index", new.chunks WHERE new.state = 'ready'
    ON CONFLICT ("index") DO UPDATE SET chunks = chunks + excluded.chunks;
END;
