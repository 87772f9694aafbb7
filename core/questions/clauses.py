"""A question taken apart: its clauses, the sections and relationships each of them asks for.

Keywords only; no model decides how a question is read (KG-49).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.domain.graph import Entity
from core.text.stems import content_words

_QUESTION_WORD = (
    r"(?:what|which|when|how|who|whom|why|where|can|could|should|is|are|does|do|may|must|list|show)"
)
# "..., and when must ..." begins a new clause; "aspirin and ibuprofen" does not.
_SPLIT = re.compile(
    rf"[?;]\s+(?:and\s+|but\s+)?|,?\s+(?:and|but|also)\s+(?={_QUESTION_WORD}\b)|,\s+(?={_QUESTION_WORD}\b)",
    re.IGNORECASE,
)

_JOINING = r"(?:and|or|than|versus|vs|und|oder)"
_WITH = re.compile(r"\b(?:with|mit)\b", re.IGNORECASE)
# What somebody says before asking ("I am pregnant, can I take X?") belongs to the question.
_SAID = re.compile(r"(?:I|I['’]m|my|we|our|he|she|his|her|they|ich|mein\w*)\b", re.IGNORECASE)

_MOST_CLAUSES = 6  # each costs a search and a pass of the embedding model; the last takes the rest

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


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is asked.

    Attributes:
        entities: entities it names (or, when it names none, those of the clause before).
        sections: standard section codes it asks for, most specific first.
        relationships: relationship types it asks for, in the order of the table above.
        wanted_types: entity types it asks to be listed ("which drugs").
        one_of_several: the same is asked of other medicines, each in a clause of its own.
    """

    text: str
    entities: tuple[Entity, ...] = ()
    sections: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    wanted_types: tuple[str, ...] = field(default=())
    one_of_several: bool = False

    @property
    def search_text(self) -> str:
        """What to search for: the clause, with the names it inherited."""
        missing = [e.name for e in self.entities if e.name.casefold() not in self.text.casefold()]
        inherited = [name for name in missing if not self._names_synonym(name)]
        return f"{self.text} ({', '.join(inherited)})" if inherited else self.text

    def _names_synonym(self, name: str) -> bool:
        entity = next(e for e in self.entities if e.name == name)
        folded = self.text.casefold()
        return any(synonym.casefold() in folded for synonym in entity.synonyms)


def split_question(question: str) -> list[str]:
    """The clauses of a question, in order; the question itself when it has one only."""
    parts = [part.strip(" ,;?.!") for part in _SPLIT.split(question.strip())]
    clauses: list[str] = []
    for part in filter(None, parts):
        # "..., what should I do?" asks nothing alone, nor does "Warfarin, ..."; both join the other.
        unfinished = bool(clauses) and (
            len(clauses[-1].split()) < 2 or bool(_SAID.match(clauses[-1]))
        )
        full = len(clauses) == _MOST_CLAUSES
        if clauses and (unfinished or full or not content_words(part)):
            clauses[-1] = f"{clauses[-1]}, {part}"
        else:
            clauses.append(part)
    return clauses or [question.strip()]


def read_clauses(question: str, find: Callable[[str], Sequence[Entity]]) -> list[Clause]:
    """The clauses of a question with what each asks for.

    Args:
        find: entities named in a text.
    """
    clauses: list[Clause] = []
    for text in split_question(question):
        clause = Clause(
            text=text,
            entities=tuple(find(text)),
            sections=asked_sections(text),
            relationships=tuple(
                name
                for pattern, names in _RELATIONSHIP_PATTERNS
                if pattern.search(text)
                for name in names
            ),
            wanted_types=_wanted_types(text),
        )
        if not clause.entities and clauses:
            clause = replace(clause, entities=clauses[-1].entities)
        clauses.append(clause)
    apart = [one for clause in clauses for one in _one_by_one(clause)]
    # None of the medicines may be forgotten: too many are asked about together.
    return apart if len(apart) <= _MOST_CLAUSES else clauses


def _one_by_one(clause: Clause) -> list[Clause]:
    """A clause for each medicine where leaflets tell of each alone ("the storage of X and Y")."""
    drugs = [entity for entity in clause.entities if entity.type == "Drug"]
    together = "interactions" in clause.sections or "INTERACTS_WITH" in clause.relationships
    together = together or bool(_WITH.search(clause.text))
    if len(drugs) < 2 or together or clause.wanted_types or not clause.sections:
        return [clause]
    found = []
    for drug in drugs:
        others = [one for one in drugs if one is not drug]
        names = {name for one in others for name in (one.name, *one.synonyms)}
        spoken = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        named = re.compile(
            rf"\s*\b(?:{spoken})\b\s*(?:,|{_JOINING}\b)|(?:,|\b{_JOINING})?\s*\b(?:{spoken})\b",
            re.IGNORECASE,
        )
        text = " ".join(named.sub(" ", clause.text).split())
        kept = tuple(one for one in clause.entities if one not in others)
        found.append(replace(clause, text=text, entities=kept, one_of_several=True))
    return found


def asked_sections(text: str) -> tuple[str, ...]:
    """Codes of the standard sections that a text asks for, most specific first."""
    return tuple(code for code, pattern in _SECTION_PATTERNS if pattern.search(text))


def _wanted_types(text: str) -> tuple[str, ...]:
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
