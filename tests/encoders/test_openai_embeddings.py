"""Embeddings over HTTP, from a real server on a loopback socket."""

from __future__ import annotations

import logging
import math
import zlib
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from core.encoders.factory import make_encoder
from core.encoders.openai_embeddings import OpenAIEncoder
from core.errors import ModelError, RateLimited
from tests.support.fake_openai import (
    Exchange,
    FakeOpenAI,
    Reply,
    embeddings,
    error,
    fake_openai,
    hang,
    redirect,
)

KEY = SecretStr("sk-test-a-key-that-must-not-be-seen")
SMALL, LARGE = "text-embedding-3-small", "text-embedding-3-large"
MOST_TOKENS = 8191


def vector_of(text: str, dimension: int = 1536) -> list[float]:
    """A vector of no particular length, the same for the same text."""
    drawn = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(dimension)
    numbers: list[float] = drawn.round(4).tolist()
    return numbers


def unit_vector(text: str, dimension: int = 1536) -> list[float]:
    numbers = np.array(vector_of(text, dimension))
    unit: list[float] = (numbers / np.linalg.norm(numbers)).tolist()
    return unit


@pytest.fixture
def provider() -> Iterator[FakeOpenAI]:
    with fake_openai() as fake:
        fake.play(embeddings(vector_of))
        yield fake


@pytest.fixture
def encoder(provider: FakeOpenAI) -> OpenAIEncoder:
    return OpenAIEncoder(SMALL, KEY, provider.url)


def sent(provider: FakeOpenAI) -> list[list[str]]:
    return [request.body["input"] for request in provider.requests]


@pytest.mark.req("KG-1")
@pytest.mark.parametrize(("name", "dimension"), [(SMALL, 1536), (LARGE, 3072)])
def test_vectors_in_the_order_of_the_texts(provider: FakeOpenAI, name: str, dimension: int) -> None:
    provider.play(embeddings(lambda text: vector_of(text, dimension), backwards=True))
    encoder = make_encoder(name, api_key=KEY, base_url=provider.url)
    assert isinstance(encoder, OpenAIEncoder)
    assert (encoder.name, encoder.dimension, encoder.max_tokens) == (name, dimension, MOST_TOKENS)
    texts = ["metformin", "", "Größe 5 µg\n", "metformin"]
    vectors = encoder.encode(texts)
    assert vectors.shape == (4, dimension) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    for place, text in enumerate(["metformin", " ", "Größe 5 µg\n", "metformin"]):
        assert vectors[place] == pytest.approx(unit_vector(text, dimension), abs=1e-5)
    (request,) = provider.requests
    assert request.path == "/v1/embeddings" and request.body["model"] == name
    headers = {key.lower(): value for key, value in request.headers.items()}
    assert headers["authorization"] == f"Bearer {KEY.get_secret_value()}"


def test_no_texts_no_request(provider: FakeOpenAI, encoder: OpenAIEncoder) -> None:
    assert encoder.encode([]).shape == (0, 1536)
    assert provider.requests == []


def test_many_texts_go_in_several_requests(provider: FakeOpenAI, encoder: OpenAIEncoder) -> None:
    texts = [f"text {number}" for number in range(300)]
    vectors = encoder.encode(texts)
    assert [len(batch) for batch in sent(provider)] == [128, 128, 44]
    assert [text for batch in sent(provider) for text in batch] == texts
    assert vectors[257] == pytest.approx(unit_vector("text 257"), abs=1e-5)


def test_long_texts_are_cut_and_share_requests(
    provider: FakeOpenAI, encoder: OpenAIEncoder
) -> None:
    long = "wörter " * 10_000
    encoder.encode([long] * 40)
    batches = sent(provider)
    assert [len(batch) for batch in batches] == [30, 10]
    assert {text for batch in batches for text in batch} == {long[: len(batches[0][0])]}
    assert all(sum(encoder.count_tokens(batch)) <= 250_000 for batch in batches)
    assert MOST_TOKENS - 2 <= encoder.count_tokens(batches[0])[0] <= MOST_TOKENS


def test_busy_providers_are_asked_again(provider: FakeOpenAI, encoder: OpenAIEncoder) -> None:
    provider.play(error(429, retry_after="0.05"), error(503), embeddings(vector_of))
    assert encoder.encode(["a"])[0] == pytest.approx(unit_vector("a"), abs=1e-5)
    assert len(provider.requests) == 3


