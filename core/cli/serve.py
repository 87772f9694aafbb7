"""`serve`."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import fail
from core.errors import InputError, MateriaError
from core.hosts import is_loopback
from core.settings import ConfigError, Settings, load_settings

# Of glibc, that memory is taken from: with one for each of the server's threads what one has let go is not
# there for the next, and 80 MB more lie about.
_ARENAS = "2"
_PORTS_TRIED = 100  # above the one that is taken, before any free one is good enough


def serve(
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8501,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Start the dashboard."""
    try:
        _check_exposure(host, load_settings())
        _check_port(host, port)
    except MateriaError as error:
        fail(error, as_json=False)
    root = Path(__file__).resolve().parents[2]
    os.chdir(root)
    command = [sys.executable, "-m", "streamlit", "run", str(root / "app.py")]
    options = ["--server.address", host, "--server.port", str(port)]
    typer.echo(f"Materia: http://{host}:{port}  (stop with Ctrl+C)")
    sys.stdout.flush()
    os.environ.setdefault("MALLOC_ARENA_MAX", _ARENAS)
    os.execv(sys.executable, command + options)


def _check_exposure(host: str, settings: Settings) -> None:
    if not is_loopback(host) and not settings.access_token.get_secret_value():
        raise ConfigError(
            f"Listening on {host}, Materia could be used by everybody on the network.",
            advice="Set MATERIA_ACCESS_TOKEN to a long random text that pages and scripts must bring, "
            "and MATERIA_ALLOWED_HOSTS to the name under which the server is opened.",
            code="ACCESS_TOKEN_MISSING",
        )


def _check_port(host: str, port: int) -> None:
    try:
        _bind(host, port)
    except OSError as error:
        free = _free_port(host, port)
        raise InputError(
            f"Port {port} on {host} cannot be used ({error.strerror}).",
            advice=f"Stop what uses it, or choose another: make run PORT={free}."
            if free
            else "Choose an address of this machine.",
            code="PORT_TAKEN",
        ) from error


def _bind(host: str, port: int) -> int:
    """Bind to a port and let it go; its number (0 asks for any free one)."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        return int(probe.getsockname()[1])


def _free_port(host: str, taken: int) -> int | None:
    """A port near the taken one that is free now; None when no port of the address is."""
    for port in (*range(taken + 1, min(taken + _PORTS_TRIED, 65_535) + 1), 0):
        try:
            return _bind(host, port)
        except OSError:
            continue
    return None
