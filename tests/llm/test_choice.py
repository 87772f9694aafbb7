"""The choice of a language model: tested, used, remembered without its key."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError, MateriaError, ModelError
from core.llm.choice import ModelChoice, ModelSelector
from core.settings import Provider, Settings
from tests.support.answering import KEY, settings_without_environment
from tests.support.fake_openai import Exchange, FakeOpenAI, error, hang, listing, redirect, text

Make = Callable[..., Settings]
NONE = ModelChoice(None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "language_model.json"


@pytest.fixture
def models(path: Path) -> ModelSelector:
    """Nothing in the environment: answers quote the evidence."""
    return ModelSelector(bare(), path)


def bare(**values: object) -> Settings:
    return settings_without_environment(
        llm_connect_seconds=2.0, llm_first_token_seconds=5.0, **values
    )


def custom(provider: FakeOpenAI, model: str = "fake-model") -> ModelChoice:
    return ModelChoice(Provider.CUSTOM, provider.url, model)


def keys_sent(provider: FakeOpenAI) -> list[str]:
    headers = [{k.lower(): v for k, v in request.headers.items()} for request in provider.requests]
    return [header.get("authorization", "").removeprefix("Bearer ") for header in headers]


def said(models: ModelSelector) -> str:
    assert models.current is not None
    parts = models.current.stream([{"role": "user", "content": "?"}])
    return "".join(part for part in parts if isinstance(part, str))


def test_without_a_choice_there_is_no_model(models: ModelSelector, path: Path) -> None:
    assert models.current is None and models.choice == NONE
    assert not models.decided_by_environment and not models.needs_key
    assert not path.exists()


def test_a_choice_answers_at_once_and_after_a_restart(
    models: ModelSelector, path: Path, provider: FakeOpenAI
) -> None:
    provider.play(text("Yes."))
    models.choose(custom(provider))
    assert said(models) == "Yes." and models.choice == custom(provider)
    again = ModelSelector(bare(), path)
    assert again.choice == custom(provider) and said(again) == "Yes."
    again.choose(NONE)
    assert again.current is None
    assert ModelSelector(bare(), path).current is None


def test_the_key_is_kept_in_memory_alone(
    models: ModelSelector, path: Path, provider: FakeOpenAI, log_text: Callable[[], str]
) -> None:
    provider.play(text("Yes."))
    choice = ModelChoice(Provider.OPENAI, provider.url, "fake-model")
    models.choose(choice, KEY)
    said(models)
    models.choose(ModelChoice(Provider.OPENAI, provider.url, "other"))  # the key is known
    said(models)
    assert keys_sent(provider) == [KEY, KEY]
    for file in path.parent.rglob("*"):
        assert not file.is_file() or KEY not in file.read_text("utf-8")
    assert KEY not in log_text() + repr(models.settings) + repr(models.choice)
    again = ModelSelector(bare(), path)
    assert again.current is None and again.needs_key
    again.choose(choice, KEY)
    assert again.current is not None and not again.needs_key


def test_a_key_goes_only_where_it_belongs(path: Path, provider: FakeOpenAI) -> None:
    models = ModelSelector(bare(llm_api_key=KEY), path)  # for OpenAI's own endpoint
    assert models.choice == ModelChoice(Provider.OPENAI)
    provider.play(text("Yes."))
    models.choose(custom(provider))
    said(models)
    models.test(custom(provider))
    assert keys_sent(provider) == ["none", "none"]
    with pytest.raises(InputError):
        models.choose(ModelChoice(Provider.DEEPSEEK))
    with pytest.raises(InputError):
        models.test(ModelChoice(Provider.OPENAI, provider.url))
    models.choose(ModelChoice(Provider.OPENAI))
    assert models.settings.llm_api_key.get_secret_value() == KEY


def test_the_environment_wins_at_the_start(path: Path, provider: FakeOpenAI) -> None:
    ModelSelector(bare(), path).choose(custom(provider))
    decided = ModelSelector(bare(llm_provider="ollama"), path)
    assert decided.decided_by_environment
    assert decided.choice == ModelChoice(Provider.OLLAMA)
    decided.choose(NONE)
    assert decided.current is None  # until it stops
    assert ModelSelector(bare(llm_provider="ollama"), path).current is not None
    assert ModelSelector(bare(llm_api_key=KEY), path).current is None  # a key alone decides nothing


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"provider": "nobody", "base_url": "", "model": ""}', '{"provider": 3}',
     '{"provider": "custom", "base_url": "file:///etc/passwd", "model": "m"}', "\x00\xff"],
)  # fmt: skip
def test_a_broken_file_is_no_choice(content: str, path: Path) -> None:
    path.write_text(content)
    assert ModelSelector(bare(), path).current is None


@pytest.mark.parametrize(
    "choice",
    [
        ModelChoice(Provider.CUSTOM, "", "m"),
        ModelChoice(Provider.CUSTOM, "ftp://host/v1", "m"),
        ModelChoice(Provider.CUSTOM, "http://", "m"),
        ModelChoice(Provider.CUSTOM, "http://user:word@host/v1", "m"),
        ModelChoice(Provider.CUSTOM, "http://host:99999/v1", "m"),
        ModelChoice(Provider.CUSTOM, "http://host/v1\nX: y", "m"),
        ModelChoice(Provider.CUSTOM, "http://host/v1", ""),
        ModelChoice(Provider.CUSTOM, "http://host/v1", "m" * 301),
        ModelChoice(Provider.GEMINI),
    ],
)
def test_a_choice_that_cannot_be_is_refused(
    choice: ModelChoice, models: ModelSelector, path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        models.choose(choice)
    assert caught.value.code == "MODEL_CHOICE" and caught.value.advice
    assert models.current is None and not path.exists()


def test_a_broken_key_is_refused(models: ModelSelector, provider: FakeOpenAI) -> None:
    for key in ("sk-\n1", "sk–1"):
        with pytest.raises(InputError):
            models.choose(custom(provider), key)


def test_the_models_of_a_provider_are_listed(models: ModelSelector, provider: FakeOpenAI) -> None:
    provider.play(listing("b-model", "a-model", "b-model"))
    assert models.available(custom(provider, ""), KEY) == ["a-model", "b-model"]
    assert [request.path for request in provider.requests] == ["/v1/models"]
    assert keys_sent(provider) == [KEY] and models.current is None


def test_a_test_sends_one_tiny_request(models: ModelSelector, provider: FakeOpenAI) -> None:
    provider.play(text("ready"))
    done = models.test(custom(provider), KEY)
    assert (done.model, done.text) == ("fake-model", "ready")
    assert done.first_token_seconds > 0 and done.usage is not None
    assert len(provider.requests) == 1 and len(provider.requests[0].user) < 100
    assert models.current is None and keys_sent(provider) == [KEY]


@pytest.mark.parametrize("said", ["<think>Hm.</think>\nready", "Hm.</think>\nready"])
def test_a_test_shows_no_thoughts(said: str, models: ModelSelector, provider: FakeOpenAI) -> None:
    provider.play(text(said, 2))
    assert models.test(custom(provider), KEY).text == "ready"


def page(exchange: Exchange) -> None:
    """What a web server says that knows nothing of models."""
    exchange.status(200, {"hello": "world"})


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (error(401), "MODEL_KEY_REFUSED"),
        (error(404), "MODEL_NOT_FOUND"),
        (redirect(307, "http://127.0.0.1:9/v1"), "MODEL_REDIRECTED"),
        (error(500), "MODEL_FAILED"),
        (page, "MODEL_FAILED"),
    ],
)
def test_what_cannot_be_listed_is_told(
    reply: Callable[[Exchange], None], code: str, models: ModelSelector, provider: FakeOpenAI
) -> None:
    provider.play(reply)
    with pytest.raises(ModelError) as caught:
        models.available(custom(provider), KEY)
    assert caught.value.code == code and KEY not in str(caught.value)
    assert len(provider.requests) == 1


def test_a_model_that_hangs_fails_its_test(path: Path, provider: FakeOpenAI) -> None:
    provider.play(hang)
    models = ModelSelector(settings_without_environment(llm_first_token_seconds=1.0), path)
    for ask in (models.test, models.available):
        with pytest.raises(ModelError) as caught:
            ask(custom(provider))
        assert caught.value.code == "MODEL_TIMEOUT"


def test_choices_from_many_threads_leave_one_whole_choice(
    models: ModelSelector, path: Path, provider: FakeOpenAI
) -> None:
    provider.play(text("Yes."))
    failed: list[MateriaError] = []

    def choose(number: int) -> None:
        try:
            models.choose(custom(provider, f"model-{number}"))
            said(models)
        except MateriaError as problem:
            failed.append(problem)

    threads = [threading.Thread(target=choose, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert models.current is not None and models.current.name == models.choice.model
    assert json.loads(path.read_text())["model"] == models.choice.model
