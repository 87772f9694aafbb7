"""Files and folders of the server's machine: which of them may be read over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.api.guard import Forbidden
from core.errors import NotFound


class PlaceNotAllowed(Forbidden):
    """A path beyond the folders that may be read over HTTP."""

    default_code = "PATH_NOT_ALLOWED"


def under_roots(path: Path, roots: Sequence[Path]) -> Path | None:
    """The place without links; None where it is under none of the roots, there or not.

    Args:
        roots: absolute and without links.
    """
    try:
        real = path.resolve() if path.is_absolute() else None
    except (OSError, RuntimeError, ValueError):  # a loop of links, a name no file can have
        return None
    return real if real is not None and any(real.is_relative_to(root) for root in roots) else None


def allowed(text: str, roots: Sequence[Path]) -> Path:
    """The place that a request names, without links.

    Raises:
        PlaceNotAllowed: it is under none of the roots; told alike whether it is there or not.
    """
    real = under_roots(Path(text), roots)
    if real is None:
        raise PlaceNotAllowed(
            "This place may not be read over HTTP.",
            advice="Name its folder, or one above it, in MATERIA_FOLDER_ROOTS; or upload the file.",
        )
    return real


def existing_folder(real: Path) -> Path:
    """The same folder.

    Raises:
        NotFound: ``FOLDER_NOT_FOUND``.
    """
    if not _is(Path.is_dir, real):
        raise NotFound(
            "There is no such folder.",
            advice="Give the whole path of a folder on the machine that runs Materia.",
            code="FOLDER_NOT_FOUND",
        )
    return real


def existing_file(real: Path) -> Path:
    """The same file.

    Raises:
        NotFound: ``FILE_NOT_FOUND``.
    """
    if not _is(Path.is_file, real):
        raise NotFound(
            "There is no such file.",
            advice="Give the whole path of a file on the machine that runs Materia.",
            code="FILE_NOT_FOUND",
        )
    return real


def _is(kind: Callable[[Path], bool], real: Path) -> bool:
    """Whether a place is of a kind; one that cannot be looked at, or whose name is too long, is of none."""
    try:
        return kind(real)
    except OSError:
        return False
