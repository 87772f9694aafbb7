"""Which language model answers: what the environment says, or what was chosen on the System page.

A choice is remembered in the data folder, its key never: it lives in memory until the process ends.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr, TypeAdapter

from core.domain.answers import Usage
from core.domain.stopping import StopSignal
from core.errors import InputError, StoreError
from core.llm.errors import failure, plain_errors
from core.llm.model import Completion, LanguageModel, OpenAIModel, open_client
from core.llm.reasoning import Withdrawn
from core.logs import get_logger
from core.settings import PROVIDERS, Provider, Settings

# Any of these in the environment is a decision that the remembered choice does not undo. A key alone is
# none: it may be there for other programs.
_DECIDING = frozenset({"llm_provider", "llm_base_url", "llm_model"})
_KEYLESS = (Provider.OLLAMA, Provider.CUSTOM)
_MOST_MODELS = 500
_LONGEST = 300  # characters of a model's name or an address
_TEST = [{"role": "user", "content": "Reply with the one word: ready"}]
_log = get_logger("models")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A language model of a provider.

    Attributes:
        provider: None for no model: answers quote the evidence.
        base_url: empty for the provider's own.
        model: empty for the provider's default.
    """

    provider: Provider | None
    base_url: str = ""
    model: str = ""


_KEPT = TypeAdapter(ModelChoice)


@dataclass(frozen=True, slots=True)
class ModelTest:
    """A model that answered; `text` is what it said, `first_token_seconds` how long it took to begin."""

    model: str
    first_token_seconds: float
    text: str
    usage: Usage | None


