"""With a language model set: its answer is streamed into the chat with citations, without thoughts and
strange addresses, goes on when the page is changed or reloaded, can be stopped, and tried again after a
failure."""

from __future__ import annotations

import re
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import serving, wait_for_one_answer
from tests.support.fake_openai import Exchange, FakeOpenAI, Reply, error, fake_openai, text
from tests.support.pdfs import make_pdf

KEY = "sk-browser-test-0123456789abcdef"
_LONGEST = 120  # seconds, on a machine that is busy with other things
QUESTION = "What is the recommended dose of Zolvetrin?"
ANSWER = "The recommended dose of Zolvetrin is 37 mg once a day [1]."
NewPage = Callable[..., Any]


@pytest.fixture(scope="module")
def _provider() -> Iterator[FakeOpenAI]:
    with fake_openai() as fake:
        yield fake


@pytest.fixture
def provider(_provider: FakeOpenAI) -> FakeOpenAI:
    """The provider, with nothing recorded and nothing held back."""
    _provider.play(text(ANSWER))
    _provider.released.clear()
    return _provider


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("model") / "data"


@pytest.fixture(scope="module")
def address(_provider: FakeOpenAI, data: Path, onnx_models: Path) -> Iterator[str]:
    """A server with one leaflet, which is answered from by the provider's model."""
    environment = {
        "MATERIA_SAMPLE": "false",
        "MATERIA_LLM_PROVIDER": "custom",
        "MATERIA_LLM_MODEL": "fake-model",
        "MATERIA_LLM_BASE_URL": _provider.url,
        "OPENAI_API_KEY": KEY,
    }
    with serving(data, onnx_models, **environment) as address:
        leaflet = make_pdf(
            data.parent / "z.pdf", "The recommended dose of Zolvetrin is 37 mg once a day."
        )
        _upload(address, leaflet)
        yield address


def _upload(address: str, pdf: Path) -> None:
    boundary = "materia-test"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="Zolvetrin.pdf"\r\n'
        "Content-Type: application/pdf\r\n\r\n"
    ).encode()
    body += pdf.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
    request = urllib.request.Request(
        f"{address}/api/upload",
        data=body,
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
    )
    with urllib.request.urlopen(request, timeout=180) as response:
        assert response.status == 200


def _send(page: Any, question: str = QUESTION) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")


def _wait_for_text(page: Any, words: str) -> None:
    """Wait for a text of the panel that begins so."""
    log = page.locator(".st-key-chat_log")
    log.get_by_text(re.compile(f"^{re.escape(words)}")).first.wait_for()


def _refreshed(page: Any, times: int) -> None:
    """Wait until parts of the page have drawn themselves anew so many times."""
    page.evaluate(
        "() => { const app = document.querySelector('[data-testid=stApp]'); window.drawn = 0;"
        " new MutationObserver(() => { window.drawn += app.dataset.testScriptState === 'notRunning'; })"
        ".observe(app, {attributes: true, attributeFilter: ['data-test-script-state']}); }"
    )
    page.wait_for_function("times => window.drawn >= times", arg=times)


def test_a_model_answer_streams_with_its_citations_and_shows_no_key(
    new_page: NewPage, address: str, provider: FakeOpenAI, data: Path
) -> None:
    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece("The recommended dose of Zolvetrin ")
        exchange.released.wait(20)  # the page must show the first piece before the rest comes
        exchange.piece("is 37 mg once a day [1]. It is also 99 mg [1].")
        exchange.end_stream()

    provider.play(reply)
    page = new_page(address)
    _send(page)
    page.get_by_text("The recommended dose of Zolvetrin", exact=True).wait_for()
    assert "37 mg" not in page.locator(".st-key-chat_log").inner_text()
    page.get_by_role("button", name="Minimize").click()
    opener = page.get_by_role("button", name="Open the chat")
    assert opener.get_attribute("data-unread") == "false"
    provider.released.set()
    page.locator(".chat-opener[data-unread=true]").wait_for()
    page.get_by_role("button", name="Open the chat: a new answer").click()
    wait_for_one_answer(page)

    assert page.locator(".sentence.document").count() == 1
    assert "99" in page.locator(".sentence.unsupported .problem").inner_text()
    page.get_by_text(re.compile(r"Sources \(1\)")).click()
    page.get_by_role("button", name=re.compile(r"Zolvetrin\.pdf, p\. 1")).first.wait_for()
    page.get_by_text("Model: fake-model").wait_for()
    page.goto(f"{address}/system")
    page.get_by_role("heading", name="System").wait_for()
    assert KEY not in page.content()
    assert len(provider.requests) == 1
    logs = "".join(path.read_text() for path in (data / "logs").iterdir())
    assert "answered" in logs and KEY not in logs


_SLOWLY = 0.6  # seconds between two pieces; the page draws a running answer every .4

# Every text that the chat shows from now on, however short it stands there.
_RECORD_JS = """() => {
  window.shown = [];
  const look = () => {
    const text = document.querySelector('.st-key-chat_log')?.innerText ?? '';
    if (text !== window.shown.at(-1)) window.shown.push(text);
  };
  look();
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""


def _slowly(first: Sequence[str], looked: threading.Event, then: Sequence[str]) -> Reply:
    """Pieces so slow that the page draws each; between the two parts it waits until somebody looked."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        for part, goes_on in ((first, looked), (then, exchange.released)):
            for piece in part:
                exchange.piece(piece)
                time.sleep(_SLOWLY)
            goes_on.wait(60)
        exchange.end_stream()

    return reply


