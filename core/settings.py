"""Every setting, described and validated; read from the environment and from `.env`.

Materia's own settings start with ``MATERIA_``; providers' usual names (``OPENAI_API_KEY``,
``CHROMA_HOST``) are read too. An unknown ``MATERIA_`` name is an error: a typing mistake must not be
a setting that silently does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import MateriaError

PREFIX = "MATERIA_"
ENV_FILE = ".env"


class ConfigError(MateriaError):
    """A setting is missing, unknown or out of range."""

    status = 500
    default_code = "INVALID_SETTING"


class Provider(StrEnum):
    """Language model providers with an OpenAI-compatible endpoint."""

    OPENAI = "openai"
    DEEPSEEK = "deepseek"
    GEMINI = "gemini"
    OLLAMA = "ollama"
    CUSTOM = "custom"


# Base URL and default model of each provider, from their public API references.
PROVIDERS: dict[Provider, tuple[str | None, str]] = {
    Provider.OPENAI: (None, "gpt-4o-mini"),
    Provider.DEEPSEEK: ("https://api.deepseek.com", "deepseek-chat"),
    Provider.GEMINI: (
        "https://generativelanguage.googleapis.com/v1beta/openai/",
        "gemini-2.0-flash",
    ),
    Provider.OLLAMA: ("http://127.0.0.1:11434/v1", "llama3.1"),
    Provider.CUSTOM: (None, ""),
}
# Tokens. Ollama loads models with a short context unless told otherwise; the others' default models
# take 64,000 and more, but an answer of eight sentences needs no more evidence than this.
_LOCAL_CONTEXT = 8192
_CONTEXT = 32768
_BEARING_ON_ANSWERS = (
    "embedding_model relevance_threshold top_k candidates dense_weight reranker rerank_candidates "
    "diversity_lambda max_entities neighbours_per_entity expansion_limit"
).split()
_BEARING_ON_MODELS = ("llm_max_tokens", "chat_context_tokens", "history_turns")


class Settings(BaseSettings):
    """All settings with their defaults."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ENV_FILE,
        env_ignore_empty=True,
        extra="ignore",  # `load_settings` names unknown ones; .env may serve other programs too
        populate_by_name=True,
        frozen=True,
    )

    data_dir: Path = Field(
        Path(".materia"), description="Folder that holds everything Materia keeps."
    )
    sample: bool = Field(True, description="Load the sample library on the first start.")
    log_level: str = Field("INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="Log level.")

    embedding_model: str = Field(
        "all-MiniLM-L6-v2",
        min_length=1,
        description="Embedding model: the bundled all-MiniLM-L6-v2, any sentence-transformers model "
        "name or folder, or text-embedding-3-small or -large of an OpenAI-compatible endpoint.",
    )
    models_dir: Path | None = Field(
        None,
        description="Where an int8 copy of the bundled model is made if the one that comes with Materia is "
        "damaged (23 MB); empty: models in the data folder.",
    )
    warm_up: bool = Field(
        True,
        description="Load embedding model and vectors in the background once the first page is shown.",
    )

    chroma_host: str = Field(
        "",
        validation_alias=AliasChoices("MATERIA_CHROMA_HOST", "CHROMA_HOST"),
        description="Host of a Chroma server; empty: embedded Chroma in the data folder.",
    )
    chroma_port: int = Field(
        8000,
        ge=1,
        le=65535,
        validation_alias=AliasChoices("MATERIA_CHROMA_PORT", "CHROMA_PORT"),
        description="Port of the Chroma server.",
    )

    neo4j_uri: str = Field(
        "",
        pattern=r"^((neo4j|bolt)(\+s|\+ssc)?://[^\s@]+)?$",
        validation_alias=AliasChoices("MATERIA_NEO4J_URI", "NEO4J_URI"),
        description="Neo4j 5.26 or newer for the graph, its vectors and conversations, like "
        "neo4j://127.0.0.1:7687; empty: the embedded store.",
    )
    neo4j_user: str = Field(
        "neo4j",
        validation_alias=AliasChoices("MATERIA_NEO4J_USER", "NEO4J_USER", "NEO4J_USERNAME"),
        description="Neo4j user.",
    )
    neo4j_password: SecretStr = Field(
        SecretStr(""),
        validation_alias=AliasChoices("MATERIA_NEO4J_PASSWORD", "NEO4J_PASSWORD"),
        description="Neo4j password; empty: no authentication.",
    )
    neo4j_database: str = Field(
        "",
        validation_alias=AliasChoices("MATERIA_NEO4J_DATABASE", "NEO4J_DATABASE"),
        description="Neo4j database; empty: the server's default.",
    )
    neo4j_timeout_seconds: float = Field(
        5, gt=0, le=600, description="Longest wait for one answer of Neo4j, seconds."
    )
    documents_in_neo4j: bool = Field(
        False,
        description="Keep the documents' registry and full text in Neo4j too; without it, search "
        "over documents goes on when Neo4j is away.",
    )

    files_url: str = Field(
        "",
        pattern=r"^(s3://[a-z0-9][a-z0-9.-]+(/[A-Za-z0-9._-]+)*/?)?$",
        description="Where originals are kept, like s3://bucket/prefix; empty: in the data folder. Endpoint "
        "and credentials: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION.",
    )
    files_cache_mb: int = Field(
        1000, ge=1, description="Room for copies of those files on this machine, in megabytes."
    )

    allowed_hosts: str = Field(
        "",
        description="Names, joined with commas, under which the server may be opened beside "
        "localhost and 127.0.0.1, like materia.example.org.",
    )
    access_token: SecretStr = Field(
        SecretStr(""),
        description="What pages and /api ask of everybody; needed to listen beyond this machine.",
    )
    folder_roots: str = Field(
        "",
        description="Folders, joined with commas, that may be read over HTTP, with what is in them; "
        "empty: none.",
    )

    max_file_mb: int = Field(200, ge=1, description="Largest file that is taken, in megabytes.")
    max_pages: int = Field(1500, ge=1, description="Most pages a document may have.")
    extract_seconds: int = Field(60, ge=1, description="Time limit for reading one file, seconds.")
    extract_memory_mb: int = Field(2048, ge=256, description="Memory limit for reading one file.")

    ocr: bool = Field(
        True, description="Recognise the text of scanned pages, where Tesseract is installed."
    )
    ocr_seconds: int = Field(
        600, ge=1, description="Time limit for recognising one file, seconds; a page takes 1 to 3."
    )
    ocr_languages: str = Field(
        "",
        pattern="^[A-Za-z_+]*$",
        description="Tesseract's languages, like eng+deu; empty: those installed among English, "
        "German, Dutch and French.",
    )

    top_k: int = Field(
        4, ge=1, le=100, description="Passages for each part of a question, times two."
    )
    candidates: int = Field(20, ge=1, le=200, description="Candidates before fusion and reranking.")
    dense_weight: float = Field(
        0.8,
        ge=0,
        le=1,
        description="Weight of embedding similarity against full text in hybrid search (.8 is best on the "
        "collections of make bench-search).",
    )
    reranker: str = Field(
        "",
        description="Cross-encoder that reorders the candidates of hybrid search: a sentence-transformers "
        "name or folder, like Alibaba-NLP/gte-multilingual-reranker-base; empty: none.",
    )
    reranker_remote_code: bool = Field(
        False,
        description="Run the Python code that some rerankers bring along; off: they are refused.",
    )
    rerank_candidates: int = Field(20, ge=1, le=200, description="Candidates for the reranker.")
    diversity_lambda: float = Field(
        0.7,
        ge=0,
        le=1,
        description="Share of relevance, against novelty, where passages are chosen to differ (maximal "
        "marginal relevance); 1 takes the best ones.",
    )
    relevance_threshold: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Probability that the evidence answers, below which the answer is the refusal.",
    )
    llm_relevance_threshold: float = Field(
        0.25,
        ge=0,
        le=1,
        description="The same where a language model is set, which reads more passages than are quoted and "
        "may refuse by itself.",
    )
    token_vectors_mb: int = Field(
        500,
        ge=0,
        description="Room in the data folder for statements as the model has read them, which makes answers "
        "quick, in megabytes: 7 for 25 pages; 0: none.",
    )
    reserve_mb: int = Field(
        64,
        ge=0,
        description="Room that is kept free in the data folder for a full disk, so that deleting, asking and "
        "reading go on then, in megabytes; 0: none.",
    )
    max_entities: int = Field(10, ge=1, le=200, description="Entities shown with an answer.")
    neighbours_per_entity: int = Field(25, ge=1, description="Cap per entity in an expansion.")
    expansion_limit: int = Field(200, ge=1, description="Cap on entities in an expansion.")
    max_question_chars: int = Field(2000, ge=1, description="Longest question, in characters.")
    max_conversations: int = Field(
        0,
        ge=0,
        description="Most conversations that are kept; those go first in which nothing was asked for the "
        "longest time, pinned ones stay. 0: no limit.",
    )
    conversation_days: int = Field(
        0,
        ge=0,
        le=36_500,
        description="Days after its last question at which a conversation is removed, unless it is pinned. "
        "0: never.",
    )
    recall: bool = Field(
        True, description="Embed questions with their answers, and offer close earlier ones."
    )
    history_turns: int = Field(5, ge=0, le=20, description="Earlier turns that the model is given.")

    llm_provider: Provider = Field(
        Provider.OPENAI, description="openai, deepseek, gemini, ollama or custom."
    )
    llm_api_key: SecretStr = Field(
        SecretStr(""),
        validation_alias=AliasChoices("MATERIA_LLM_API_KEY", "OPENAI_API_KEY"),
        description="Key of the provider; empty: the extractive answerer, offline.",
    )
    llm_base_url: str = Field(
        "",
        validation_alias=AliasChoices("MATERIA_LLM_BASE_URL", "OPENAI_BASE_URL"),
        description="Endpoint; empty: the provider's own.",
    )
    llm_model: str = Field("", description="Model name; empty: the provider's default.")
    llm_connect_seconds: float = Field(5, gt=0, description="Time limit to connect to the model.")
    llm_first_token_seconds: float = Field(
        20,
        gt=0,
        description="Longest wait for the model's first token, and from one token to the next, seconds.",
    )
    llm_total_seconds: float = Field(
        120,
        gt=0,
        description="Longest time for one answer of the model, retries included, seconds.",
    )
    llm_max_tokens: int = Field(700, ge=50, description="Longest answer of the model, in tokens.")
    llm_context_tokens: int = Field(
        0,
        ge=0,
        description="Context of the model, in tokens, that prompt and answer share; 0: 8,192 for "
        "ollama, else 32,768.",
    )
    llm_price_in: float | None = Field(
        None, ge=0, description="Price of a million prompt tokens in US dollars; empty: as known."
    )
    llm_price_out: float | None = Field(
        None, ge=0, description="Price of a million answer tokens in US dollars; empty: as known."
    )

    @cached_property
    def root(self) -> Path:
        """The data folder as an absolute path."""
        return self.data_dir.expanduser().resolve()

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names of `allowed_hosts`."""
        return tuple(filter(None, map(str.strip, self.allowed_hosts.split(","))))

    @property
    def readable_folders(self) -> tuple[Path, ...]:
        """The folders of `folder_roots`, absolute and without links."""
        names = filter(None, map(str.strip, self.folder_roots.split(",")))
        return tuple(Path(name).expanduser().resolve() for name in names)

    @property
    def models(self) -> Path:
        """The folder for models that are made here."""
        return self.models_dir.expanduser().resolve() if self.models_dir else self.root / "models"

    @property
    def embedding_key(self) -> SecretStr | None:
        """The key for embedding models of an endpoint: another provider's is never sent to OpenAI."""
        own = self.llm_provider in (Provider.OPENAI, Provider.CUSTOM)
        return self.llm_api_key if own else None

    @property
    def uses_neo4j(self) -> bool:
        """Whether the graph is kept in Neo4j rather than in the data folder."""
        return bool(self.neo4j_uri)

    @property
    def uses_language_model(self) -> bool:
        """Whether answers come from a language model rather than from the extractive answerer."""
        if self.llm_provider in (Provider.OLLAMA, Provider.CUSTOM):
            return bool(self.llm_base_url or PROVIDERS[self.llm_provider][0])
        return bool(self.llm_api_key.get_secret_value())

    @property
    def chat_model(self) -> str:
        """Name of the language model that would be called."""
        return self.llm_model or PROVIDERS[self.llm_provider][1]

    @property
    def chat_context_tokens(self) -> int:
        """Tokens that a prompt and its answer may have together."""
        return self.llm_context_tokens or (
            _LOCAL_CONTEXT if self.llm_provider is Provider.OLLAMA else _CONTEXT
        )

    @property
    def bearing_on_answers(self) -> dict[str, str]:
        """What bears on an answer, by name, for its trace: no key, and of an address its host alone."""
        kept = {name: str(getattr(self, name)) for name in _BEARING_ON_ANSWERS}
        if self.uses_language_model:
            kept |= {"llm_model": self.chat_model, "llm_provider": str(self.llm_provider)}
            kept |= {name: str(getattr(self, name)) for name in _BEARING_ON_MODELS}
            kept["llm_host"] = urlsplit(self.chat_base_url or "").hostname or ""
        return {name: value for name, value in kept.items() if value}

    @property
    def chat_base_url(self) -> str | None:
        """Endpoint of the language model; None for OpenAI's own."""
        return self.llm_base_url or PROVIDERS[self.llm_provider][0]


def load_settings(**overrides: object) -> Settings:
    """Settings from arguments, environment and `.env`.

    Raises:
        ConfigError: unknown ``MATERIA_`` name, or a value out of its range; names the setting.
    """
    unknown = unknown_names(overrides)
    if unknown:
        raise ConfigError(
            f"Unknown setting: {', '.join(unknown)}.",
            advice="`python -m core settings` lists the names, docs/guide/settings.md says what they mean.",
        )
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        # Only names and reasons: a value could be a key.
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors(include_input=False)
        )
        raise ConfigError(
            f"A setting is not valid: {problems}.",
            advice="Correct it in the environment or in .env.",
        ) from None


def unknown_names(overrides: Iterable[str] = ()) -> list[str]:
    """Names in the environment, in `.env` or in `overrides` that begin like a setting's and are none's."""
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    given = {name.upper() for name in (*os.environ, *dotenv_values(ENV_FILE))}
    given |= {f"{PREFIX}{name}".upper() for name in overrides}
    return sorted(name for name in given - known if name.startswith(PREFIX))
