-- How often a word is in each passage stands in front of where it is there: ranking reads no further.
DROP TABLE text_places;

-- key: the part, and 48 bits of a word's hash; counts: 16 bits for each passage, places: 32 for each occurrence, see
-- tokens.py.
CREATE TABLE text_places (key INTEGER PRIMARY KEY, counts BLOB NOT NULL, places BLOB NOT NULL) STRICT;

DELETE FROM text_parts;
INSERT OR IGNORE INTO text_pending (part) SELECT DISTINCT row >> 12 FROM chunks;