def short_vectors(exchange: Exchange) -> None:
    embeddings(lambda text: vector_of(text, 384))(exchange)


def one_vector_too_few(exchange: Exchange) -> None:
    exchange.request.body["input"].pop()
    embeddings(vector_of)(exchange)


def zeros(exchange: Exchange) -> None:
    embeddings(lambda _text: [0.0] * 1536)(exchange)


def no_numbers(exchange: Exchange) -> None:
    embeddings(lambda _text: [math.nan] * 1536)(exchange)


def something_else(exchange: Exchange) -> None:
    exchange.status(200, {"answer": 42})


def no_json(exchange: Exchange) -> None:
    exchange.open_stream()
    exchange.end_stream()


@pytest.mark.parametrize(
    ("reply", "code", "attempts"),
    [
        (error(429, retry_after="0.01"), "RATE_LIMITED", 3),
        (error(500), "EMBEDDING_FAILURE", 3),
        (error(401, f"Incorrect key {KEY.get_secret_value()}"), "EMBEDDING_KEY_REFUSED", 1),
        (error(403), "EMBEDDING_KEY_REFUSED", 1),
        (error(404), "EMBEDDING_MODEL_MISSING", 1),
        *(
            (redirect(status, "http://127.0.0.1:9/v1"), "EMBEDDING_REDIRECTED", 1)
            for status in (301, 302, 303, 307, 308)
        ),
        (error(400, f"too long: {KEY.get_secret_value()}"), "EMBEDDING_FAILURE", 1),
        (short_vectors, "EMBEDDING_FAILURE", 1),
        (one_vector_too_few, "EMBEDDING_FAILURE", 1),
        (zeros, "EMBEDDING_FAILURE", 1),
        (no_numbers, "EMBEDDING_FAILURE", 1),
        (something_else, "EMBEDDING_FAILURE", 1),
        (no_json, "EMBEDDING_FAILURE", 1),
        (Exchange.cut, "EMBEDDING_UNREACHABLE", 3),
    ],
)
def test_failures_are_said_in_plain_words_without_the_key(
    provider: FakeOpenAI,
    encoder: OpenAIEncoder,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    reply: Reply,
    code: str,
    attempts: int,
) -> None:
    provider.play(reply)
    with caplog.at_level(logging.INFO), pytest.raises(ModelError) as caught:
        encoder.encode(["metformin", "warfarin"])
    failed = caught.value
    assert (failed.code, len(provider.requests)) == (code, attempts)
    assert isinstance(failed, RateLimited) == (code == "RATE_LIMITED")
    assert failed.advice and failed.__cause__ is None
    written = f"{failed} {caplog.text} {''.join(capsys.readouterr())}"
    assert "sk-test" not in written and "Traceback" not in written


def test_a_provider_that_does_not_answer(provider: FakeOpenAI) -> None:
    provider.play(hang)
    encoder = OpenAIEncoder(SMALL, KEY, provider.url, seconds=0.2)
    with pytest.raises(ModelError) as caught:
        encoder.encode(["metformin"])
    assert (caught.value.code, caught.value.retryable) == ("EMBEDDING_TIMEOUT", True)


def test_a_provider_that_is_not_there(provider: FakeOpenAI) -> None:
    encoder = OpenAIEncoder(SMALL, None, "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError) as caught:
        encoder.encode(["metformin"])
    assert (caught.value.code, caught.value.retryable) == ("EMBEDDING_UNREACHABLE", True)


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [
        (SMALL, None, "EMBEDDING_KEY_MISSING"),
        (LARGE, SecretStr(""), "EMBEDDING_KEY_MISSING"),
        ("text-embedding-9-huge", KEY, "EMBEDDING_MODEL_MISSING"),
    ],
)
def test_what_is_missing_is_said_before_the_first_text(
    name: str, key: SecretStr | None, code: str
) -> None:
    with pytest.raises(ModelError) as caught:
        make_encoder(name, api_key=key)
    assert caught.value.code == code and caught.value.advice


@given(st.lists(st.text(max_size=50), max_size=5))
def test_tokens_are_counted_without_the_provider(texts: list[str]) -> None:
    counts = OpenAIEncoder(SMALL, KEY).count_tokens(texts)
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    assert counts == [max(1, math.ceil(size / 3)) for size in sizes]
