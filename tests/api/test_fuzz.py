"""Requests made from the OpenAPI document, and noise beside them: every answer is one that it describes.

The server, its stores and the reading of files are the real ones; the embedding model is a hash. What is
sent is drawn anew from the same seed in each run.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from starlette.applications import Starlette
from starlette.middleware import Middleware

from core.api import routes
from core.api.access import Access
from core.api.openapi import document
from core.documents.library.shelves import LEAFLETS
from core.domain.explored.views import GraphView
from core.encoders.sentence_transformer import BUNDLED
from core.workspace import Workspace, open_workspace, share_workspace
from tests.api.serving import served
from tests.support.answering import settings_without_environment
from tests.support.fakes import HashEncoder
from tests.support.pdfs import make_pdf

_KNOWN = 12  # of each thing that exists at the beginning
_TEXT = "Zolvetrin is taken with water. The dose of Zolvetrin is 37 mg a day."
_PLACES = ("document_id", "name", "job_id", "conversation_id", "turn_id", "view_id")
_SENT = (
    *("Question", "Query", "Upload", "Folder", "NewIndex", "NewTitle"),
    *(
        "NewFeedback",
        "ChangedConversation",
        "ConversationFile",
        "SentMessage",
        "ChatMessage",
        "PaperQuery",
    ),
    *("CreateIndexRequest", "EncodeDocRequest", "EncodeBatchRequest", "QueryRequest"),
    *("TextToLink", "NewView", "GraphView", "GraphFolder", "GraphFiles", "Evaluation"),
)
# Refused for what no schema says: a view that shows nothing or selects what it does not show, a folder outside
# the roots, bytes that are no document, the order of days,
# a plan of what the graph does not have, a title or a name of blanks, a fault of a good answer, ids and
# types that the graph does not have, a model where none is chosen, files that are no graph, a conversation
# without the hash of its content.
_MEANING = (
    *("addFolder", "upload", "search", "chat", "retitleDocument", "entities"),
    *("rate", "changeConversation", "importConversation", "searchPapers", "chatMessage"),
    *("encodeDoc", "encodeBatch"),
    *(
        "suggestEntities",
        "keepGraphView",
        "entity",
        "facts",
        "neighbours",
        "paths",
        "importGraph",
        "uploadGraph",
        "evaluate",
    ),
)
_ANSWER_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def _closed() -> dict[str, Any]:
    """The document, made stricter: an answer has no field that it does not describe."""
    made = document(2_000)
    for name, schema in made["components"]["schemas"].items():
        if "properties" in schema and name not in (*_SENT, "Answer"):
            schema["unevaluatedProperties"] = False
    return made


load_all_checks()
# Routes that stand at the root and under /api are the same ones: they are asked once.
OPERATIONS: list[APIOperation] = [
    operation
    for found in schemathesis.openapi.from_dict(_closed()).get_all_operations()
    if not (operation := found.ok()).definition.raw["operationId"].endswith("UnderApi")
]
every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
every_operation_with_json = pytest.mark.parametrize(
    "operation",
    [one for one in OPERATIONS if one.get_body_for_media_type("application/json")],
    ids=lambda one: one.label,
)
repeatably = settings(
    max_examples=100,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Known:
    """What exists at the beginning: ids and names, by the parameter that asks for them."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        indexes = [f"known-{number}" for number in range(_KNOWN)]
        for number, name in enumerate((LEAFLETS, *indexes)):
            workspace.indexes.create(name)
            (folder / f"{number}.txt").write_text(f"{_TEXT} Leaflet {number}.")
        jobs = [workspace.submissions.folder(folder)]
        jobs += [workspace.submissions.folder(folder / "nowhere") for _ in range(_KNOWN - 1)]
        for job in jobs:
            workspace.jobs.wait(job)
        documents = [one.id for one in workspace.catalogue.documents(LEAFLETS)]
        assert len(documents) == _KNOWN + 1
        answer = workspace.chat.answer("How is Zolvetrin taken?")
        self.session = answer.session
        kept = [
            workspace.conversations.keep(workspace.conversations.open(None, "Q?")[0].id, answer)
            for _ in range(_KNOWN)
        ]
        self.values = {
            "document_id": documents,
            "name": indexes,
            "job_id": jobs,
            "conversation_id": [turn.session_id for turn in kept],
            "turn_id": [turn.id for turn in kept],
            "view_id": [
                workspace.views.save(f"View {number}", GraphView(("D1",))).id
                for number in range(_KNOWN)
            ],
        }

    def put_into(self, case: Case, number: int) -> None:
        """Name something that exists in a request that was made up."""
        for name in case.path_parameters:
            case.path_parameters[name] = self.values[name][number]
        if case.operation.path == "/api/documents":
            case.query = {"index": self.values["name"][number]}
        if not isinstance(case.body, dict):
            return
        speaks = "question" in case.body or "message" in case.body
        if speaks and isinstance(case.body.get("conversationId"), str | None):
            case.body["conversationId"] = self.session
        if case.operation.path == "/query" and isinstance(case.body.get("index_name"), str):
            case.body["index_name"] = LEAFLETS
        if "query" in case.body:
            # Not those that may be deleted: the last one stays.
            case.body |= {"indexes": [LEAFLETS], "documents": self.values["document_id"][-1:]}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("fuzz")
    opened = open_workspace(
        settings_without_environment(
            data_dir=root / "data", sample=False, warm_up=False, folder_roots=str(root)
        )
    )
    opened._encoders[BUNDLED] = HashEncoder()
    with closing(opened):
        share_workspace(opened)
        yield opened
        share_workspace(None)