def test_thoughts_and_strange_addresses_are_never_seen(
    new_page: NewPage, address: str, provider: FakeOpenAI
) -> None:
    looked = threading.Event()
    thoughts = ("<thi", "nk>They want 900 mg,", " told at http://evil.exam", "ple/x.</th", "ink>")
    strange = (
        "is 37 mg once a day [1]. ",
        "Read htt",
        "p://evil",
        ".example/x",
        " for more [1]. So",
    )
    provider.play(
        _slowly(
            (*thoughts, "The recommended dose of Zolvetrin "), looked, (*strange, " it is [1].")
        )
    )
    page = new_page(address)
    page.evaluate(_RECORD_JS)
    _send(page)
    page.get_by_text("The recommended dose of Zolvetrin", exact=True).wait_for()
    looked.set()
    page.get_by_text(re.compile("So it is")).wait_for()
    running = page.evaluate("() => window.shown")
    assert page.locator(".answer").count() == 0
    assert "So it is" in running[-1] and "(address removed) for more" in running[-1]
    provider.released.set()
    wait_for_one_answer(page)
    answer = page.locator(".answer").inner_text()
    assert "37 mg" in answer and "(address removed)" in answer
    page.get_by_text("An address was removed from the model's answer").wait_for()
    shown = [*page.evaluate("() => window.shown"), answer]
    for never in ("900 mg", "evil", "think", "http"):
        assert not [text for text in shown if never in text], never
    assert page.outside == []


def test_what_turns_out_to_be_thoughts_is_taken_back(
    new_page: NewPage, address: str, provider: FakeOpenAI
) -> None:
    looked = threading.Event()
    provider.play(_slowly(("They want 900 mg, or",), looked, (" not.\n</think>\n", ANSWER)))
    page = new_page(address)
    _send(page)
    _wait_for_text(page, "They want 900 mg")
    looked.set()
    _wait_for_text(page, "The recommended dose of Zolvetrin is 37 mg")
    assert "900" not in page.locator(".st-key-chat_log").inner_text()
    provider.released.set()
    wait_for_one_answer(page)
    assert "37 mg" in page.locator(".answer").inner_text()
    assert "900" not in page.locator(".st-key-chat_log").inner_text()


def test_an_answer_goes_on_over_page_changes_and_a_reload(
    new_page: NewPage, address: str, provider: FakeOpenAI
) -> None:
    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece("The recommended dose of Zolvetrin ")
        exchange.released.wait(60)
        exchange.piece("is 37 mg once a day [1].")
        exchange.end_stream()

    provider.play(reply)
    page = new_page(address)
    _send(page)
    page.get_by_role("link", name="History").click()  # at once, before anything is written
    page.get_by_role("heading", name="History").wait_for()
    _wait_for_text(page, "The recommended dose of Zolvetrin")
    typed = page.get_by_test_id("stChatInputTextArea")
    typed.fill("What about")
    _refreshed(page, 3)
    assert typed.input_value() == "What about"
    page.reload()
    _wait_for_text(page, "The recommended dose of Zolvetrin")
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", name="Library").wait_for()
    provider.released.set()
    wait_for_one_answer(page)
    assert "37 mg" in page.locator(".answer").inner_text()
    page.get_by_role("button", name="Stop").wait_for(state="detached")
    page.reload()
    wait_for_one_answer(page)
    assert len(provider.requests) == 1
    page.get_by_role("button", name="New").click()
    page.get_by_text("Every sentence of an answer shows").wait_for()
    page.reload()
    page.get_by_text("Every sentence of an answer shows").wait_for()


# As where the browser is busy: what is to be done at once is done two seconds later.
_BUSY_JS = """() => {
  const later = window.setTimeout;
  window.setTimeout = (run, wait, ...more) => later(run, wait || 2000, ...more);
}"""


def test_a_question_that_a_busy_page_sends_is_asked_once(
    new_page: NewPage, address: str, provider: FakeOpenAI
) -> None:
    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.released.wait(60)
        exchange.piece(ANSWER)
        exchange.end_stream()

    provider.play(reply)
    page = new_page(address)
    _send(page)
    page.get_by_role("button", name="Stop").wait_for()  # a part of the page refreshes itself
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(QUESTION)
    page.evaluate(_BUSY_JS)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove").first.wait_for()
    provider.released.set()
    page.locator(".answer").nth(1).wait_for()
    page.get_by_role("button", name="Stop").wait_for(state="detached")
    assert page.locator(".answer").count() == len(provider.requests) == 2


def test_stop_ends_the_request_and_gives_the_question_back_then_a_failure_is_tried_again(
    new_page: NewPage, address: str, provider: FakeOpenAI
) -> None:
    opened, closed = threading.Event(), threading.Event()

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        opened.set()
        try:
            while not exchange.released.wait(0.05):
                exchange.piece(None)
        except OSError:
            closed.set()
            raise

    provider.play(reply)
    page = new_page(address)
    _send(page)
    assert opened.wait(_LONGEST), "no request came to the provider"
    page.get_by_role("button", name="Stop").wait_for()
    page.get_by_test_id("stChatInputTextArea").press("Escape")
    assert closed.wait(_LONGEST), "the request to the provider is still open"
    page.wait_for_function(
        "text => document.querySelector('.st-key-chat_input textarea').value === text", arg=QUESTION
    )
    page.reload()  # the question stays, although nobody typed it and its run is forgotten
    page.wait_for_function(
        "text => document.querySelector('.st-key-chat_input textarea')?.value === text",
        arg=QUESTION,
    )
    assert page.locator(".answer").count() == 0

    provider.play(error(500, retry_after="0.01"))
    page.get_by_test_id("stChatInputTextArea").press("Enter")
    _wait_for_text(page, "The language model's")
    provider.play(text(ANSWER))
    page.get_by_role("button", name="Retry").click()
    page.get_by_text("Model: fake-model").wait_for()
    assert "37 mg" in page.locator(".answer").last.inner_text()
