"""Whose conversations a request is about: the login's signed cookie says it, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from core.api import routes
from core.api.access import Access
from core.api.users import Login
from core.domain.conversations import LOCAL_USER, UNNAMED_USER, user_key
from core.workspace import Workspace, share_workspace
from pages.parts.shared.login import cookie_claims, login_is_configured
from tests.api.serving import served
from tests.api.test_conversations import ask, code, listed

TEXT = "The recommended dose of Zolvetrin is 37 mg once a day for adults."
QUESTION = "What is the dose of Zolvetrin?"
TOKEN = "a-token-of-the-tests"
SECRET = "a cookie secret of the tests, long enough"
ORIGIN = "http://127.0.0.1:8501"
COOKIE = "_streamlit_user"
ANNA, BEN = ({"iss": "https://id.example", "sub": name, "email": "same@x.example"} for name in "ab")
AUTH = f"""[auth]
redirect_uri = "{ORIGIN}/oauth2callback"
cookie_secret = "{SECRET}"
client_id = "materia"
client_secret = "secret"
server_metadata_url = "http://127.0.0.1:1/none"
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The API behind the login and a token, as app.py puts it together."""
    access = Middleware(Access, token=TOKEN, same_site="lax")
    login = Login(login_is_configured, cookie_claims)
    with served(Starlette(routes=routes(login), middleware=[access])) as url:
        yield url


@pytest.fixture
def workspace(
    make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]
) -> Iterator[Workspace]:
    opened = make_workspace()
    share_workspace(opened)
    yield opened
    share_workspace(None)


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The secrets.toml that Streamlit reads, with a login."""
    path = tmp_path / "secrets.toml"
    path.write_text(AUTH)
    before = config.get_option("secrets.files")
    config.set_option("secrets.files", [str(path)])
    secrets_singleton._reset()
    yield path
    config.set_option("secrets.files", before)
    secrets_singleton._reset()


def signed(claims: dict[str, object], name: str = COOKIE, secret: str = SECRET) -> dict[str, str]:
    """The cookie that Streamlit's callback gives a browser."""
    value = {**claims, "origin": ORIGIN, "is_logged_in": True, "provider": "default"} | claims
    return {name: create_signed_value(secret, name, json.dumps(value)).decode()}


@contextmanager
def browser(address: str, **cookies: str) -> Iterator[httpx.Client]:
    """A browser that has signed in with the token, and has these cookies."""
    with httpx.Client(base_url=address, timeout=60) as opened:
        assert opened.post("/api/sign-in", data={"token": TOKEN}).status_code == 303
        opened.cookies.update(cookies)
        yield opened


@pytest.mark.req("CG-1", "KG-16")
def test_each_user_has_conversations_of_their_own(
    address: str, workspace: Workspace, secrets: Path, pdf: Callable[..., Path]
) -> None:
    document = workspace.library.ingest(pdf("Zolvetrin.pdf", TEXT)).document_id
    header = {"Authorization": f"Bearer {TOKEN}"}
    with (
        browser(address, **signed(ANNA)) as anna,
        browser(address, **signed(BEN)) as ben,
        httpx.Client(base_url=address, headers=header, timeout=60) as script,
    ):
        answer = ask(anna, QUESTION)
        session, turn = answer["conversationId"], answer["turnId"]
        path = f"/api/conversations/{session}"
        rated = anna.post(f"{path}/turns/{turn}/feedback", json={"rating": "up"})
        assert rated.status_code == 200 and listed(anna) == [session]
        data = anna.get(f"{path}/export").content
        for other in (ben, script):
            assert listed(other) == [] and listed(other, search="Zolvetrin") == []
            quoting = other.get(f"/api/documents/{document}/answers").json()
            assert quoting == {"answers": []}
            for made in _calls(other, path, turn):
                missing = _calls(other, "/api/conversations/none", turn)
                assert (made.status_code, made.json()["code"]) in {
                    (404, "CONVERSATION_NOT_FOUND"),
                    (404, "ANSWER_NOT_FOUND"),
                }
                assert _told(made) in [_told(one) for one in missing]
            went_on = ask(other, "And for children?", conversationId=session)
            assert went_on["conversationId"] != session
            # The same file is each one's own conversation.
            came = other.post("/api/conversations/import", content=data).json()
            assert came["new"] and came["conversation"]["id"] != session
            assert not other.post("/api/conversations/import", content=data).json()["new"]
        shown = {"name": "Hers", "view": {"shown": ["D1"]}}
        assert anna.put("/api/graph/views/hers", json=shown).status_code == 200
        for other in (ben, script):
            assert other.get("/api/graph/views").json() == {"views": []}
            for made in (other.get("/api/graph/views/hers"), other.delete("/api/graph/views/hers")):
                assert code(made) == (404, "VIEW_NOT_FOUND")
            assert code(other.put("/api/graph/views/hers", json=shown)) == (409, "ID_TAKEN")
        assert len(anna.get(path).json()["turns"]) == 1 and listed(anna) == [session]
        owners = {one.user for one in workspace.conversations.list()}
        assert owners == {user_key(ANNA), user_key(BEN), UNNAMED_USER}
        assert len(anna.get(f"/api/documents/{document}/answers").json()["answers"]) == 1
        receipt = anna.delete(f"/api/documents/{document}?quotes=true").json()
    assert receipt["receipt"]["quotes"] >= 3  # out of everybody's answers