@pytest.fixture(scope="module")
def known(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Known:
    return Known(workspace, tmp_path_factory.mktemp("known"))


@pytest.fixture(scope="module")
def address(workspace: Workspace) -> Iterator[str]:
    with served(Starlette(routes=routes(), middleware=[Middleware(Access)])) as url:
        yield url


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as opened:
        opened.trust_env = False  # looking for proxies takes longer than asking
        yield opened


@pytest.fixture(scope="module", autouse=True)
def same_inputs() -> Iterator[None]:
    """Hypothesis mixes in words of the modules that are loaded, which other tests would change."""
    with pytest.MonkeyPatch.context() as patch:
        providers.CONSTANTS_CACHE.cache.clear()
        patch.setattr(providers, "_get_local_constants", _no_constants)
        yield
    providers.CONSTANTS_CACHE.cache.clear()


def _no_constants() -> providers.Constants:
    return providers.Constants()


def _no_fault(response: requests.Response) -> list[Any]:
    """The check for faults that does not hold: where the language model was asked for and there is none; where
    a wrong request is refused for its size, before what is wrong in it is read."""
    if response.status_code == 503 and "MODEL_NOT_CHOSEN" in response.text:
        return [CHECKS.get_one("not_a_server_error")]
    return [CHECKS.get_one("negative_data_rejection")] if response.status_code == 413 else []


def _is_described(operation: APIOperation, response: requests.Response) -> None:
    """Status, kind, header lines and body of an answer are as the document says; it is no fault."""
    left_out = _no_fault(response)
    checks = [one for name in _ANSWER_CHECKS if (one := CHECKS.get_one(name)) not in left_out]
    case = operation.Case(path_parameters=dict.fromkeys(_PLACES, "x"))
    case.validate_response(response, checks=checks)


# -- noise -----------------------------------------------------------------------------------------

# Good for every operation, but for what is put in its place.
_GOOD = {
    "question": "How is Zolvetrin taken?",
    "query": "Zolvetrin",
    "name": "noise",
    "path": "/nowhere",
    "title": "Zolvetrin 37 mg tablets",
    "rating": "down",
    "message": "How is Zolvetrin taken?",
    "q": "Zolvetrin",
    "text": "Zolvetrin",
    "index_name": LEAFLETS,
    "document_path": "/nowhere",
    "directory_path": "/nowhere",
}
_ODD_TEXTS = (
    "", " ", "\0", "\ud800", "a\udfffb", "\ufffe", "Zolvetrin", LEAFLETS, '"', "'; --", "../..", "%00",
    "𝔘" * 1_000, "x" * 50_000, "NEAR(", "*", "a AND", "(((", "{0}", "\r\n", "2020-13-01", "٣", "\x1f", "\u2028",
)  # fmt: skip
_ODD = (
    None, True, 0, -1, 2.0, 2.5, 10**400, float("nan"),
    float("inf"), [], {}, [None], [[]], [{}], {"a": "b"}, [LEAFLETS] * 2_000,
)  # fmt: skip


def _form(*parts: tuple[str, bytes]) -> bytes:
    """A multipart form with the boundary ``b``: each part with what its disposition says."""
    lines = b"--b\r\nContent-Disposition: form-data; %b\r\n\r\n%b\r\n"
    return b"".join(lines % (says.encode(), data) for says, data in parts) + b"--b--\r\n"


_FILE = 'name="file"; filename="a.txt"'
_BODIES = st.binary(max_size=200) | st.sampled_from(
    [
        b"", b"null", b"{", b"[" * 60_000, b'{"question":' * 5_000, b'{"question": "\xff\xfe"}',
        b"\xef\xbb\xbf{}", b'{"query": "x", "k": ' + b"9" * 5_000 + b"}", b'"' + b"x" * 70_000 + b'"',
        json.dumps(_GOOD).encode(), json.dumps(_GOOD).encode("utf-16"), b"file=a&index=b&" * 20,
        b"--b", b"--b\r\n\r\n", b"--b--", _form(('name="file"', b"text")), _form((_FILE, b"a"), (_FILE, b"b")),
        _form(*(('name="x"', b"y") for _ in range(20))), _form(('name="index"; filename="i"', b"i")),
        _form(('name="file"; filename=""', b"")), _form(('filename="a.txt"', b"a")),
        _form((_FILE, b"a"), ('name="index"', b"\xff" * 2_000_000)),
    ]
)  # fmt: skip
_KINDS = st.sampled_from(
    [
        "application/json", "application/json; charset=utf-16", "text/plain", ";", "\xff/\xfe",
        "multipart/form-data", "multipart/form-data; boundary=b",
        "multipart/form-data; boundary=b; charset=nonsense",
        "multipart/form-data; boundary=" + "b" * 300, "application/x-www-form-urlencoded",
    ]
)  # fmt: skip
_WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=255, exclude_characters="\x7f"))
_HEADERS = st.fixed_dictionaries(
    {"Content-Type": _KINDS},
    optional={
        "Origin": st.sampled_from(["http://[", "null", "http://evil.example", "//"]) | _WORDS,
        "Authorization": _WORDS,
        "Cookie": _WORDS,
        "Accept": st.sampled_from(["text/html", "*/*"]) | _WORDS,
    },
)


