"""A small graph with every kind of text in it, for the tests of all graph stores."""

from __future__ import annotations

from core.domain.graph import Entity, Fact, Relationship

METFORMIN = Entity(
    "D1",
    "Drug",
    "Metformin",
    ("Glucophage", "N,N-dimethylbiguanide"),
    {"state": "solid", "identifiers": "MESH:D008687 | UNII:9100L32L2N"},
    3,
    0.9,
)
WARFARIN = Entity("D2", "Drug", "Warfarin", importance=0.2)
DIABETES = Entity("X1", "Disease", "type 2 diabetes mellitus", ("T2DM",), importance=1.0)
PAIN = Entity("P1", "Phenotype", "Pain", importance=0.5)
MARKUP = Entity("<img src=x>", "Drug", "<img src=x onerror=alert(1)>", importance=0.1)
SQL = Entity("'; --", "Drug", "'; DROP TABLE entities; --", ("100%_sure",), importance=0.3)
UNICODE = Entity(
    "α/β:1",
    "Protein",
    "β₂-adrénergique 受体 \u202e\U0001f9ec",
    ("Straße", "a\u0301"),
    {"note": 'line\nbreak\t"quoted" \\ {json}', "Ключ": "значение"},
    degree=0,
    importance=0.05,
)
ENTITIES = (METFORMIN, WARFARIN, DIABETES, PAIN, MARKUP, SQL, UNICODE)
LABEL = {"source": "label", "note": "<b>'\"\\ ü"}
RELATIONSHIPS = (
    Relationship("D1", "TREATS", "X1", LABEL),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "P1"),
    Relationship("D2", "CAUSES_SIDE_EFFECT", "P1"),
    Relationship("D2", "INTERACTS_WITH", "D1", {"level": "low"}),
    Relationship("D1", "RESEMBLES", "D1"),
    Relationship("<img src=x>", "`]->() DELETE n //", "'; --"),
)
BY_IMPORTANCE = [DIABETES, METFORMIN, PAIN, SQL, WARFARIN, MARKUP, UNICODE]


def keys(facts: list[Fact]) -> list[tuple[str, str, str]]:
    """What each fact says, by ids."""
    return [fact.key for fact in facts]
