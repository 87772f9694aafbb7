"""Objects in an S3-compatible store; implements `core.documents.store.objects.ObjectStore`.

The client is the one that comes with pyarrow, which Streamlit needs anyway; it is imported when the first
object is asked for. Endpoint, region and credentials come from the usual AWS variables, and are told nobody.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.errors import FilesUnavailable, MateriaError, StoreError

ARRIVING = "arriving"  # folder of what is not whole yet; the names below it are those it will have
_CONNECT_SECONDS, _ANSWER_SECONDS = 3.0, 30.0
_ATTEMPTS = 2
_BLOCK = 1 << 20
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
# What pyarrow says the store answered, of what does not pass by itself.
_REFUSALS = re.compile(
    r"AWS Error (ACCESS_DENIED|INVALID_ACCESS_KEY_ID|SIGNATURE_DOES_NOT_MATCH|NO_SUCH_BUCKET"
    r"|INVALID_CLIENT_TOKEN_ID|UNRECOGNIZED_CLIENT|MISSING_AUTHENTICATION_TOKEN)"
)


class S3Objects:
    """Objects below ``s3://bucket/prefix``; opens with its first call, safe to share between threads."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._bucket = parts.netloc
        self._root = "/".join(filter(None, (parts.netloc, parts.path.strip("/"))))
        self._lock = threading.Lock()
        self._opened: Any = None

    def check(self) -> None:
        from pyarrow import fs

        with _failures_told():
            (found,) = self._client().get_file_info([self._bucket])
        if found.type != fs.FileType.Directory:
            raise _refused()

    def names(self, folder: str) -> list[str]:
        return list(self.sizes(folder))

    def sizes(self, folder: str) -> dict[str, int]:
        from pyarrow import fs

        place = "/".join(filter(None, (self._root, folder)))
        chosen = fs.FileSelector(place, recursive=True, allow_not_found=True)
        with _failures_told():
            found = self._client().get_file_info(chosen)
        sizes = {
            one.path.removeprefix(f"{self._root}/"): int(one.size)
            for one in found
            if one.type == fs.FileType.File
        }
        if not sizes:
            self.check()  # of a bucket that is not there nothing is listed either
        return dict(sorted(sizes.items()))

    def put(self, source: Path, name: str) -> None:
        arriving = f"{ARRIVING}/{name}"
        with source.open("rb") as reader, _failures_told():
            with self._client().open_output_stream(f"{self._root}/{arriving}") as writer:
                while block := reader.read(_BLOCK):
                    writer.write(block)
            self.copy(arriving, name)
        self.remove(arriving)

    def get(self, name: str, target: Path) -> bool:
        with _failures_told():
            try:
                reader = self._client().open_input_stream(f"{self._root}/{name}")
            except FileNotFoundError:
                return False
            with reader, target.open("wb") as writer:
                shutil.copyfileobj(reader, writer, _BLOCK)
        return True

    def copy(self, name: str, new_name: str) -> None:
        with _failures_told():
            self._client().copy_file(f"{self._root}/{name}", f"{self._root}/{new_name}")

    def remove(self, name: str) -> None:
        with _failures_told():
            try:
                self._client().delete_file(f"{self._root}/{name}")
            except FileNotFoundError:
                return

    def _client(self) -> Any:
        with self._lock:
            if self._opened is None:
                from pyarrow import fs

                endpoint = next(filter(None, map(os.environ.get, _ENDPOINTS)), None)
                self._opened = fs.S3FileSystem(
                    endpoint_override=endpoint,
                    connect_timeout=_CONNECT_SECONDS,
                    request_timeout=_ANSWER_SECONDS,
                    retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS),
                    background_writes=False,
                    allow_delayed_open=True,  # small files in one request
                )
            return self._opened


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except MateriaError:
        raise
    except OSError as error:
        if error.errno is not None:  # of this machine's own disk
            raise
        if _REFUSALS.search(str(error)):
            raise _refused() from error
        raise _away() from error
    except ImportError as error:
        raise StoreError(
            "Files are to be kept in an S3-compatible store, and the client for that is not installed.",
            advice="Install pyarrow as requirements.txt names it, or leave MATERIA_FILES_URL empty.",
            code="FILES_CLIENT_MISSING",
        ) from error


def _away() -> FilesUnavailable:
    return FilesUnavailable(
        "The store that keeps the files cannot be reached.",
        advice="Check that it runs and that MATERIA_FILES_URL and AWS_ENDPOINT_URL are right; Materia goes on "
        "by itself.",
        retryable=True,
    )


def _refused() -> StoreError:
    return StoreError(
        "The store that keeps the files does not let Materia in, or has no such bucket.",
        advice="Check MATERIA_FILES_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that the bucket "
        "has been made.",
        code="FILES_REFUSED",
    )