@repeatably
@given(_BODIES, _HEADERS, st.binary(min_size=1, max_size=20), st.binary(max_size=20))
def test_noise_is_refused_or_ignored(
    address: str,
    session: requests.Session,
    known: Known,
    body: bytes,
    headers: dict[str, str],
    place: bytes,
    query: bytes,
) -> None:
    """Bodies that are broken, too long, missing or of another kind; odd headers, paths and queries: each
    goes to every operation."""
    lines = {name: value.encode("latin-1") for name, value in headers.items()}
    for operation in OPERATIONS:
        path = operation.path
        for name in _PLACES:
            path = path.replace(f"{{{name}}}", quote(place, safe=""))
        response = session.request(
            operation.method, f"{address}{path}?index={quote(query)}", data=body, headers=lines
        )
        _is_described(operation, response)


@every_operation_with_json
def test_no_odd_value_of_a_field_is_a_fault(
    operation: APIOperation, address: str, session: requests.Session, known: Known
) -> None:
    """Each field of a request with each odd value, while the others are good."""
    body = operation.definition.raw["requestBody"]["content"]["application/json"]
    name = body["schema"]["$ref"].rpartition("/")[2]
    for field, schema in document(2_000)["components"]["schemas"][name]["properties"].items():
        texts = [[text] for text in _ODD_TEXTS] if schema.get("type") == "array" else _ODD_TEXTS
        for odd in (*texts, *_ODD):
            sent = json.dumps({**_GOOD, field: odd})
            response = session.request(
                operation.method,
                address + operation.path,
                data=sent,
                headers={"Content-Type": "application/json"},
            )
            _is_described(operation, response)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Good, broken and hostile files."""
    folder = tmp_path_factory.mktemp("uploads")
    pdf = make_pdf(folder / "a.pdf", _TEXT).read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for name in ("good.txt", "../../out.txt", "bad.pdf", "x" * 250 + ".md", "a.zip"):
            packed.writestr(name, f"{_TEXT} {name}")
    return {
        "text": _TEXT.encode(),
        "utf-16": _TEXT.encode("utf-16"),
        "no text": b"\xff\xfe\x00\xd8" * 50,
        "nothing": b"",
        "html": f"<h1>Zolvetrin</h1><p>{_TEXT}".encode(),
        "pdf": pdf,
        "half a pdf": pdf[: len(pdf) // 2],
        "protected": make_pdf(folder / "b.pdf", _TEXT, password="x").read_bytes(),
        "zip": archive.getvalue(),
        "half a zip": archive.getvalue()[:-40],
    }


def test_uploads_of_every_kind(
    address: str, session: requests.Session, known: Known, files: dict[str, bytes]
) -> None:
    (operation,) = (one for one in OPERATIONS if one.path == "/api/upload")
    names = [
        "a.pdf",
        "a.txt",
        "a.html",
        "a.docx",
        "a.zip",
        "a",
        "../../a.md",
        "ü" * 150 + ".txt",
        "\x01.txt",
    ]
    statuses = set()

    @repeatably
    @example("html", "b.txt", LEAFLETS, "ask", "")
    @example("text", "b.txt", LEAFLETS, "ask", "")  # another file has the name
    @given(
        st.sampled_from(sorted(files)),
        st.sampled_from(names),
        st.sampled_from(["", LEAFLETS, known.values["name"][0], "nobody", "\0"]),
        st.sampled_from(["", "ask", "replace", "keep-earlier", "keep-both", "shrug"]),
        st.sampled_from(["", "x", "wrong", "\ufffe"]),
    )
    def check(content: str, name: str, index: str, on_conflict: str, password: str) -> None:
        response = session.post(
            f"{address}/api/upload",
            files={"file": (name, files[content])},
            data={"index": index, "on_conflict": on_conflict, "password": password},
        )
        _is_described(operation, response)
        statuses.add(response.status_code)

    check()
    assert statuses == {200, 400, 404, 409}


# -- requests from the document --------------------------------------------------------------------


def _cases(operation: APIOperation) -> st.SearchStrategy[Case]:
    """Requests as the document wants them, and as it does not: in a path any text is good."""
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if not (operation.body or operation.query):
        return right
    return right | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)


@every_operation
def test_every_answer_is_one_that_the_document_describes(
    operation: APIOperation, address: str, session: requests.Session, known: Known
) -> None:
    """Good requests are served and wrong ones refused, too; some name what exists."""
    by_meaning = operation.definition.raw["operationId"] in _MEANING
    excluded = [CHECKS.get_one("positive_data_acceptance")] if by_meaning else []

    @repeatably
    @given(_cases(operation), st.none() | st.integers(0, _KNOWN - 1))
    def check(case: Case, number: int | None) -> None:
        if number is not None:
            known.put_into(case, number)
        response = case.call(base_url=address, session=session)
        case.validate_response(response, excluded_checks=[*excluded, *_no_fault(response)])

    check()
