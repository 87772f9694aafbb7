-- Where words stand takes the place of FTS5's own index, see core/stores/sqlite/words.
DROP TRIGGER chunks_added;
DROP TRIGGER chunks_removed;
DROP TABLE chunks_text;

-- Of 4,096 rows of chunks each; `lengths` has the words of each row and 1, in 16 bits, 0 where there is no passage.
CREATE TABLE text_parts (
    part INTEGER PRIMARY KEY,
    passages INTEGER NOT NULL,
    words INTEGER NOT NULL,
    lengths BLOB NOT NULL
) STRICT;

-- key: the part, and 48 bits of a word's hash; places: 32 bits for each occurrence, see tokens.py.
CREATE TABLE text_places (key INTEGER PRIMARY KEY, places BLOB NOT NULL) STRICT;

-- Parts that are yet to be indexed: all, where an earlier Materia filled the library.
CREATE TABLE text_pending (part INTEGER PRIMARY KEY) STRICT;
INSERT INTO text_pending (part) SELECT DISTINCT row >> 12 FROM chunks;
