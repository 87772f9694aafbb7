"""Names on the command line: which entity is meant, which types; how names are printed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

import typer

from core.cli.common import UnknownName, described, plain, valid
from core.domain.graph import Entity
from core.domain.names import name_key
from core.errors import InputError
from core.graph.namesakes import Namesake, name_and_type, namesakes, of_types
from core.workspace import Workspace

Type = Annotated[
    list[str] | None,
    typer.Option(
        "--type", help="The type that is meant where several are called so, like Disease."
    ),
]
_LISTED = 10  # entities told of when several may be meant
_LONGEST = 80  # characters of a name that are repeated in a message


def find_entity(
    workspace: Workspace, name: str, types: Collection[str] = ()
) -> tuple[Entity, list[Entity]]:
    """The entity that an id, a name, a synonym or a part of a name stands for, and others of exactly
    this name.

    A name of its own goes before a synonym, a whole name before a part. Behind a name may stand the
    type that is meant: "gout (Disease)".

    Args:
        types: of the entity, where several are called so.

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
    all_named = graph.entities_named(words)
    if not all_named and not types:
        words, types = name_and_type(words, graph.projection().entity_types)
        all_named = graph.entities_named(words)
    named = of_types(all_named, types)
    own = [entity for entity in named if name_key(entity.name) == name_key(words)]
    if len(own) == 1:
        return own[0], [entity for entity in all_named if entity.id != own[0].id]
    if all_named and not named:
        kinds = " or ".join(map(plain, types))
        raise UnknownName(
            f"No {kinds} in the graph is named “{plain(words)[:_LONGEST]}”.",
            advice=f"So called are: {'; '.join(map(described, all_named))}.",
            code="ENTITY_NOT_FOUND",
            candidates=all_named,
        )
    found = named or of_types(graph.search_entities(words, limit=_LISTED + 1), types)
    if len(found) == 1:
        return found[0], [entity for entity in all_named if entity.id != found[0].id]
    shown = f"“{plain(words)[:_LONGEST]}”"
    if found:
        if named:
            apart = len({entity.type for entity in found}) > 1
            by_type = f", or the type: “{plain(words)[:_LONGEST]} ({plain(found[0].type)})”"
            advice = f"Give the id{by_type if apart else ''}."
            told = namesakes(graph, found)
            raise _several(f"Several entities are named {shown}", found, advice, told)
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


def _several(
    message: str, found: Sequence[Entity], advice: str, namesakes: Sequence[Namesake] = ()
) -> UnknownName:
    listed = "; ".join(described(entity) for entity in found[:_LISTED])
    more = "; and more" if len(found) > _LISTED else ""
    return UnknownName(
        f"{message}: {listed}{more}.",
        advice=advice,
        code="AMBIGUOUS_NAME",
        candidates=found[:_LISTED],
        namesakes=namesakes,
    )


def wanted_types(workspace: Workspace, given: list[str] | None) -> list[str]:
    """The types of ``--type`` as the graph spells them; "Disease" takes clinical ones too.

    Raises:
        InputError: code UNKNOWN_TYPE.
    """
    known = {*workspace.graph.projection().entity_types, "Disease"} if given else set()
    return known_types(given, known, "entity type")


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
