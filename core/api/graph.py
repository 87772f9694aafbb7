"""The graph: its size, an entity, its facts and surroundings, paths, names in a text; import and vectors as
jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.guard import (
    Body,
    Served,
    capped,
    declared_json,
    flag_of,
    in_thread,
    number_of_query,
    text_of,
    with_json,
    wrong,
)
from core.api.library import FORM_FRAME, form_of
from core.api.places import allowed, existing_folder
from core.domain.graph import Entity
from core.errors import InputError, NotFound
from core.graph.public import (
    entity_to_public,
    fact_to_public,
    mentions_to_public,
    paths_to_public,
    subgraph_to_public,
)
from core.graph.walks.expand import MAX_HOPS, expand
from core.graph.walks.paths import MAX_PATH_HOPS, find_paths
from core.workspace import Workspace, shared_workspace

MOST_DOCUMENTS = 200  # listed that mention an entity
MOST_FACTS = 1_000
MOST_ENTITIES = 1_000  # of an expansion
MOST_SEEDS = 20
MOST_PATHS = 100
MOST_FILES = 10  # of a graph that is handed in
_ASKED_FOR = "asked for"
_REMOVE = {"": False, "false": False, "true": True}


def size(workspace: Workspace, _request: Request) -> Response:
    """GET: what the graph holds, by type, and how many entities of each type are embedded."""
    known = workspace.graph
    return JSONResponse(
        {
            "entities": known.counts_by_type(),
            "relationships": known.count_relationships(),
            "relationshipTypes": sorted(known.projection().relationship_types),
            "embedded": workspace.entity_vectors.counts(),
        }
    )


def entity(workspace: Workspace, request: Request) -> Response:
    """GET ``?id=``: an entity with its properties, the numbers of its relationships, and the documents and
    pages that mention it, at most ``&documents=``."""
    found = _entity(workspace, request.query_params.get("id", ""))
    most = number_of_query(request, "documents", 0, MOST_DOCUMENTS, 50)
    mentioning = workspace.catalogue.documents_mentioning(found.id, most + 1)
    return JSONResponse(
        {
            **asdict(found),
            "relationships": workspace.graph.relationship_counts(found.id),
            "documents": [
                {
                    "id": document.id,
                    "file": document.file,
                    "mentions": count,
                    "pages": _pages(workspace, found.id, document.id),
                }
                for document, count in mentioning[:most]
            ],
            "moreDocuments": len(mentioning) > most,
        }
    )


def _pages(workspace: Workspace, entity_id: str, document_id: str) -> list[int]:
    chunks = workspace.catalogue.chunks_mentioning(entity_id, document_id)
    return sorted({chunk.page for chunk in chunks} - {0})


def facts(workspace: Workspace, request: Request) -> Response:
    """GET ``?id=``, and ``&type=`` of relationships: an entity's relationships, of each type those with its
    most important neighbours first, at most ``&limit=``."""
    found = _entity(workspace, request.query_params.get("id", ""))
    limit = number_of_query(request, "limit", 1, MOST_FACTS, 100)
    counts = workspace.graph.relationship_counts(found.id)
    kinds = _relationship_types(workspace, request)
    wanted = [kind for kind in counts if not kinds or kind in kinds]
    listed = [one for kind in wanted for one in workspace.graph.facts(found.id, kind, limit)]
    return JSONResponse(
        {
            "entity": entity_to_public(found),
            "total": sum(counts[kind] for kind in wanted),
            "facts": [fact_to_public(one) for one in listed[:limit]],
        }
    )


def neighbours(workspace: Workspace, request: Request) -> Response:
    """GET ``?id=``, several times for several entities, and ``&hops=&limit=&entityType=&type=``: their
    surroundings, the most relevant first, and the facts among them."""
    ids = list(dict.fromkeys(request.query_params.getlist("id")))
    if len(ids) > MOST_SEEDS:
        raise wrong(f"At most {MOST_SEEDS} entities are expanded at once.")
    seeds = [_entity(workspace, one) for one in ids or [""]]
    found = expand(
        workspace.graph,
        {seed.id: 1.0 for seed in seeds},
        {seed.id: _ASKED_FOR for seed in seeds},
        hops=number_of_query(request, "hops", 0, MAX_HOPS, MAX_HOPS),
        per_entity=workspace.settings.neighbours_per_entity,
        limit=number_of_query(request, "limit", 1, MOST_ENTITIES, 50),
        relationship_types=_relationship_types(workspace, request),
        entity_types=_entity_types(workspace, request),
    )
    shown = {"seeds": [entity_to_public(seed) for seed in seeds]}
    return JSONResponse(shown | subgraph_to_public(found))


def paths(workspace: Workspace, request: Request) -> Response:
    """GET ``?source=&target=&maxHops=&limit=&entityType=&type=``: how two entities are connected, the
    shortest paths first."""
    asked = request.query_params
    first = _entity(workspace, asked.get("source", ""), "source")
    last = _entity(workspace, asked.get("target", ""), "target")
    found = find_paths(
        workspace.graph,
        first.id,
        last.id,
        max_hops=number_of_query(request, "maxHops", 1, MAX_PATH_HOPS, MAX_PATH_HOPS),
        limit=number_of_query(request, "limit", 1, MOST_PATHS, 10),
        relationship_types=_relationship_types(workspace, request),
        entity_types=_entity_types(workspace, request),
    )
    return JSONResponse(paths_to_public(first, last, found))


def link(workspace: Workspace, body: Body) -> Response:
    """POST `text`: the entities that it names, with their places in characters."""
    text = text_of(body, "text")
    if not text.strip():
        raise InputError("The text is empty.", advice="Give a text.", code="EMPTY_TEXT")
    mentions = workspace.names.mentions_in(text)
    entities = workspace.graph.entities({one.entity_id for one in mentions})
    others = {
        one.text: [
            other for other in workspace.graph.entities_named(one.text) if other.id != one.entity_id
        ]
        for one in mentions
    }
    return JSONResponse(mentions_to_public(mentions, entities, others))


def import_folder(workspace: Workspace, body: Body) -> Response:
    """POST `path` of a folder on the server's machine, and `removeMissing`: the import is begun."""
    place, remove = text_of(body, "path"), flag_of(body, "removeMissing")
    folder = existing_folder(allowed(place, workspace.settings.readable_folders))
    return begun(workspace.graph_tasks.submit_import(folder, remove_missing=remove))


