"""Names on the command line: which entity is meant, which types; how names are printed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from core.cli.common import UnknownName
from core.domain.graph import Entity
from core.domain.names import name_key
from core.errors import InputError
from core.workspace import Workspace

_LISTED = 10  # entities told of when several may be meant
_LONGEST = 80  # characters of a name that are repeated in a message


def plain(text: str) -> str:
    """Text as one printable line: names come from files, and a terminal obeys control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in valid(text)).split())


def valid(text: str) -> str:
    """Text that can be written as UTF-8: arguments may hold bytes that are none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def described(entity: Entity) -> str:
    """``Metformin (Drug, DB00331)``."""
    return f"{plain(entity.name)} ({plain(entity.type)}, {plain(entity.id)})"


def find_entity(workspace: Workspace, name: str) -> tuple[Entity, list[Entity]]:
    """The entity that an id, a name, a synonym or a part of a name stands for, and others of exactly
    this name.

    A name of its own goes before a synonym, a whole name before a part.

    Raises:
        InputError: the name is empty.
        UnknownName: it stands for no entity (ENTITY_NOT_FOUND) or several (AMBIGUOUS_NAME).
    """
    words = valid(name).strip()
    if not plain(words):
        raise InputError("The name is empty.", advice="Give a name or an id.", code="EMPTY_NAME")
    graph = workspace.graph
    by_id = graph.entity(words)
    if by_id is not None:
        return by_id, []
    named = graph.entities_named(words)
    own = [entity for entity in named if name_key(entity.name) == name_key(words)]
    if len(own) == 1:
        return own[0], [entity for entity in named if entity.id != own[0].id]
    found = named or graph.search_entities(words, limit=_LISTED + 1)
    if len(found) == 1:
        return found[0], []
    shown = f"“{plain(words)[:_LONGEST]}”"
    if found:
        if named:
            raise _several(f"Several entities are named {shown}", found, "Give the id.")
        raise _several(
            f"Several entities have {shown} in a name", found, "Give the whole name, or the id."
        )
    near = workspace.names.suggest(words)
    raise UnknownName(
        f"The graph has no entity named {shown}.",
        advice=f"Did you mean {' or '.join(map(described, near))}?"
        if near
        else "Check the spelling, or search a part of the name.",
        code="ENTITY_NOT_FOUND",
        candidates=near,
    )


def _several(message: str, found: Sequence[Entity], advice: str) -> UnknownName:
    listed = "; ".join(described(entity) for entity in found[:_LISTED])
    more = "; and more" if len(found) > _LISTED else ""
    return UnknownName(
        f"{message}: {listed}{more}.",
        advice=advice,
        code="AMBIGUOUS_NAME",
        candidates=found[:_LISTED],
    )


def known_types(given: Iterable[str] | None, known: Collection[str], what: str) -> list[str]:
    """Types as the graph spells them, from what was given: comma-separated, in any case.

    Raises:
        InputError: code UNKNOWN_TYPE; the graph has none of that name.
    """
    spelt = {name.casefold(): name for name in known}
    asked = [plain(part) for item in given or () for part in item.split(",") if part.strip()]
    for name in asked:
        if name.casefold() not in spelt:
            raise InputError(
                f"The graph has no {what} “{name[:_LONGEST]}”.",
                advice=f"There are: {', '.join(sorted(map(plain, known))) or 'none'}.",
                code="UNKNOWN_TYPE",
            )
    return list(dict.fromkeys(spelt[name.casefold()] for name in asked))
