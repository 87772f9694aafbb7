-- One generation of the graph. Its indexes are made when it is filled.
CREATE TABLE entities (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    degree INTEGER NOT NULL,
    importance REAL NOT NULL,
    synonyms TEXT NOT NULL,
    properties TEXT NOT NULL
) STRICT;
CREATE TABLE entity_types (name TEXT PRIMARY KEY, entities INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE entity_names (
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (position, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE relationship_types (
    code INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    relationships INTEGER NOT NULL
) STRICT;
-- property_row is -1 where a relationship has no properties.
CREATE TABLE relationships (
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    type INTEGER NOT NULL,
    property_row INTEGER NOT NULL,
    PRIMARY KEY (source, target, type)
) STRICT, WITHOUT ROWID;
CREATE TABLE property_values (row INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE projection (part INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
