"""Settings come from arguments, environment and `.env`, and a mistake in them is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import AliasChoices

from core.settings import PROVIDERS, ConfigError, Provider, Settings, load_settings

pytestmark = pytest.mark.usefixtures("isolated")
KEY = "sk-test-0123456789"
ROOT = Path(__file__).resolve().parents[1]


def test_defaults_are_local_and_offline(isolated: Path) -> None:
    settings = load_settings()
    assert settings.root == isolated / ".materia"
    assert settings.embedding_model == "all-MiniLM-L6-v2"
    assert not settings.uses_language_model and settings.chroma_host == ""
    assert (settings.top_k, settings.candidates, settings.max_entities) == (4, 20, 10)
    assert settings.history_turns == 5


def test_every_setting_is_described() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_environment_wins_over_the_file(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (isolated / ".env").write_text("MATERIA_TOP_K=7\nMATERIA_CANDIDATES=50\n")
    monkeypatch.setenv("MATERIA_TOP_K", "9")
    settings = load_settings()
    assert (settings.top_k, settings.candidates) == (9, 50)
    assert load_settings(top_k=2).top_k == 2


def test_an_empty_value_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATERIA_TOP_K", "")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    settings = load_settings()
    assert settings.top_k == 4 and not settings.uses_language_model


def test_unknown_name_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATERIA_TOPK", "5")
    with pytest.raises(ConfigError, match="MATERIA_TOPK") as caught:
        load_settings()
    assert caught.value.code == "INVALID_SETTING" and caught.value.advice


def test_unknown_name_in_the_file(isolated: Path) -> None:
    (isolated / ".env").write_text("MATERIA_TOPK=5\n")
    with pytest.raises(ConfigError, match="MATERIA_TOPK"):
        load_settings()


def test_unknown_argument() -> None:
    with pytest.raises(ConfigError, match="TOPK"):
        load_settings(topk=5)


def test_the_example_file_names_real_settings_with_their_defaults(
    isolated: Path,
) -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    lines = dict(re.findall(r"^# ([A-Z][A-Z0-9_]+)=(.*)$", example, re.MULTILINE))
    aliases = {
        str(alias)
        for field in Settings.model_fields.values()
        if isinstance(field.validation_alias, AliasChoices)
        for alias in field.validation_alias.choices
    }
    own = {f"MATERIA_{name.upper()}" for name in Settings.model_fields}
    assert len(lines) > 30 and set(lines) - own - aliases == set()
    (isolated / ".env").write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    assert load_settings() == Settings(_env_file=None)


def test_other_programs_lines_in_the_file_are_left_alone(isolated: Path) -> None:
    (isolated / ".env").write_text("COMPOSE_PROJECT_NAME=lab\nMATERIA_TOP_K=6\n")
    assert load_settings().top_k == 6


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MATERIA_TOP_K", "0"),
        ("MATERIA_TOP_K", "101"),
        ("MATERIA_TOP_K", "many"),
        ("MATERIA_LOG_LEVEL", "LOUD"),
        ("MATERIA_DENSE_WEIGHT", "1.5"),
        ("MATERIA_MAX_FILE_MB", "-1"),
        ("MATERIA_CHROMA_PORT", "70000"),
        ("MATERIA_LLM_PROVIDER", "nobody"),
        ("MATERIA_HISTORY_TURNS", "21"),
    ],
)
def test_a_value_out_of_range_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    field = name.removeprefix("MATERIA_").casefold()
    assert field in str(caught.value).casefold()
    assert "Traceback" not in str(caught.value)


def test_a_wrong_value_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody may paste the key into the wrong line."""
    monkeypatch.setenv("MATERIA_TOP_K", KEY)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert KEY not in str(caught.value) and KEY not in repr(caught.value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "MATERIA_LLM_API_KEY"])
def test_a_key_switches_the_model_on_and_stays_hidden(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, KEY)
    settings = load_settings()
    assert settings.uses_language_model and settings.chat_model == "gpt-4o-mini"
    assert settings.llm_api_key.get_secret_value() == KEY
    for shown in (repr(settings), str(settings), str(settings.model_dump()), f"{settings!r}"):
        assert KEY not in shown
    assert KEY not in settings.model_dump_json()


def test_own_names_win_over_providers_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-general")
    monkeypatch.setenv("MATERIA_LLM_API_KEY", "sk-own")
    monkeypatch.setenv("CHROMA_HOST", "general")
    monkeypatch.setenv("MATERIA_CHROMA_HOST", "own")
    settings = load_settings()
    assert settings.llm_api_key.get_secret_value() == "sk-own" and settings.chroma_host == "own"


@pytest.mark.parametrize("provider", list(Provider))
def test_every_provider_has_its_defaults(provider: Provider) -> None:
    settings = load_settings(llm_provider=provider, llm_api_key=KEY)
    assert (settings.chat_base_url, settings.chat_model) == PROVIDERS[provider]
    own = load_settings(llm_provider=provider, llm_base_url="http://127.0.0.1:9", llm_model="m")
    assert (own.chat_base_url, own.chat_model) == ("http://127.0.0.1:9", "m")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"llm_provider": "openai"}, False),
        ({"llm_provider": "deepseek", "llm_api_key": KEY}, True),
        ({"llm_provider": "gemini"}, False),
        ({"llm_provider": "ollama"}, True),
        ({"llm_provider": "custom"}, False),
        ({"llm_provider": "custom", "llm_base_url": "http://127.0.0.1:9/v1"}, True),
    ],
)
def test_when_a_language_model_is_used(fields: dict[str, object], expected: bool) -> None:
    assert load_settings(**fields).uses_language_model is expected


def test_the_home_folder_is_understood(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings(data_dir="~/kept").root == tmp_path / "kept"


def test_what_bears_on_answers_has_no_secret() -> None:
    quoting = load_settings().bearing_on_answers
    assert quoting["relevance_threshold"] == "0.5" and "llm_model" not in quoting
    written = load_settings(
        llm_provider="custom",
        llm_api_key=KEY,
        llm_base_url="https://user:secret@models.example:8443/v1?token=secret",
        llm_model="m",
    ).bearing_on_answers
    assert (written["llm_model"], written["llm_host"]) == ("m", "models.example")
    assert not [value for value in written.values() if "secret" in value or KEY in value]
