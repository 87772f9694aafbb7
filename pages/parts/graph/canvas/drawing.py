"""What the canvas is handed: entities as nodes, relationships as lines, and the legend of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.graph import Entity, Fact
from core.graph.layout import Point
from core.graph.phrases import relationship_phrase
from pages.parts.graph.canvas.looks import line_look, type_shape
from pages.parts.graph.entity_card import property_label
from pages.parts.shared.entity_types import shown_type, type_hex, type_name
from pages.parts.shared.text import short

_NAME, _ABOUT, _SAYS = 120, 140, 300  # characters
FactKey = tuple[str, str, str]

ABLE = (
    "Expand",
    "Collapse",
    "Hide",
    "Pin here",
    "Unpin",
    "Only this and its neighbours",
    "Path to ...",
    "Ask about it",
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn.

    Attributes:
        entities, facts: those drawn.
        places: id -> where it goes, pixels.
        selected: id of the selected entity, or "".
        line: key of the selected fact, or None.
        newest, older: ids that the last answer of the open conversation names or cites; those before it.
        pinned: ids that stay where they were put.
        strong: keys of facts that matter (paths).
        hidden: how many entities are on the canvas and not drawn, hidden one by one.
        kinds: shown type -> how many are on the canvas, and whether it is drawn.
        verbs: relationship type -> how many there are among what is shown, and whether it is drawn.
        able: what the menu of a node offers, of `ABLE`.
    """

    entities: Sequence[Entity]
    facts: Sequence[Fact]
    places: Mapping[str, Point]
    selected: str = ""
    line: FactKey | None = None
    newest: Collection[str] = ()
    older: Collection[str] = ()
    pinned: Collection[str] = ()
    strong: Collection[FactKey] = ()
    hidden: int = 0
    kinds: Mapping[str, tuple[int, bool]] = field(default_factory=dict)
    verbs: Mapping[str, tuple[int, bool]] = field(default_factory=dict)
    able: Sequence[str] = ABLE


def drawing_data(drawn: Drawing) -> dict[str, Any]:
    """The drawing as the browser takes it; a fact is known by its place among the facts."""
    matter = {end for source, _, target in drawn.strong for end in (source, target)}
    line = next((line_id(fact) for fact in drawn.facts if fact.key == drawn.line), "")
    return {
        "nodes": [_node(entity, drawn, entity.id in matter) for entity in drawn.entities],
        "lines": [_line(fact, drawn) for fact in drawn.facts],
        "kinds": [
            {
                "key": kind,
                "name": type_name(kind),
                "shape": type_shape(kind),
                "colour": type_hex(kind),
                "count": count,
                "on": on,
            }
            for kind, (count, on) in sorted(drawn.kinds.items())
        ],
        "verbs": [_verb(kind, count, on, drawn) for kind, (count, on) in drawn.verbs.items()],
        "selected": "" if line else drawn.selected,
        "line": line,
        "hidden": drawn.hidden,
        "able": list(drawn.able),
    }


def line_id(fact: Fact) -> str:
    """What the browser calls a fact."""
    return "\n".join(fact.key)


def fact_key(said: str) -> FactKey | None:
    """The key of the fact that the browser calls so; None for what is no key."""
    parts = said.split("\n")
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None


def kinds_of(
    entities: Sequence[Entity], hidden_types: Collection[str]
) -> dict[str, tuple[int, bool]]:
    """How many there are of each shown type, also of those that are not drawn, and whether they are."""
    counts = Counter(shown_type(entity.type) for entity in entities)
    hidden = {shown_type(kind) for kind in hidden_types}
    return {kind: (counts[kind], kind not in hidden) for kind in {*counts, *hidden}}


def _node(entity: Entity, drawn: Drawing, strong: bool) -> dict[str, Any]:
    x, y = drawn.places[entity.id]
    name = short(entity.name, _NAME) or short(entity.id, _NAME)
    return {
        "id": entity.id,
        "name": name,
        "kind": type_name(entity.type),
        "shape": type_shape(entity.type),
        "colour": type_hex(entity.type),
        "rank": round(entity.importance, 4),
        "degree": entity.degree,
        "about": _about(entity),
        "x": x,
        "y": y,
        "mark": 2 if entity.id in drawn.newest else 1 if entity.id in drawn.older else 0,
        "pinned": entity.id in drawn.pinned,
        "strong": strong,
    }


def _about(entity: Entity) -> str:
    """Its first property, in a line."""
    for name, value in entity.properties.items():
        return f"{property_label(name)}: {short(value, _ABOUT)}"
    return ""


def _line(fact: Fact, drawn: Drawing) -> dict[str, Any]:
    colour, dash = line_look(fact.type)
    verb = relationship_phrase(fact.type, True)
    return {
        "id": line_id(fact),
        "from": fact.source.id,
        "to": fact.target.id,
        "type": fact.type,
        "verb": verb,
        "says": short(f"{fact.source.name} {verb} {fact.target.name}", _SAYS),
        "colour": colour,
        "dash": dash,
        "strong": fact.key in drawn.strong,
    }


def _verb(kind: str, count: int, on: bool, drawn: Drawing) -> dict[str, Any]:
    colour, dash = line_look(kind)
    name = relationship_phrase(kind, True)
    return {"key": kind, "name": name, "colour": colour, "dash": dash, "count": count, "on": on}
