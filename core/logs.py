"""Structured logging: one JSON object a line, each with the correlation id of the request it belongs to.

A log line never holds a key, a question's full text or a document's text: `_redact` masks values whose
name or shape says "secret" and cuts long strings.
"""

from __future__ import annotations

import logging
import logging.handlers
import re
import sys
import uuid
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog

_SECRET_NAME = re.compile(r"(key|token|password|secret|authorization)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_\-]{6,}|\b[Bb]earer\s+\S+|\bAIza[\w\-]{20,}")
LOG_NAME = "materia.log"
ROTATED = 3  # earlier logs that are kept, ``materia.log.1`` the newest of them
_LONGEST_VALUE = 400  # characters; enough for a message, too little for a document


def _redact(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    for name, value in event.items():
        event[name] = _masked(name, value)
    return event


def _masked(name: str, value: Any) -> Any:
    if _SECRET_NAME.search(name):
        return "[hidden]"
    if isinstance(value, Mapping):
        return {str(key): _masked(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_masked("", item) for item in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return mask_secrets(str(value))[:_LONGEST_VALUE]


class _Line(logging.Formatter):
    """The rendered JSON and nothing else: the standard formatter would add an unmasked traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return record.getMessage()


class _File(logging.handlers.RotatingFileHandler):
    """A log whose lines are lost while the disk is full: the usual handler prints a traceback for each."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class _Logger(structlog.stdlib.BoundLogger):
    """Its tracebacks are in the line, masked; the standard logger's own `exception` would add them as they
    are, whatever the handler."""

    def exception(self, event: str | None = None, *args: Any, **values: Any) -> Any:
        return self.error(event, *args, **({"exc_info": True} | values))


def mask_secrets(text: str) -> str:
    """`text` with everything that looks like an API key or a bearer token replaced by ``[hidden]``."""
    return _SECRET_VALUE.sub("[hidden]", text)


def configure(folder: Path | None, level: str = "INFO") -> None:
    """Send log lines to `folder`/materia.log (rotated at 5 MB, 3 kept), or to stderr when it is None."""
    handler: logging.Handler
    if folder is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        handler = _File(
            folder / LOG_NAME,
            maxBytes=5_000_000,
            backupCount=ROTATED,
            encoding="utf-8",
            delay=True,
        )
    handler.setFormatter(_Line())
    # The driver tells every retry; what comes of them, Materia's own errors say.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    root = logging.getLogger("materia")
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(level)
    root.propagate = False
    _mask_all()


def _mask_all() -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _redact,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=_Logger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


# From the first line on, also where nobody calls `configure`: by itself structlog prints tracebacks with the
# values of local variables, and keys are among them.
_mask_all()


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A structured logger below ``materia``."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(f"materia.{name}")
    return logger


@contextmanager
def correlation(identifier: str | None = None) -> Iterator[str]:
    """Give every log line inside the block one correlation id, and yield it.

    An id that is already set (a request that calls another service) is kept.
    """
    present = structlog.contextvars.get_contextvars().get("correlation_id")
    current = identifier or present or uuid.uuid4().hex[:12]
    with structlog.contextvars.bound_contextvars(correlation_id=current):
        yield current


def current_correlation_id() -> str:
    """The correlation id of the running request, or ``-`` outside one."""
    return str(structlog.contextvars.get_contextvars().get("correlation_id", "-"))