def _calls(client: httpx.Client, path: str, turn: str) -> list[httpx.Response]:
    return [
        client.get(path),
        client.patch(path, json={"title": "Mine"}),
        client.delete(path),
        client.get(f"{path}/export"),
        client.get(f"{path}/ledger"),
        client.get(f"{path}/turns/{turn}/export"),
        client.post(f"{path}/turns/{turn}/feedback", json={"rating": "down"}),
        client.delete(f"{path}/turns/{turn}/feedback"),
    ]


def _told(response: httpx.Response) -> tuple[str, str]:
    body = response.json()
    return body["code"], body["details"]


@pytest.mark.req("PR-9")
@pytest.mark.parametrize(
    "cookies",
    [
        {},
        {COOKIE: "anna"},
        {COOKIE: json.dumps(ANNA)},
        {COOKIE: "chunks-2", f"{COOKIE}_1": "a", f"{COOKIE}_2": "b"},
        signed(ANNA, secret="another secret"),
        signed(ANNA, secret=""),
        {COOKIE: signed(ANNA, f"{COOKIE}_1")[f"{COOKIE}_1"]},
        signed({**ANNA, "origin": "http://evil.example"}),
        signed({**ANNA, "is_logged_in": False}),
        signed({"name": "Anna"}),
        signed({"iss": "https://id.example", "email": "a@x.example", "email_verified": False}),
        signed({"iss": 1, "sub": ["a"]}),
    ],
)
def test_what_is_not_signed_for_this_server_names_nobody(
    address: str, workspace: Workspace, secrets: Path, cookies: dict[str, str]
) -> None:
    with browser(address, **cookies) as client:
        for path in ("/api/conversations", "/api/documents", "/api/health"):
            assert code(client.get(path)) == (401, "LOGIN_REQUIRED")
        named = {"X-User": "anna", "Authorization": "Bearer wrong"}
        assert code(client.get("/api/conversations?user=anna", headers=named))[0] == 401


def test_a_long_list_of_claims_comes_in_pieces(
    address: str, workspace: Workspace, secrets: Path
) -> None:
    text = json.dumps({**ANNA, "origin": ORIGIN, "is_logged_in": True, "groups": ["x" * 90] * 40})
    pieces = {COOKIE: "chunks-2", f"{COOKIE}_1": text[:2000], f"{COOKIE}_2": text[2000:]}
    cookies = {
        name: create_signed_value(SECRET, name, value).decode() for name, value in pieces.items()
    }
    with browser(address, **cookies) as client:
        assert listed(client) == []


def test_without_a_login_there_is_the_local_user(address: str, workspace: Workspace) -> None:
    with browser(address, **signed(ANNA)) as client:
        ask(client, QUESTION)
    assert [one.user for one in workspace.conversations.list()] == [LOCAL_USER]


def test_secrets_that_cannot_be_read_let_nobody_in(
    address: str, workspace: Workspace, secrets: Path
) -> None:
    secrets.write_text("[auth\ncookie_secret = ")
    secrets_singleton._reset()
    with browser(address) as client:
        assert code(client.get("/api/conversations")) == (401, "LOGIN_REQUIRED")
