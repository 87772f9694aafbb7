"""What a question asks for, by keywords: standard sections, relationships, types of entities."""

from __future__ import annotations

import re

# What in a question asks for which standard section. German for leaflets in German.
_SECTIONS: tuple[tuple[str, str], ...] = (
    (
        "contraindications",
        r"contra-?indicat|(?:must|should|may|shall)\s?n[o'’]t\b|can(?:\s?not|['’]t| \w+ not)\b|"
        r"do(?:es)? not take|"
        r"not be (?:taken|used|given|started)|who (?:can|should)n[’']t|avoid|forbidden|"
        r"gegenanzeige|darf\b.*\bnicht|nicht (?:ein)?(?:ge)?nommen|kontraindi",
    ),
    (
        "posology",
        r"\bdos(?:e|es|age|ing)\b|posolog|how (?:much|often|many)|maximum|tablets? (?:a|per) day|"
        r"how (?:should|do|is|are|must|can)\b.*\b(?:take|taken|used?|given|start)|"
        r"when\b(?!.*\bn(?:o|['’])t\b).*\b(?:take|taken|used?|using|given|start)|in (?:a|the|one) day\b|"
        r"to begin with|\b(?:forg[eo]t|missed|skipped)|with food|empty stomach|"
        r"dosier|wie (?:viele?|oft|lange|hoch)\b|einnahme|tagesdosis|"
        r"wie (?:wird|soll|nehme|muss)\b.*(?:nehm|nomm|wend|dosier)",
    ),
    (
        "interactions",
        r"interact|interfer|\btogether\b|combin|other (?:medicines|drugs)|at the same time|"
        r"\b(?:affects?|influences?|weakens?)\b|alongside|alcohol|grapefruit|wechselwirk|zusammen mit|"
        r"gleichzeitig|alkohol|\b(?:kann|darf)\b.*\bmit\b.*nehmen\b",
    ),
    (
        "pregnancy",
        r"pregnan|breast-?f(?:eed|ed)|nursing|lactat|fertil|\bbaby\b|schwanger|stillzeit|stillen",
    ),
    (
        "adverse_reactions",
        r"side[- ]effect|adverse|undesirable|reactions?\b|nebenwirkung",
    ),
    (
        "overdose",
        r"overdos|too (?:much|many)|more than (?:i|you|prescribed)|antidote|accidental|by mistake|mistakenly|"
        r"\b(?:took|taken|swallowed)\s+(?:\d{1,3}|several|all|two|three|four|five|six|ten|twenty)\b|"
        r"überdos|zu viel",
    ),
    (
        "storage",
        r"\bstor(?:e|ed|age|ing)\b|\bke(?:ep|pt)\b|refrigerat|fridge|shelf|expir|temperature|"
        r"\b(?:throw|dispos)|aufbewahr|lager|haltbar",
    ),
    (
        "composition",
        r"ingredient|\bcontains?\b|composition|excipient|active substance|(?:colou?r|look)\b.*\btablet|"
        r"tablets?\b.*\blook|made of|bestandteil|enthält|inhaltsstoff|hilfsstoff|wirkstoff",
    ),
    (
        "indications",
        r"used (?:for|to)|\bindicat(?:ed|ion)|what is \w+\??$|\btreats?\b|"
        r"how (?:fast |quickly |soon |long )?do(?:es)? .* work|\bwork\b|angewendet|wofür|anwendungsgebiet",
    ),
    (
        "warnings",
        r"warning|precaution|careful|monitor|\bcheck|before taking|tell (?:my|your|the) doctor|"
        r"dangerous|\brisks?\b|watch for|vorsicht|warnhinweis",
    ),
    ("driving", r"\bdriv|machine|fahr(?:en|tüchtig)"),
    (
        "pharmacology",
        r"mechanism|how do(?:es)? .* work|pharmacodynamic|half-?life|mode of action|wirkt|wirkmechanismus",
    ),
)
_SECTION_PATTERNS = tuple((code, re.compile(text, re.IGNORECASE)) for code, text in _SECTIONS)

# What in a question asks for which relationships of the graph.
_RELATIONSHIPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"\btreat(?:s|ed|ing|ment|ments)?\b|\btherap|used (?:for|against|to treat)|\bindicat(?:ed|ion)",
        ("TREATS",),
    ),
    (r"palliat|relieve", ("PALLIATES",)),
    (
        r"contra-?indicat|not be (?:taken|used|given)|must not|should not|avoid",
        ("CONTRAINDICATED_IN",),
    ),
    (r"side[- ]effect|adverse|undesirable|\bcauses?\b", ("CAUSES_SIDE_EFFECT",)),
    (r"interact|\btogether\b|combin|at the same time|alongside", ("INTERACTS_WITH",)),
    (r"\btarget|acts? on|inhibit|mechanism", ("TARGETS",)),
    (r"\benzymes?\b|metaboli[sz]|\bbr(?:eaks?|oken) down\b", ("HAS_ENZYME",)),
    (r"\btransporters?\b", ("HAS_TRANSPORTER",)),
    (r"\bcarriers?\b", ("HAS_CARRIER",)),
    (r"associat|linked to|\bgenes?\b|\bproteins?\b", ("ASSOCIATED_WITH",)),
    (r"pathway", ("PARTICIPATES_IN",)),
    (r"\bbinds?\b", ("BINDS",)),
    (r"\bsimilar\b|resembl|\blike\b", ("RESEMBLES",)),
    (r"symptom|phenotype", ("HAS_PHENOTYPE",)),
)
_RELATIONSHIP_PATTERNS = tuple(
    (re.compile(text, re.IGNORECASE), types) for text, types in _RELATIONSHIPS
)

_TYPES = (
    (re.compile(r"\b(?:drugs?|medicines?|medications?)\b", re.IGNORECASE), ("Drug",)),
    (
        re.compile(r"\b(?:diseases?|conditions?|illness(?:es)?|disorders?)\b", re.IGNORECASE),
        ("Disease", "ClinicalDisease"),
    ),
    (
        re.compile(
            r"\b(?:proteins?|genes?|enzymes?|receptors?|transporters?|carriers?)\b", re.IGNORECASE
        ),
        ("Protein",),
    ),
    (re.compile(r"\b(?:side[- ]effects?|symptoms?)\b", re.IGNORECASE), ("Phenotype",)),
    (re.compile(r"\bpathways?\b", re.IGNORECASE), ("Pathway",)),
)


def asked_sections(text: str) -> tuple[str, ...]:
    """Codes of the standard sections that a text asks for, most specific first."""
    return tuple(code for code, pattern in _SECTION_PATTERNS if pattern.search(text))


def asked_relationships(text: str) -> tuple[str, ...]:
    """Relationship types that a text asks for, in the order of the table above."""
    return tuple(
        name for pattern, names in _RELATIONSHIP_PATTERNS if pattern.search(text) for name in names
    )


def asked_types(text: str) -> tuple[str, ...]:
    """Types after "which", "what", "list" or "all" ("which drugs"); empty when none is asked for."""
    match = re.search(
        r"\b(?:which|what|list|all|show|name)\b((?:\s+\w+){1,4})", text, re.IGNORECASE
    )
    if match is None:
        return ()
    found = [
        (position.start(), types)
        for pattern, types in _TYPES
        if (position := pattern.search(match.group(1)))
    ]
    return min(found)[1] if found else ()