async def import_files(request: Request) -> Response:
    """POST a form: `file` as often as there are files of the graph, and `removeMissing`; the import is
    begun."""
    workspace = await run_in_threadpool(shared_workspace)
    request = capped(request, workspace.library.max_bytes + FORM_FRAME)
    async with form_of(request, MOST_FILES) as form:
        files = [one for one in form.getlist("file") if isinstance(one, UploadFile)]
        remove = _REMOVE.get(str(form.get("removeMissing", "")))
        if not files:
            raise InputError("The form has no file in its field “file”.", code="NO_FILE")
        if remove is None:
            raise wrong("“removeMissing” must be true or false.")
        kept = [(one.filename or "", await one.read()) for one in files]
    submit = workspace.graph_tasks.submit_import
    return begun(await run_in_threadpool(lambda: submit(files=kept, remove_missing=remove)))


def embed(workspace: Workspace, _request: Request) -> Response:
    """POST: the vectors of entities whose text or model changed are begun to be made."""
    return begun(workspace.graph_tasks.submit_embed())


def begun(job_id: str) -> Response:
    """What is told of a job."""
    return JSONResponse({"job_id": job_id, "status": f"/api/jobs/{job_id}"}, status_code=202)


def _entity(workspace: Workspace, entity_id: str, field: str = "id") -> Entity:
    if not entity_id:
        raise wrong(f"The request needs an “{field}” of an entity.")
    found = workspace.graph.entity(entity_id)
    if found is None:
        raise NotFound(
            "The graph has no entity of this id.",
            advice="GET /api/entities?name= tells the ids of a name.",
            code="ENTITY_NOT_FOUND",
        )
    return found


def _relationship_types(workspace: Workspace, request: Request) -> list[str]:
    known = workspace.graph.projection().relationship_types
    return _known(request.query_params.getlist("type"), known, "relationship type")


def _entity_types(workspace: Workspace, request: Request) -> list[str]:
    known = workspace.graph.projection().entity_types
    return _known(request.query_params.getlist("entityType"), known, "entity type")


def _known(asked: Sequence[str], known: Collection[str], what: str) -> list[str]:
    """Types that the graph has.

    Raises:
        InputError: ``UNKNOWN_TYPE``.
    """
    for name in asked:
        if name not in known:
            raise InputError(
                f"The graph has no {what} “{name[:80]}”.",
                advice=f"There are: {', '.join(sorted(known)) or 'none'}.",
                code="UNKNOWN_TYPE",
            )
    return list(asked)


def re_embed_index(workspace: Workspace, request: Request) -> Response:
    """POST: the vectors of an index are begun to be made anew with the configured model."""
    return begun(workspace.submissions.re_embed(str(request.path_params["name"])))


TABLE: tuple[Served, ...] = (
    Served("GET", "/api/graph", in_thread(size)),
    Served("GET", "/api/graph/entity", in_thread(entity)),
    Served("GET", "/api/graph/facts", in_thread(facts)),
    Served("GET", "/api/graph/neighbours", in_thread(neighbours)),
    Served("GET", "/api/graph/paths", in_thread(paths)),
    Served("POST", "/api/graph/link", declared_json(with_json(link))),
    Served("POST", "/api/graph/import", declared_json(with_json(import_folder))),
    Served("POST", "/api/graph/files", import_files),
    Served("POST", "/api/graph/embed", in_thread(embed)),
    Served("POST", "/api/indexes/{name}/re-embed", in_thread(re_embed_index)),
)
