"""How the registry is read from SQLite; a list reaches a statement as JSON, which `json_each` unfolds."""

from __future__ import annotations

from core.stores.library.reading import Statements
from core.stores.library.rows import CHUNK, DOCUMENT
from core.stores.sqlite.words.tokens import PART, ROW_BITS

_DOCUMENT = ", ".join(f'documents."{name}"' for name in DOCUMENT)
_CHUNK = ", ".join(f'chunks."{name}"' for name in CHUNK)
_DOCUMENTS = f"SELECT {_DOCUMENT} FROM documents"
_NEWEST_FIRST = "ORDER BY created_at DESC, id"
_IN_INDEX = '(:index IS NULL OR documents."index" = :index)'
_IDS = "(SELECT value FROM json_each(:ids))"
_OF_READY = (
    "JOIN documents ON documents.id = chunks.document_id AND documents.state = 'ready' "
    'AND (:index IS NULL OR chunks."index" = :index)'
)
# Chunks that the full text has: the words of a passage there are counted, and 1 is added.
_INDEXED = (
    f"FROM chunks JOIN text_parts ON part = row >> {ROW_BITS} "
    f"WHERE substr(lengths, 2 * (row & {PART - 1}) + 1, 2) <> x'0000'"
)
_OF_NAMED = 'IN (SELECT id FROM documents WHERE "index" = :name)'

# A chunk that is in scope, of an outer query's.
IN_SCOPE = (
    "documents.state = 'ready' AND chunks.\"index\" IN (SELECT value FROM json_each(:indexes)) "
    "AND (:sections = '[]' OR chunks.section IN (SELECT value FROM json_each(:sections))) "
    "AND (:documents IS NULL OR chunks.document_id IN (SELECT value FROM json_each(:documents)))"
)
# Of rows that were found, those in scope.
_FOUND = (
    "FROM json_each(:rows) AS found JOIN chunks ON chunks.row = found.value "
    f"JOIN documents ON documents.id = chunks.document_id WHERE {IN_SCOPE}"
)
FOUND = f"SELECT chunks.row, chunks.id {_FOUND}"
COUNT_FOUND = f"SELECT count(*) AS chunks {_FOUND}"

STATEMENTS = Statements(
    indexes="SELECT * FROM indexes WHERE :all OR NOT deleting ORDER BY name",
    present_name="SELECT name FROM index_names WHERE earlier = :name",
    count_index="SELECT count(*) AS documents, coalesce(sum(pages), 0) AS pages, "
    "coalesce(sum(chunks), 0) AS chunks, coalesce(sum(bytes), 0) AS bytes "
    "FROM documents WHERE state = 'ready' AND \"index\" = :name",
    documents=f"{_DOCUMENTS} WHERE {_IN_INDEX} AND (:all OR state = 'ready') {_NEWEST_FIRST}",
    unfinished=f"{_DOCUMENTS} WHERE state <> 'ready' AND {_IN_INDEX} {_NEWEST_FIRST}",
    named=f"{_DOCUMENTS} WHERE \"index\" = :index AND file = :file AND state <> 'deleting' "
    f"{_NEWEST_FIRST}",
    document=f"{_DOCUMENTS} WHERE id = :id",
    by_hash=f'{_DOCUMENTS} WHERE "index" = :index AND sha256 = :sha256',
    ready=f"{_DOCUMENTS} WHERE id IN {_IDS} AND state = 'ready'",
    hashes='SELECT sha256 FROM documents WHERE "index" = :index',
    pages="SELECT number, text FROM pages WHERE document_id = :id ORDER BY number",
    page="SELECT number, text FROM pages WHERE document_id = :id AND number = :number",
    chunks=f"SELECT {_CHUNK} FROM chunks WHERE document_id = :id ORDER BY position",
    ready_chunks=f"SELECT {_CHUNK} FROM chunks {_OF_READY} ORDER BY chunks.row",
    chunks_by_id=f"SELECT {_CHUNK} FROM chunks WHERE id IN {_IDS}",
    chunk_ids=f"SELECT chunks.id, chunks.document_id FROM chunks {_OF_READY}",
    count_chunks="SELECT coalesce(sum(chunks), 0) AS chunks FROM index_counts "
    'WHERE "index" IN (SELECT value FROM json_each(:indexes))',
    mentions_of_chunks="SELECT chunk_id AS chunk, entity_id AS entity, count FROM mentions "
    f"WHERE chunk_id IN {_IDS}",
    mentions_of_document="SELECT entity_id AS entity, sum(count) AS count FROM chunks "
    "JOIN mentions ON mentions.chunk_id = chunks.id WHERE chunks.document_id = :id "
    "GROUP BY entity_id ORDER BY sum(count) DESC, entity_id LIMIT :limit",
    sections="SELECT section, count(DISTINCT document_id) AS documents FROM chunks "
    f"WHERE document_id IN {_IDS} GROUP BY section",
    most_mentioned="SELECT entity_id AS entity, sum(count) AS count, "
    "count(DISTINCT chunks.document_id) AS documents FROM chunks "
    f"JOIN mentions ON mentions.chunk_id = chunks.id WHERE chunks.document_id IN {_IDS} "
    "GROUP BY entity_id ORDER BY sum(count) DESC, entity_id LIMIT :limit",
    count_mentions="SELECT chunks.document_id AS document, sum(count) AS count FROM chunks "
    f"JOIN mentions ON mentions.chunk_id = chunks.id WHERE chunks.document_id IN {_IDS} "
    "GROUP BY chunks.document_id",
    documents_mentioning=f"SELECT {_DOCUMENT}, sum(mentions.count) AS mentioned FROM mentions "
    "JOIN chunks ON chunks.id = mentions.chunk_id "
    "JOIN documents ON documents.id = chunks.document_id "
    "WHERE mentions.entity_id = :id AND documents.state = 'ready' "
    "GROUP BY documents.id ORDER BY mentioned DESC, documents.file, documents.id LIMIT :limit",
    count_document="SELECT (SELECT count(*) FROM documents WHERE id = :id) AS documents, "
    "(SELECT count(*) FROM pages WHERE document_id = :id) AS pages, "
    "(SELECT count(*) FROM chunks WHERE document_id = :id) AS chunks, "
    f"(SELECT count(*) {_INDEXED} AND document_id = :id) AS text, "
    # Mentions are keyed by chunk id, and a chunk id is "<document id>:<position>".
    "(SELECT count(*) FROM mentions WHERE chunk_id >= :id || ':' AND chunk_id < :id || ';') "
    "AS mentions",
    count_rows='SELECT (SELECT count(*) FROM documents WHERE "index" = :name) AS documents, '
    f"(SELECT count(*) FROM pages WHERE document_id {_OF_NAMED}) AS pages, "
    '(SELECT count(*) FROM chunks WHERE "index" = :name) AS chunks, '
    f'(SELECT count(*) {_INDEXED} AND "index" = :name) AS text, '
    "(SELECT count(*) FROM mentions "
    'WHERE chunk_id IN (SELECT id FROM chunks WHERE "index" = :name)) AS mentions',
)
