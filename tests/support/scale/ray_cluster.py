"""A Ray cluster of two nodes on this machine's loopback addresses; see `make ray`.

As a program of the environment that has Ray it keeps the cluster until its input ends: ``python
ray_cluster.py NODES`` prints the address.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OBJECTS = 150_000_000  # bytes of memory of each node
_WORKER = "ray::MapWorker"
_START_SECONDS = 300


class RayCluster:
    """A running cluster.

    Attributes:
        address: of its head.
    """

    def __init__(self, holder: subprocess.Popen[str], address: str) -> None:
        self._holder = holder
        self.address = address

    @property
    def pid(self) -> int:
        """Of the process from which all others descend."""
        return self._holder.pid

    def workers(self) -> list[int]:
        """Ids of the processes that read files now."""
        return [one for one in _tree(self._holder.pid) if _command(one).startswith(_WORKER)]

    def worked(self) -> float:
        """Seconds of processor time of the workers and of what they started, so far."""
        return sum(_seconds(one) for one in self.workers())

    def kill_worker(self) -> None:
        """Let one of them be gone."""
        until = time.monotonic() + _START_SECONDS
        while not (found := self.workers()):
            assert time.monotonic() < until, "no worker runs"
            time.sleep(0.1)
        os.kill(found[0], signal.SIGKILL)


@contextmanager
def ray_cluster(python: Path, folder: Path, nodes: int = 2) -> Iterator[RayCluster]:
    """A cluster with one CPU in each node.

    Args:
        python: that has Ray.
        folder: for logs and sockets; these have to have short names, so that it is not to lie deep.
    """
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_TMPDIR": str(folder)}
    with (folder / "cluster.log").open("w") as log:
        holder = subprocess.Popen(
            [str(python), str(Path(__file__)), str(nodes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            text=True,
        )
    assert holder.stdin is not None and holder.stdout is not None
    running: list[int] = []
    try:
        said = ""
        while not said.startswith("address "):
            said = holder.stdout.readline()
            assert said, (folder / "cluster.log").read_text()
        yield RayCluster(holder, said.split()[1])
        running = _tree(holder.pid)
        holder.stdin.close()
        holder.wait(timeout=60)
    finally:
        for pid in (*running, *_tree(holder.pid)):
            if _command(pid).find("ray") >= 0:
                _kill(pid)
        holder.wait()


def _tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for parent in found:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(word) for word in (task / "children").read_text().split()]
        except OSError:  # it has ended
            continue
    return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> None:
    """Keep a cluster until the input ends."""
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": _OBJECTS, "include_dashboard": False}
    first = {**node, "node_ip_address": "127.0.0.2", "include_log_monitor": False}
    cluster = Cluster(initialize_head=True, head_node_args=first)
    for number in range(1, int(sys.argv[1])):
        cluster.add_node(**{**node, "node_ip_address": f"127.0.0.{2 + number}"})
    print("address", cluster.address, flush=True)
    sys.stdin.read()
    cluster.shutdown()


if __name__ == "__main__":
    main()
