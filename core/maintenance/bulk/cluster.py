"""The way to a Ray cluster, which Materia needs for nothing else: Ray is imported here and nowhere before."""

from __future__ import annotations

import logging
import os
import pickle
import socket
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from core.child_process import ROOT
from core.errors import MateriaError, StoreError
from core.maintenance.bulk.making import Recipe
from core.maintenance.bulk.stack import StackedFile
from core.maintenance.bulk.worker import Marks, WorkedOut, Worker, read_row

REQUIREMENTS = "requirements-ray.txt"
_KNOCK_SECONDS = 5.0
_MOST_BLOCKS = 10_000
_BLOCK_BYTES = 8_000_000  # of what is handed on at once
_NODE = "ray.io/node-id"  # files are read where they lie
_RETRIES = 3  # of a file whose worker was lost
_LEFT_OUT = ["**/__pycache__", "**/*.pyc"]


class Cluster:
    """A cluster that this process is connected to."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def outcomes(
        self,
        items: Sequence[StackedFile],
        recipe: Recipe,
        names: Sequence[tuple[str, str, str]],
        known: Marks,
    ) -> Generator[tuple[int, WorkedOut]]:
        """The place of each item with what became of it, in the order in which they are done; none for an
        item whose worker was lost too often.

        Raises:
            StoreError: the cluster is gone (``RAY_LOST``).
        """
        from ray import data
        from ray.exceptions import RayError

        shared = self._ray.put((list(names), known))
        rows = [
            {"place": place, "name": item.name, "where": item.where, "url": item.url}
            for place, item in enumerate(items)
        ]
        made = data.from_items(rows, override_num_blocks=min(len(rows), _MOST_BLOCKS))
        if not all(item.url for item in items):
            here = self._ray.get_runtime_context().get_node_id()
            made = made.map(read_row, num_cpus=0, label_selector={_NODE: here})
        made = made.map(
            Worker,
            fn_constructor_args=(recipe, [shared]),
            compute=data.ActorPoolStrategy(size=self.workers),
            num_cpus=1,
            max_task_retries=_RETRIES,
        )
        try:
            for row in made.iter_rows():
                # A cluster runs what it is given, and gives back what it ran: it is to be trusted.
                yield row["place"], pickle.loads(row["outcome"])  # noqa: S301
        except RayError as error:
            raise StoreError(
                "The Ray cluster was lost.",
                advice="Start it, and give the same command again: it goes on where it was.",
                code="RAY_LOST",
                retryable=True,
            ) from error


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """A cluster, by the address of its head (``host:port``) or ``auto``, from a machine that belongs to it.

    Its workers get this Materia's code; the packages of requirements.txt they must have.

    Raises:
        MateriaError: Ray is not installed (``RAY_MISSING``).
        StoreError: the cluster cannot be reached, or has another Ray or Python (``RAY_UNREACHABLE``).
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = _imported()
    code = {"py_modules": [str(ROOT / "core")], "excludes": _LEFT_OUT}
    try:
        _knock(address)
        ray.init(
            address=address,
            runtime_env=code,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except (OSError, RuntimeError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        reason = said.strip().partition("\n")[0].rstrip(".")
        raise StoreError(
            f"The Ray cluster cannot be used ({reason[:200]}).",
            advice="Check that it runs (ray status), that this machine belongs to it, and that all its "
            f"machines have the Ray of {REQUIREMENTS} and the same Python.",
            code="RAY_UNREACHABLE",
            retryable=True,
        ) from error
    try:
        _quiet()
        yield Cluster(ray)
    finally:
        with suppress(Exception):  # nothing more can be done for it
            ray.shutdown()


def _knock(address: str) -> None:
    """Ray itself waits for minutes where nobody answers."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK_SECONDS).close()


def _imported() -> Any:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MateriaError(
            "Ray is not installed.",
            advice=f"Install it beside Materia: python -m pip install -r {REQUIREMENTS}.",
            code="RAY_MISSING",
        ) from error
    return ray


def _quiet() -> None:
    """What Ray says of itself stays away from the terminal, and from JSON on stdout."""
    from ray._private import worker
    from ray.data import DataContext
    from ray.util.annotations import RayDeprecationWarning

    worker.print_to_stdstream = lambda *_said, **_how: None
    warnings.simplefilter("ignore", RayDeprecationWarning)
    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.target_max_block_size = _BLOCK_BYTES
    context.max_errored_blocks = -1  # they are told by file
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
