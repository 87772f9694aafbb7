"""With a language model set, its answer is streamed into the chat and carries the same citations."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.conftest import serving
from tests.fake_openai import Exchange, fake_openai
from tests.pdfs import make_pdf

KEY = "sk-browser-test-0123456789abcdef"
QUESTION = "What is the recommended dose of Zolvetrin?"


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
    with urllib.request.urlopen(request, timeout=60) as response:
        assert response.status == 200


def test_a_model_answer_streams_with_its_citations_and_shows_no_key(
    new_page: Callable[..., Any], tmp_path: Path
) -> None:
    seen_before_the_end: list[str] = []

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece("The recommended dose of Zolvetrin ")
        exchange.released.wait(20)  # the page must show the first piece before the rest comes
        exchange.piece("is 37 mg once a day [1]. It is also 99 mg [1].")
        exchange.end_stream()

    with fake_openai() as provider:
        provider.play(reply)
        environment = {
            "MATERIA_SAMPLE": "false",
            "MATERIA_LLM_PROVIDER": "custom",
            "MATERIA_LLM_MODEL": "fake-model",
            "MATERIA_LLM_BASE_URL": provider.url,
            "OPENAI_API_KEY": KEY,
        }
        with serving(tmp_path / "data", **environment) as address:
            pdf = make_pdf(
                tmp_path / "z.pdf", "The recommended dose of Zolvetrin is 37 mg once a day."
            )
            _upload(address, pdf)
            page = new_page(address)
            box = page.get_by_test_id("stChatInputTextArea")
            box.fill(QUESTION)
            box.press("Enter")
            page.get_by_text("The recommended dose of Zolvetrin", exact=True).wait_for(
                timeout=40_000
            )
            seen_before_the_end.append(page.locator(".st-key-chat_log").inner_text())
            provider.released.set()
            page.locator(".answer").wait_for(timeout=20_000)

            assert "37 mg" not in seen_before_the_end[0]
            assert page.locator(".sentence.document").count() == 1
            assert "99" in page.locator(".sentence.unsupported .problem").inner_text()
            page.get_by_text(re.compile(r"Sources \(1\)")).click()
            page.get_by_role("button", name=re.compile(r"Zolvetrin\.pdf, p\. 1")).first.wait_for()
            page.get_by_text("Model: fake-model").wait_for()
            page.goto(f"{address}/system")
            page.get_by_role("heading", name="System").wait_for()
            assert KEY not in page.content()
        assert len(provider.requests) == 1
    logs = "".join(path.read_text() for path in (tmp_path / "data" / "logs").iterdir())
    assert "answered" in logs and KEY not in logs
