"""The document of the API speaks of every route and of no other, and what is not in it is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
import schemathesis
from starlette.routing import Route

from core import __version__
from core.api import routes
from core.api.openapi import document
from core.documents.cutting.sections import SECTION_CODES
from core.documents.library.indexes import check_name
from core.documents.library.names import LONGEST_TITLE
from core.domain.documents import Profile
from core.errors import InputError
from core.search.options import MAX_K, MODES
from core.workspace import Workspace, share_workspace

ROOT = Path(__file__).resolve().parents[2]
METHODS = ("GET", "PUT", "POST", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return document(2_000)


def _references(value: object) -> set[str]:
    """Every component that something in the document points to."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(_references, value.values()))
    return set().union(*map(_references, value)) if isinstance(value, list) else set()


def test_every_route_is_in_the_document_and_no_other(made: dict[str, Any]) -> None:
    served = {
        (route.path, method.casefold())
        for route in routes()
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    told = {(path, method) for path, methods in made["paths"].items() for method in methods}
    assert told == served
    identifiers = [one["operationId"] for path in made["paths"].values() for one in path.values()]
    assert len(set(identifiers)) == len(identifiers) == len(told)


def test_what_stands_at_the_root_is_no_place_of_the_dashboard(made: dict[str, Any]) -> None:
    """Its pages, and what Streamlit serves under names of its own."""
    at_root = {path for path in made["paths"] if not path.startswith("/api/")}
    assert at_root == {"/search", "/create", "/encode_doc", "/encode_batch", "/query"}
    pages = {f"/{path.stem}" for path in (ROOT / "pages").glob("*.py")}
    assert len(pages) > 5 and not at_root & pages
    own = ("/_stcore", "/media", "/component", "/static", "/oauth2callback", "/auth")
    assert not any(path.startswith(own) for path in at_root)


def test_it_is_a_document_of_openapi(made: dict[str, Any]) -> None:
    schema = schemathesis.openapi.from_dict(made)
    schema.validate()
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) == sum(map(len, made["paths"].values()))
    for one in made["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(one)
    components = {
        f"#/components/{kind}/{name}"
        for kind, parts in made["components"].items()
        for name in parts
    }
    used = _references(made)
    assert used <= components
    # Nothing lies about that no operation uses; the token is used by its name.
    assert components - used == {"#/components/securitySchemes/token"}


def test_limits_are_those_of_the_code(made: dict[str, Any]) -> None:
    schemas = made["components"]["schemas"]
    k = schemas["Query"]["properties"]["k"]
    assert (k["minimum"], k["maximum"], k["default"]) == (1, MAX_K, 5)
    assert (
        f": {LONGEST_TITLE} characters" in schemas["NewTitle"]["properties"]["title"]["description"]
    )
    assert schemas["Mode"]["enum"] == list(MODES)
    assert schemas["Section"]["enum"] == list(SECTION_CODES)
    assert schemas["Profile"]["enum"] == [str(one) for one in Profile]
    pattern = re.compile(schemas["NewIndex"]["properties"]["name"]["pattern"])
    for name in ("a", "a" * 100, "Z-_9"):
        assert pattern.search(name)
        check_name(name)
    for name in ("", "a" * 101, "9a", "_a", "a b", "ä"):
        assert not pattern.search(name)
        with pytest.raises(InputError):
            check_name(name)


def test_it_is_served_with_the_limits_of_the_settings(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace(max_question_chars=321))
    answered = client.get("/api/openapi.json")
    assert (answered.status_code, answered.headers["content-type"]) == (200, "application/json")
    served = answered.json()
    assert served["openapi"] == "3.1.0" and served["info"]["version"] == __version__
    assert served["components"]["schemas"]["Question"]["properties"]["question"]["maxLength"] == 321
    assert served == document(321)


def test_what_is_not_in_it_is_refused_with_the_body_of_an_error(
    client: httpx.Client, make_workspace: Callable[..., Workspace], made: dict[str, Any]
) -> None:
    share_workspace(make_workspace())
    unknown = ("", "nothing", "jobs/", "jobs/a/b", "indexes/a%2Fb", "%FF", "..%2Fapi")
    for path in ("/api", *(f"/api/{place}" for place in unknown)):
        for method in METHODS:
            missing = client.request(method, path)
            assert (missing.status_code, missing.json()["code"]) == (404, "PATH_NOT_FOUND")
    for path in made["paths"]:
        allowed = _served(path.replace("{", "").replace("}", ""), made)
        for method in set(METHODS) - allowed:
            wrong = client.request(method, path.replace("{", "").replace("}", ""))
            assert (wrong.status_code, wrong.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
            assert set(wrong.headers["allow"].split(", ")) == allowed
            assert wrong.headers["x-correlation-id"] == wrong.json()["correlationId"]


def _served(path: str, made: dict[str, Any]) -> set[str]:
    """The methods of a path, or of every path with places that it can be read as."""
    methods = {method.upper() for method in made["paths"].get(path, ())}
    if methods:
        return methods | ({"HEAD"} if "GET" in methods else set())
    for known, operations in made["paths"].items():
        if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", known), path):
            methods |= {method.upper() for method in operations}
    return methods | ({"HEAD"} if "GET" in methods else set())
