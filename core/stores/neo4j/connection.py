"""One Neo4j server as ordinary calls that never block longer than they may.

The asynchronous driver runs on one background thread, so that a call can be given up when its time is
over: the blocking driver waits for a server that hangs. A cancelled call closes its connection, which
ends its transaction on the server. While a server is away calls fail at once (a circuit breaker), so that
nobody waits, and it is asked in the background until it answers; what else goes wrong is tried again after
a while. Nothing has to be opened again when the server is back.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from core.errors import MateriaError, StoreError, StoreUnavailable
from core.stores.neo4j.breaker import Breaker
from core.stores.neo4j.faults import check_version, store_error, too_slow, wrong_address

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncResult, AsyncSession

T = TypeVar("T")
Row = dict[str, Any]
Statement = tuple[str, Mapping[str, Any]]
Parameters = Mapping[str, Any] | None
Seconds = float | None  # the longest wait for a call; None for the connection's own limit

_RETRY_SECONDS = 1.0  # deadlocks and dropped connections are tried again for so long
_FIRST_RETRY_SECONDS = 0.05
_GRACE_SECONDS = 0.5  # for a cancelled call to end
# A connection idle for longer is tested before use: the server may have restarted.
_IDLE_SECONDS = 1.0
_CLOSE_SECONDS = 2.0
_WATCH_SECONDS = 0.5  # between two attempts to reach a server that is away
_SERVER = """
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version, edition
"""
_SCHEMES = frozenset(
    f"{scheme}{encryption}" for scheme in ("bolt", "neo4j") for encryption in ("", "+s", "+ssc")
)


@dataclass(frozen=True, slots=True)
class Neo4jState:
    """What the system page shows of the server.

    Attributes:
        address: without user and password.
        version, edition: as the server names them; empty while it does not answer.
        problem: why it does not answer; empty when it does.
    """

    answers: bool
    address: str
    version: str = ""
    edition: str = ""
    problem: str = ""


class Neo4j:
    """A connection that opens with its first call, shared by all stores and threads.

    Rows come back as dicts by column; ask for properties or maps, not for nodes. Every call raises
    StoreUnavailable when the server does not answer in time (``GRAPH_UNAVAILABLE``, retryable),
    StoreError when it refuses the password (``GRAPH_AUTH``), is older than 5.26 (``GRAPH_TOO_OLD``)
    or refuses the statement (``GRAPH_QUERY_FAILED``), and lets
    `neo4j.exceptions.ConstraintError` through.

    Args:
        database: name; empty for the server's default.
        timeout: longest wait for a call, in seconds; most calls take another limit as `seconds`.
        breaker_seconds: how long calls fail at once after a failure of a server that is there.
    """

    def __init__(
        self,
        uri: str,
        user: str,
        password: str,
        database: str = "",
        timeout: float = 5.0,
        breaker_seconds: float = 2.0,
    ) -> None:
        self._uri = uri
        self._auth = (user, password) if user or password else None
        self._database = database or None
        self._timeout = timeout
        self._breaker = Breaker(breaker_seconds)
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        # Used on the loop's thread only.
        self._watcher: asyncio.Task[None] | None = None
        self._driver: AsyncDriver | None = None
        self._bookmarks: Any = None
        self._server: tuple[str, str] | None = None

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        parts = urlsplit(self._uri)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    # -- calls -------------------------------------------------------------------------------------

    def read(
        self, query: str, parameters: Parameters = None, *, seconds: Seconds = None
    ) -> list[Row]:
        """The rows of a statement that reads, sent to a reader of a cluster."""
        return self._single(query, parameters, "READ", seconds)

    def write(
        self, query: str, parameters: Parameters = None, *, seconds: Seconds = None
    ) -> list[Row]:
        """The rows of a statement that writes, in a transaction of its own."""
        return self._single(query, parameters, "WRITE", seconds)

    def write_all(
        self,
        statements: Sequence[Statement],
        check: Callable[[list[list[Row]]], None] = lambda _results: None,
        *,
        seconds: Seconds = None,
    ) -> list[list[Row]]:
        """The rows of several statements in one transaction: all of them are kept or none.

        Args:
            check: sees all rows before the commit; what it raises undoes everything and reaches the
                caller. It may be called again when the transaction is, so it only looks.
        """
        limit = self._timeout if seconds is None else seconds

        async def work(driver: AsyncDriver) -> list[list[Row]]:
            from neo4j import unit_of_work

            @unit_of_work(timeout=limit)
            async def transaction(tx: AsyncManagedTransaction) -> list[list[Row]]:
                results = [
                    await _rows(await tx.run(query, dict(parameters)))
                    for query, parameters in statements
                ]
                check(results)
                return results

            async with self._session(driver) as session:
                return await session.execute_write(transaction)

        return self._call(work, limit)

    def run(self, query: str, parameters: Parameters = None, seconds: Seconds = None) -> list[Row]:
        """The rows of a statement that commits by itself: schema, ``CALL {...} IN TRANSACTIONS``."""

        async def work(driver: AsyncDriver) -> list[Row]:
            async with self._session(driver) as session:
                return await _rows(await session.run(query, dict(parameters or {})))

        return self._call(work, seconds)

    def stream(
        self,
        query: str,
        parameters: Parameters = None,
        size: int = 1_000,
        *,
        seconds: Seconds = None,
    ) -> Iterator[Row]:
        """The rows of a statement that reads, `size` at a time, in one transaction.

        Args:
            seconds: the longest wait for each part.
        """
        session, result = self._call(
            lambda driver: self._begin(driver, query, parameters or {}, size), seconds
        )
        end = _abandon
        try:
            while page := self._call(lambda _driver: _page(result, size), seconds):
                yield from page
            end = _close
        finally:
            with suppress(Exception):
                self._submit(end(session)).result(_GRACE_SECONDS)

    def state(self) -> Neo4jState:
        """Whether the server answers, and what it is."""
        try:
            self.read("RETURN 1 AS one")
        except MateriaError as error:
            return Neo4jState(False, self.address, problem=str(error))
        version, edition = self._server or ("", "")
        return Neo4jState(True, self.address, version, edition)

    def close(self) -> None:
        """Close all connections; a later call opens them again."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._shut(), loop).result(_CLOSE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_CLOSE_SECONDS)
        if not thread.is_alive():
            loop.close()

    # -- how a call is made ------------------------------------------------------------------------

    def _single(
        self, query: str, parameters: Parameters, access: str, seconds: Seconds
    ) -> list[Row]:
        """The rows of one statement in a managed transaction, tried again where that helps.

        `execute_query` sends the transaction's begin and the statement at once, which saves a
        managed transaction function's first round trip.
        """
        limit = self._timeout if seconds is None else seconds

        async def work(driver: AsyncDriver) -> list[Row]:
            from neo4j import Query, RoutingControl

            return await driver.execute_query(
                Query(query, timeout=limit),
                dict(parameters or {}),
                routing_=RoutingControl[access],
                database_=self._database,
                bookmark_manager_=self._bookmarks,
                result_transformer_=_rows,
            )

        return self._call(work, limit)

    def _call(self, work: Callable[[AsyncDriver], Awaitable[T]], seconds: Seconds) -> T:
        """What `work` returns on the loop's thread, within the limit and the breaker's rules."""
        limit = self._timeout if seconds is None else seconds
        self._breaker.enter()
        try:
            future = self._submit(asyncio.wait_for(self._work(work), limit))
            try:
                result = future.result(limit + _GRACE_SECONDS)
            except FutureTimeout:
                future.cancel()
                raise
        except Exception as error:
            failure = too_slow(limit) if _is_timeout(error) else store_error(error)
            if failure is None:
                self._breaker.passed()  # the server did answer
                raise
            if failure.code == "GRAPH_QUERY_FAILED":
                self._breaker.passed()
            else:
                self._failed(failure)
            raise failure from error
        except BaseException:
            self._breaker.passed()
            raise
        self._breaker.passed()
        return result

    def _failed(self, failure: StoreError) -> None:
        # A wrong password that is tried again and again locks the user out.
        watched = isinstance(failure, StoreUnavailable)
        self._breaker.failed(failure, watched=watched)
        if watched:
            self._submit(self._watch())

    async def _watch(self) -> None:
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._until_it_answers())

    async def _until_it_answers(self) -> None:
        """Ask the server until it answers, then let calls through."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            with suppress(Exception):
                async with asyncio.timeout(self._timeout):
                    await self._work(lambda driver: driver.execute_query("RETURN 1 AS one"))
                self._breaker.passed()
                return

    async def _work(self, work: Callable[[AsyncDriver], Awaitable[T]]) -> T:
        driver = self._opened()
        if self._server is None:
            self._server = await self._known_server(driver)
        return await work(driver)

    def _submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="neo4j", daemon=True
                )
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    # -- on the loop's thread ----------------------------------------------------------------------

    def _opened(self) -> AsyncDriver:
        if self._driver is None:
            from neo4j import AsyncGraphDatabase

            if urlsplit(self._uri).scheme not in _SCHEMES:  # the driver would try HTTP, too
                raise wrong_address()
            self._driver = AsyncGraphDatabase.driver(
                self._uri,
                auth=self._auth,
                connection_timeout=self._timeout,
                connection_acquisition_timeout=self._timeout,
                max_transaction_retry_time=_RETRY_SECONDS,
                initial_retry_delay=_FIRST_RETRY_SECONDS,
                liveness_check_timeout=_IDLE_SECONDS,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
            self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        return self._driver

    def _session(self, driver: AsyncDriver, **config: Any) -> AsyncSession:
        return driver.session(database=self._database, bookmark_manager=self._bookmarks, **config)

    async def _known_server(self, driver: AsyncDriver) -> tuple[str, str]:
        """Version and edition.

        Raises:
            StoreError: the version is too old (``GRAPH_TOO_OLD``).
        """

        async def transaction(tx: AsyncManagedTransaction) -> list[Row]:
            return await _rows(await tx.run(_SERVER))

        async with self._session(driver) as session:
            found = await session.execute_read(transaction)
        version, edition = (found[0]["version"], found[0]["edition"]) if found else ("", "")
        check_version(version)
        return version, edition

    async def _begin(
        self, driver: AsyncDriver, query: str, parameters: Mapping[str, Any], size: int
    ) -> tuple[AsyncSession, AsyncResult]:
        session = self._session(driver, default_access_mode="READ", fetch_size=size)
        try:
            transaction = await session.begin_transaction()
            return session, await transaction.run(query, dict(parameters))
        except BaseException:
            await _abandon(session)
            raise

    async def _shut(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            self._breaker.passed()
        driver, self._driver, self._server = self._driver, None, None
        if driver is not None:
            await driver.close()


async def _rows(result: AsyncResult) -> list[Row]:
    keys = result.keys()
    return [dict(zip(keys, record, strict=True)) async for record in result]


async def _page(result: AsyncResult, size: int) -> list[Row]:
    keys = result.keys()
    return [dict(zip(keys, record, strict=True)) for record in await result.fetch(size)]


async def _close(session: AsyncSession) -> None:
    """End a session whose connection can be used again."""
    try:
        async with asyncio.timeout(_GRACE_SECONDS):
            await session.close()
    except Exception:
        await _abandon(session)


async def _abandon(session: AsyncSession) -> None:
    """End a session without asking the server, which may be gone; its connection is lost."""
    session.cancel()
    await session.close()


def _is_timeout(error: BaseException) -> bool:
    return isinstance(error, TimeoutError | FutureTimeout) and not isinstance(error, StoreError)
