"""Sets of stores with something of everything, and what is in them, read item by item."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.domain.answers import Answer, DocumentCitation, EntityLink, GraphCitation
from core.domain.conversations import LOCAL_USER, Fault, Feedback, Rating, Session, Summary, Turn
from core.domain.documents import Chunk, Document, DocumentState, Filling, Index, Page, Profile
from core.domain.explored.views import GraphView, SavedView
from core.domain.graph import Entity
from core.graph.importing.builder import GraphBuilder
from core.maintenance.stores import Stores
from core.stores.chroma.entities import ChromaEntityVectors
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.stores.sqlite.library import SqliteLibrary
from core.stores.sqlite.rows.graph_views import SqliteGraphViews
from tests.domain.answers import an_answer

MOMENT = datetime(2026, 3, 29, 1, 59, 59, 123456, tzinfo=UTC)
RATED = Feedback(Rating.DOWN, Fault.NUMBER, "<b>5 mg</b>", MOMENT)
METFORMIN, DIABETES, ODD = "DB00331", "DOID:9352", "X:'\"`) DETACH DELETE"


def sqlite_stores(folder: Path, name: str = "sqlite") -> Stores:
    """Embedded stores in a folder of their own; opened again they hold what they held."""
    database = Database(folder / "materia.db")
    graph, vectors = SqliteGraph(database, folder / "graph"), ChromaEntityVectors(folder / "chroma")

    def close() -> None:
        graph.close()
        vectors.close()
        database.close()

    return Stores(
        name,
        SqliteLibrary(database),
        graph,
        vectors,
        SqliteConversations(database),
        SqliteGraphViews(database),
        close,
    )


def fill(stores: Stores, documents: bool = True) -> None:
    """Put in a graph, conversations and documents."""
    put_graph(stores)
    put_conversation(stores, "first", turns=3)
    stores.conversations.rate_turn("first 1", RATED)
    stores.conversations.mark_session("first", True, ["signal", "100% \\ ' \""])
    stores.conversations.keep_summary(
        "first", Summary("About metformin.\n1. It does.", 0, 2, MOMENT)
    )
    # Another user's: it stays theirs wherever it goes.
    title = "<b>100% \\ ' \" 糖尿病</b>"
    stores.conversations.of_user("anna").create_session("second", title)
    put_conversation(stores, "second", turns=1)
    stores.conversations.create_session("never used", "Nothing was asked")
    shown = GraphView((METFORMIN, "gone"), METFORMIN, pinned={METFORMIN: (1.5, -2.0)})
    stores.views.keep(SavedView("v1", title, shown, MOMENT, MOMENT, LOCAL_USER))
    stores.views.of_user("anna").keep(SavedView("v2", title, shown, MOMENT, MOMENT, ""))
    if documents:
        put_index(stores, "leaflets")
        put_index(stores, "papers", Profile.SEMANTIC)
        put_document(stores, "one", pages=2)
        put_document(stores, "two", "papers", pages=1)
        stores.library.begin_documents([_document("unfinished", "papers", 0)])


def put_graph(stores: Stores, *more: str) -> None:
    """Store four entities and four relationships; with a drug for each further name."""
    builder = GraphBuilder()
    for entity in (
        Entity(METFORMIN, "Drug", "Metformin", ("Glucophage", "Metformine"), {"indication": "T2D"}),
        Entity(DIABETES, "Disease", "type 2 diabetes mellitus", (), {"definition": "a | b"}),
        Entity("NCBI:5562", "Protein", "PRKAA1"),
        Entity(ODD, "Odd type", "<img src=x onerror=alert(1)>", ("ß", "\U0001f48a")),
        *(Entity(f"MORE:{name}", "Drug", name) for name in more),
    ):
        builder.entity(entity)
    for source, kind, target, properties in (
        (0, "TREATS", 1, {"source_of_fact": "Hetionet (CC0)"}),
        (0, "TARGETS", 2, None),
        (2, "ASSOCIATED_WITH", 1, {"score": "0.7", "note": "naïve"}),
        (3, "ODD-[:TYPE]", 3, None),
    ):
        builder.relationship(source, kind, target, properties)
    stores.graph.replace(builder.build())


def put_conversation(stores: Stores, name: str, turns: int, title: str = "") -> None:
    """Add a conversation, or put further turns behind those it has."""
    store = stores.conversations
    if store.session(name) is None:
        store.create_session(name, title or f"About {name}")
    for number in range(len(store.turns(name)), turns):
        store.add_turn(f"{name} {number}", name, _answer(f"Question {number} of {name}?"))


def _answer(question: str) -> Answer:
    plain = an_answer(
        question, "It does.", EntityLink(METFORMIN, "Drug", "Metformin", 0.9, "named")
    )
    citations = (
        DocumentCitation(
            1, "one", "one:0", "one.pdf", 1, "posology", "3. How", "quote", 0, 5, 0.75
        ),
        GraphCitation(
            2,
            METFORMIN,
            "Metformin",
            "Drug",
            "TREATS",
            DIABETES,
            "type 2 diabetes mellitus",
            "Disease",
            0.5,
            {"source_of_fact": "Hetionet (CC0)"},
        ),
    )
    values = {name: getattr(plain, name) for name in plain.__dataclass_fields__}
    return Answer(**{**values, "citations": citations, "subgraph": {"entities": [METFORMIN]}})


def put_index(stores: Stores, name: str, profile: Profile = Profile.LEAFLET) -> None:
    stores.library.create_index(Index(name, profile, "all-MiniLM-L6-v2", 384, MOMENT, 2))


def put_document(stores: Stores, name: str, index: str = "leaflets", pages: int = 1) -> None:
    """Add a ready document with a chunk and mentions on each page."""
    document = _document(name, index, pages)
    texts = [f"Page {n} of {name}: Metformin treats diabetes." for n in range(1, pages + 1)]
    chunks = [
        Chunk(f"{name}:{n}", name, n, n + 1, "posology", "3. How", 0, len(text), text, name)
        for n, text in enumerate(texts)
    ]
    stores.library.begin_documents([document])
    stores.library.finish_documents(
        [
            Filling(
                document,
                [Page(n, text) for n, text in enumerate(texts, start=1)],
                chunks,
                {chunk.id: {METFORMIN: 1, DIABETES: 2 + chunk.position} for chunk in chunks},
            )
        ]
    )


def _document(name: str, index: str, pages: int) -> Document:
    return Document(
        id=name,
        index=index,
        file=f"{name}.pdf",
        title=f"Title of {name}",
        sha256=f"hash of {name}",
        bytes=1234,
        pages=pages,
        chunks=pages,
        state=DocumentState.INGESTING,
        created_at=MOMENT + timedelta(microseconds=len(name)),
        metadata={"author": "Doe"},
        blank_pages=1,
    )


def everything(stores: Stores, documents: bool = True) -> dict[str, Any]:
    """All that is visible in a set of stores."""
    found: dict[str, Any] = {
        "entities": list(stores.graph.all_entities()),
        "relationships": sorted(
            (one.key, dict(one.properties)) for one in stores.graph.all_relationships()
        ),
        "conversations": conversations(stores),
        "views": stores.views.views(),
        "summaries": {
            one.id: stores.conversations.summary(one.id) for one in stores.conversations.sessions()
        },
    }
    if documents:
        store = stores.library
        listed = store.documents()
        chunks = {document.id: store.document_chunks(document.id) for document in listed}
        found |= {
            "indexes": store.indexes(),
            "documents": listed,
            "pages": {document.id: store.pages(document.id) for document in listed},
            "chunks": chunks,
            "mentions": store.mentions_of_chunks([c.id for cs in chunks.values() for c in cs]),
            "found by words": sorted(
                chunk for chunk, _ in store.search_text("diabetes", ["leaflets", "papers"], 99)
            ),
        }
    return found


def conversations(stores: Stores) -> list[tuple[Session, list[Turn]]]:
    """Sessions, newest first, with their turns."""
    return [(one, stores.conversations.turns(one.id)) for one in stores.conversations.sessions()]
