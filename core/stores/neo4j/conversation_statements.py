"""What `Neo4jConversations` asks of the server; texts reach a statement as parameters alone."""

from __future__ import annotations

from core.domain.conversations import LOCAL_USER
from core.stores.neo4j.schema import ENTITIES, lookup, unique

# That a session, or a question's session, is of the user who asks; $owner null: of whomever.
_OWN = "($owner IS NULL OR EXISTS { (:User {id: $owner})-[:HAS_SESSION]->(s) })"
_OWN_QUESTION = (
    "($owner IS NULL OR EXISTS { (:User {id: $owner})-[:HAS_SESSION]->(:Session {id: q.session}) })"
)
# Of an answer from before there was the property: in JSON a key is the one place where this stands unescaped.
_REFUSED = "coalesce(a.refused, a.payload CONTAINS '\"refused\": true')"
_UNSURE = f"(NOT {_REFUSED} AND a.payload CONTAINS '\"may_not_answer\": true')"
SCHEMA = (
    *ENTITIES,
    unique("user_id", "User", "id"),
    unique("session_id", "Session", "id"),
    unique("question_id", "Question", "id"),
    unique("question_position", "Question", "session", "position"),
    unique("cited_document_id", "CitedDocument", "id"),
    lookup("answer_rating", "Answer", "rating"),
)
# Every write begins so: one writer at a time, whoever it is, as in the embedded store.
LOCK = f"MERGE (u:User {{id: '{LOCAL_USER}'}}) SET u.changed_at = $moment"
USERS = "MATCH (u:User) WHERE EXISTS { (u)-[:HAS_SESSION]->() } RETURN u.id AS user ORDER BY user"
CREATE_SESSION = (
    "MERGE (u:User {id: $user}) CREATE (u)-[:HAS_SESSION]->(s:Session) SET s = $session"
)
OWNERS = "MATCH (u:User)-[:HAS_SESSION]->(:Session {id: $id}) RETURN u.id AS user"
RESTORE_SESSION = (
    "MERGE (u:User {id: $user}) MERGE (s:Session {id: $session.id}) "
    "ON CREATE SET s.created_at = $session.created_at "
    "SET s.title = $session.title, s.updated_at = $session.updated_at, s.pinned = $session.pinned, "
    "s.tags = $session.tags MERGE (u)-[:HAS_SESSION]->(s)"
)
_RATED = "COUNT {{ (s)-[:HAS_MESSAGE]->(:Question)-[:HAS_ANSWER]->(:Answer {{rating: '{0}'}}) }}"
_READ_SESSION = (
    "RETURN s {.*} AS session, head([(u:User)-[:HAS_SESSION]->(s) | u.id]) AS user, "
    "COUNT { (s)-[:HAS_MESSAGE]->(:Question) } AS turns, "
    f"{_RATED.format('up')} AS rated_up, {_RATED.format('down')} AS rated_down"
)
SESSION = f"MATCH (s:Session {{id: $id}}) WHERE {_OWN} {_READ_SESSION}"
# MENTIONS are of entities that the graph has; the property also of those that it had. A question's are what it
# is about, an answer's all that it was made from.
_SUCH_A_TURN = (
    f"($refused IS NULL OR {_REFUSED} = $refused) "
    f"AND ($unsure IS NULL OR {_UNSURE} = $unsure) AND ($rating = '' OR a.rating = $rating) "
    "AND ($document = '' OR EXISTS { MATCH (a)-[:CITES]->(d) WHERE d.id = $document }) "
    "AND ($entity = '' OR $entity IN a.about "
    "OR EXISTS { MATCH (q)-[:MENTIONS]->(e:Entity) WHERE e.id = $entity })"
)
_THESE_WORDS = "(toLower(q.text) CONTAINS $search OR toLower(a.text) CONTAINS $search)"
SESSIONS = (
    f"MATCH (s:Session) WHERE {_OWN} "
    "AND EXISTS { (s)-[:HAS_MESSAGE]->(:Question) } AND ($tag = '' OR $tag IN s.tags) "
    "AND ($search = '' OR toLower(s.title) CONTAINS $search OR EXISTS { "
    "MATCH (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    f"WHERE {_THESE_WORDS} }}) "
    "AND (NOT $of_turns OR EXISTS { MATCH (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    f"WHERE {_SUCH_A_TURN} }}) "
    f"{_READ_SESSION} ORDER BY coalesce(s.pinned, false) DESC, s.updated_at DESC, s.id LIMIT $limit"
)
FOUND_TURNS = (
    "MATCH (q:Question)-[:HAS_ANSWER]->(a:Answer) "
    f"WHERE q.session IN $ids AND {_OWN_QUESTION} AND {_THESE_WORDS} AND {_SUCH_A_TURN} "
    "RETURN q.session AS session_id, q.id AS turn_id, q.position AS position, q.text AS question "
    "ORDER BY session_id, position"
)
USAGE = (
    "MATCH (s:Session)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    f"WHERE {_OWN} AND ($tag = '' OR $tag IN s.tags) "
    f"AND ($search = '' OR toLower(s.title) CONTAINS $search OR {_THESE_WORDS}) AND {_SUCH_A_TURN} "
    "RETURN q.created_at AS asked_at, a.payload AS payload, a.rating AS rating "
    "ORDER BY asked_at, q.session, q.position"
)
MARK = f"MATCH (s:Session {{id: $id}}) WHERE {_OWN} SET s.pinned = $pinned, s.tags = $tags"
TAGS = (
    f"MATCH (s:Session) WHERE {_OWN} AND EXISTS {{ (s)-[:HAS_MESSAGE]->(:Question) }} "
    "UNWIND s.tags AS tag RETURN DISTINCT tag"
)
RENAME = f"MATCH (s:Session {{id: $id}}) WHERE {_OWN} SET s.title = $title"
TOUCH = (
    f"{LOCK} WITH u MATCH (s:Session {{id: $session}}) WHERE {_OWN} "
    "SET s.updated_at = $moment RETURN count(s) AS found"
)
ADD_NEXT_TURN = (
    "OPTIONAL MATCH (before:Question {session: $session}) WHERE before.position IS NOT NULL "
    "WITH before ORDER BY before.session DESC, before.position DESC LIMIT 1 "
    "MATCH (s:Session {id: $session}) "
    "CREATE (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "SET q = $question, a = $answer, q.position = coalesce(before.position + 1, 0) "
    "FOREACH (x IN CASE WHEN before IS NULL THEN [] ELSE [before] END | CREATE (x)-[:NEXT]->(q)) "
    "RETURN q.position AS position"
)
RESTORE_TURN = (
    "MATCH (s:Session {id: $session}) WHERE NOT EXISTS { (:Question {id: $question.id}) } "
    "CREATE (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "SET q = $question, a = $answer"
)
IMPORT_TURNS = (
    "MATCH (s:Session {id: $session}) UNWIND $turns AS row "
    "CREATE (s)-[:HAS_MESSAGE]->(q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "SET q = row.question, a = row.answer"
)
LINK_ALL = (
    "MATCH (:Session {id: $session})-[:HAS_MESSAGE]->(b:Question) "
    "MATCH (n:Question {session: $session, position: b.position + 1}) MERGE (b)-[:NEXT]->(n)"
)
TAKEN_SESSIONS = "MATCH (s:Session) WHERE s.id IN $ids RETURN s.id AS id"
TAKEN_TURNS = "MATCH (q:Question) WHERE q.id IN $ids RETURN q.id AS id, q.session AS session"
# On both sides: a restored turn may come before its neighbours or between them.
LINK = (
    "MATCH (q:Question {id: $id}) "
    "CALL (q) { MATCH (b:Question {session: q.session, position: q.position - 1}) MERGE (b)-[:NEXT]->(q) } "
    "CALL (q) { MATCH (n:Question {session: q.session, position: q.position + 1}) MERGE (q)-[:NEXT]->(n) }"
)
MENTION = (
    "MATCH (g:GraphState {name: 'graph'}) UNWIND $entities AS row "
    "MATCH (q:Question {id: row.turn})-[:HAS_ANSWER]->(a:Answer) "
    "MATCH (e:Entity {id: row.id, generation: g.version}) "
    "MERGE (a)-[:MENTIONS]->(e) "
    "FOREACH (x IN CASE WHEN row.named THEN [e] ELSE [] END | MERGE (q)-[:MENTIONS]->(x))"
)
CITE = (
    "UNWIND $documents AS row MATCH (:Question {id: row.turn})-[:HAS_ANSWER]->(a:Answer) "
    "OPTIONAL MATCH (d:Document {id: row.id}) "
    "FOREACH (x IN CASE WHEN d IS NULL THEN [] ELSE [d] END | MERGE (a)-[:CITES]->(x)) "
    "FOREACH (x IN CASE WHEN d IS NULL THEN [row] ELSE [] END | "
    "MERGE (c:CitedDocument {id: x.id}) ON CREATE SET c.file = x.file MERGE (a)-[:CITES]->(c))"
)
_READ_TURN = (
    "RETURN q {.id, .session, .position, .created_at} AS question, a.payload AS payload, "
    "a {.rating, .fault, .comment, .rated_at} AS feedback"
)
READ_TURNS = (
    f"MATCH (q:Question {{session: $session}}) WHERE q.position IS NOT NULL AND {_OWN_QUESTION} "
    f"MATCH (q)-[:HAS_ANSWER]->(a:Answer) {_READ_TURN} ORDER BY q.position DESC"
)
READ_TURN = (
    f"MATCH (q:Question {{id: $id}})-[:HAS_ANSWER]->(a:Answer) WHERE {_OWN_QUESTION} {_READ_TURN}"
)
READ_RATED = (
    "MATCH (a:Answer) WHERE a.rating IN ['up', 'down'] MATCH (q:Question)-[:HAS_ANSWER]->(a) "
    f"WHERE {_OWN_QUESTION} {_READ_TURN} ORDER BY a.rated_at DESC, q.id"
)
RATE = (
    f"MATCH (q:Question {{id: $id}})-[:HAS_ANSWER]->(a:Answer) WHERE {_OWN_QUESTION} "
    "SET a += $feedback RETURN count(a) AS found"
)
# The second case is of answers from before there was the property.
QUOTING = (
    f"MATCH (q:Question)-[:HAS_ANSWER]->(a:Answer) WHERE {_OWN_QUESTION} "
    "AND (any(id IN $ids WHERE id IN a.quoted) "
    "OR (a.quoted IS NULL AND any(key IN $keys WHERE a.payload CONTAINS key))) "
    "RETURN q.session AS session, q.id AS turn, q.text AS question, "
    "EXISTS { MATCH (a)-[:CITES]->(d) WHERE d.id IN $ids } AS cited ORDER BY q.created_at, q.id"
)
REPLACE = (
    f"MATCH (q:Question {{id: $id}})-[:HAS_ANSWER]->(a:Answer) WHERE {_OWN_QUESTION} "
    "SET a += $answer REMOVE q.embedding, q.embedding_model"
)
MENTIONED = (
    "MATCH (g:GraphState {name: 'graph'}) "
    "MATCH (q:Question)-[:MENTIONS]->(e:Entity) "
    f"WHERE e.generation = g.version AND {_OWN_QUESTION} RETURN e.id AS id, e.name AS name, e.type AS type, "
    "count(DISTINCT q) AS answers ORDER BY answers DESC, name, id LIMIT $limit"
)
CITED = (
    f"MATCH (q:Question)-[:HAS_ANSWER]->(a:Answer)-[:CITES]->(d) WHERE {_OWN_QUESTION} "
    "RETURN d.id AS id, d.file AS name, '' AS type, "
    "count(DISTINCT a) AS answers ORDER BY answers DESC, name, id LIMIT $limit"
)
COUNT = (
    f"OPTIONAL MATCH (s:Session {{id: $id}}) WHERE {_OWN} "
    "RETURN COUNT { (s)-[:HAS_MESSAGE]->(:Question) } AS turns"
)
DELETE = (
    f"MATCH (s:Session {{id: $id}}) WHERE {_OWN} "
    "OPTIONAL MATCH (s)-[:HAS_MESSAGE]->(q:Question) OPTIONAL MATCH (q)-[:HAS_ANSWER]->(a:Answer) "
    "OPTIONAL MATCH (s)-[:HAS_SUMMARY]->(m:Summary) DETACH DELETE a, q, m, s"
)
DELETE_UNCITED = "MATCH (c:CitedDocument) WHERE NOT EXISTS { (c)<-[:CITES]-() } DELETE c"
_SUMMARY = f"MATCH (s:Session {{id: $id}})-[:HAS_SUMMARY]->(m:Summary) WHERE {_OWN}"
READ_SUMMARY = f"{_SUMMARY} RETURN m {{.*}} AS summary"
REMOVE_SUMMARY = f"{_SUMMARY} DETACH DELETE m"
KEEP_SUMMARY = (
    f"MATCH (s:Session {{id: $id}}) WHERE {_OWN} "
    "CREATE (s)-[:HAS_SUMMARY]->(m:Summary) SET m = $summary"
)
PAIRS = "question_embeddings"  # the vector index
SHOW_PAIRS = (
    "SHOW VECTOR INDEXES YIELD name, options WHERE name = $name "
    "RETURN options.indexConfig['vector.dimensions'] AS dimension"
)
CREATE_PAIRS = (
    f"CREATE VECTOR INDEX {PAIRS} IF NOT EXISTS FOR (q:Question) ON (q.embedding) OPTIONS $options"
)
DROP_PAIRS = f"DROP INDEX {PAIRS} IF EXISTS"
AWAIT_PAIRS = f"CALL db.awaitIndex('{PAIRS}', 60)"
WITHOUT_VECTOR = (
    "MATCH (q:Question)-[:HAS_ANSWER]->(a:Answer) "
    "WHERE q.embedding IS NULL OR coalesce(q.embedding_model, '') <> $model "
    f"{_READ_TURN} ORDER BY q.created_at DESC, q.id LIMIT $limit"
)
KEEP_VECTORS = (
    "UNWIND $rows AS row MATCH (q:Question {id: row.id})-[:HAS_ANSWER]->(a:Answer) "
    "WHERE a.text = row.answer SET q.embedding_model = row.model "
    "WITH q, row CALL db.create.setNodeVectorProperty(q, 'embedding', row.vector) "
    "RETURN count(q) AS kept"
)
# The index knows no users: what is another's is asked for too, and left out.
SIMILAR = (
    "CALL db.index.vector.queryNodes($index, $count, $vector) YIELD node AS q, score "
    f"OPTIONAL MATCH (q)-[:HAS_ANSWER]->(a:Answer) WHERE q.embedding_model = $model AND {_OWN_QUESTION} "
    "AND ($before IS NULL OR q.created_at < $before) "
    "RETURN count(*) AS size, collect(CASE WHEN a IS NOT NULL THEN {id: q.id, session: q.session, "
    "position: q.position, text: q.text, created_at: q.created_at, score: score, "
    f"refused: {_REFUSED}}} END) AS found"
)