class ModelSelector:
    """The language model of the moment; safe to share between threads.

    Args:
        settings: the environment's. Where they name a provider, an address or a model, they win over a
            remembered choice at the start; a choice made later holds until the process ends.
        path: the file that remembers the choice.
    """

    def __init__(self, settings: Settings, path: Path) -> None:
        self._environment = settings
        self._path = path
        self._lock = threading.Lock()
        self._choosing = threading.Lock()  # what is in force and what is written are one choice
        self._settings = settings
        self._model = _model(settings)
        self.needs_key = False
        remembered = None if self.decided_by_environment else self._read()
        if remembered is not None:
            self._use(remembered, self._key(remembered, ""))

    @property
    def decided_by_environment(self) -> bool:
        """Whether the environment names the model, so that a choice is forgotten with the next start."""
        return bool(_DECIDING & self._environment.model_fields_set)

    @property
    def current(self) -> LanguageModel | None:
        """The model that answers; None when answers quote the evidence."""
        with self._lock:
            return self._model

    @property
    def settings(self) -> Settings:
        """The settings with the chosen model in them."""
        with self._lock:
            return self._settings

    @property
    def choice(self) -> ModelChoice:
        """What is in force; its provider is None while `current` is."""
        settings = self.settings
        if not settings.uses_language_model:
            return ModelChoice(None)
        return ModelChoice(settings.llm_provider, settings.llm_base_url, settings.llm_model)

    def warm_up(self) -> None:
        """Load the client (a second), so that the first question need not wait for it."""
        if self.current is not None:
            import openai  # noqa: F401

    def choose(self, choice: ModelChoice, key: str = "") -> None:
        """Answer the next question with this model, and remember it without its key.

        Raises:
            InputError: the address is none, or a name or a key is missing (``MODEL_CHOICE``).
            StoreError: the choice cannot be written down; it holds for now.
        """
        checked = self._checked(choice, key)
        with self._choosing:
            self._use(checked, self._key(checked, key))
            self._write(checked)
        _log.info("model_chosen", provider=str(checked.provider or "none"), model=checked.model)

    def available(self, choice: ModelChoice, key: str = "") -> list[str]:
        """Names of the models that the provider offers, in alphabetical order, 500 at most.

        Raises:
            InputError: see `choose`.
            ModelError: the provider cannot be asked.
        """
        from openai import DefaultHttpxClient, Timeout

        settings = self._settings_for(choice, key, named=False)
        limits = Timeout(settings.llm_first_token_seconds, connect=settings.llm_connect_seconds)
        shared = settings.llm_api_key.get_secret_value()
        with plain_errors(shared), DefaultHttpxClient(follow_redirects=False) as http:
            try:
                found = open_client(settings, http).models.list(timeout=limits)
                names = {str(model.id) for model in found}
            except (AttributeError, TypeError) as error:  # the client's, for a page that is no list
                raise failure("no_list") from error
        if not names:
            raise failure("no_list")
        return sorted(names)[:_MOST_MODELS]

    def test(self, choice: ModelChoice, key: str = "", stop: StopSignal | None = None) -> ModelTest:
        """Send one tiny request.

        Raises:
            InputError: see `choose`.
            ModelError: the model does not answer.
        """
        model = OpenAIModel(self._settings_for(choice, key))
        started = time.perf_counter()
        first = 0.0
        text = ""
        used = None
        for part in model.stream(_TEST, stop):
            if isinstance(part, Completion):
                used = part.usage
            elif isinstance(part, Withdrawn):
                text = ""
            elif isinstance(part, str):
                first = first or time.perf_counter() - started
                text += part
        return ModelTest(model.name, first, text.strip(), used)

    def _settings_for(self, choice: ModelChoice, key: str, *, named: bool = True) -> Settings:
        checked = self._checked(choice, key, named=named)
        return _chosen(self._environment, checked, self._key(checked, key))

    def _use(self, choice: ModelChoice, key: SecretStr) -> None:
        settings = _chosen(self._environment, choice, key)
        with self._lock:
            self._settings = settings
            self._model = _model(settings)
            self.needs_key = choice.provider is not None and self._model is None

    def _key(self, choice: ModelChoice, key: str) -> SecretStr:
        """The key that is given, else the one known for the same endpoint: no provider is ever sent
        another one's."""
        if key.strip():
            return SecretStr(key.strip())
        for known in (self.settings, self._environment):
            if (known.llm_provider, known.llm_base_url) == (choice.provider, choice.base_url):
                return known.llm_api_key
        return SecretStr("")

    def _checked(self, choice: ModelChoice, key: str, *, named: bool = True) -> ModelChoice:
        provider = choice.provider
        if provider is None:
            return ModelChoice(None)
        base_url, model = choice.base_url.strip(), choice.model.strip()
        if (
            len(base_url) > _LONGEST
            or len(model) > _LONGEST
            or not (base_url + model).isprintable()
        ):
            raise _refused(
                "The address or the model's name is too long, or broken.", "Type it again."
            )
        if base_url and not _is_address(base_url):
            raise _refused(
                "The address is no http or https address.",
                "It looks like http://127.0.0.1:8000/v1, without a user's name or password.",
            )
        own_url, own_model = PROVIDERS[provider]
        if provider is Provider.CUSTOM and not base_url:
            raise _refused("A custom provider needs its address.", "Type its base URL.")
        if named and not (model or own_model):
            raise _refused("A custom provider needs a model's name.", "Type or choose one.")
        checked = ModelChoice(provider, "" if base_url == own_url else base_url, model)
        if not key.isprintable() or not key.isascii():
            raise _refused("The key has characters that no key has.", "Copy it again.")
        if provider not in _KEYLESS and not self._key(checked, key).get_secret_value():
            raise _refused(
                f"{provider.title()} needs a key.", "Type the key of your account there."
            )
        return checked

    def _read(self) -> ModelChoice | None:
        try:
            choice = _KEPT.validate_json(self._path.read_bytes())
            if choice.base_url and not _is_address(choice.base_url):
                raise ValueError
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            _log.warning("remembered_model_unreadable")
            return None
        return choice

    def _write(self, choice: ModelChoice) -> None:
        new = self._path.with_suffix(".new")
        try:
            with new.open("wb") as file:
                file.write(_KEPT.dump_json(choice))
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
        except OSError as error:
            raise StoreError(
                f"The choice of model could not be kept ({error.strerror}).",
                advice="It holds until Materia stops. Check that the data folder can be written.",
            ) from error


def _model(settings: Settings) -> OpenAIModel | None:
    return OpenAIModel(settings) if settings.uses_language_model else None


def _chosen(settings: Settings, choice: ModelChoice, key: SecretStr) -> Settings:
    """Settings with another model; without one, no model can be called."""
    return settings.model_copy(
        update={
            "llm_provider": choice.provider or Provider.OPENAI,
            "llm_base_url": choice.base_url,
            "llm_model": choice.model,
            "llm_api_key": key if choice.provider else SecretStr(""),
        }
    )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    good = parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0
    return good and "@" not in parts.netloc


def _refused(message: str, advice: str) -> InputError:
    return InputError(message, advice=advice, code="MODEL_CHOICE")
