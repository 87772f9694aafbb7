"""What kind of thing a question wants to be told, and whether a statement tells such a thing.

The expected answer type is an old tool of question answering (Prager, Brown, Coden and Radev 2000,
"Question-answering by predictive annotation", SIGIR): "when in the day" wants a time of day, "at
what temperature" degrees. Statements that hold one come first. Some types are demanded: without an
amount of money nothing answers what a pack costs, however much a text speaks of packs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnswerType:
    """Attributes:
    told: found in a statement that can answer.
    demanded: a statement without one is no answer.
    """

    asked: re.Pattern[str]
    told: re.Pattern[str]
    demanded: bool = False


def _type(asked: str, told: str, demanded: bool = False) -> AnswerType:
    return AnswerType(re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE), demanded)


_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half an?|einen?|zwei|drei|vier)"
_SPAN = r"(?:second|minute|hour|day|week|month|year|sekunde|minute|stunde|tag|woche|monat|jahr)"
_TYPES = (
    _type(
        r"\bcosts?\b|\bprices?\b|\bexpensive\b|how much (?:money|is|does it cost)|\bkostet?\b|\bpreis\b",
        r"[€$£]|\b(?:euros?|dollars?|pounds?|usd|eur|prices?|costs?|reimburs\w*)\b",
        demanded=True,
    ),
    _type(
        r"\b(?:in )?(?:which|what) year\b|when was .*(?:approved|invented|discovered|authori[sz]ed)|"
        r"in welchem jahr",
        r"\b(?:1[89]|20)\d\d\b",
        demanded=True,
    ),
    _type(
        r"\b(?:manufactur\w*|marketing authori[sz]ation holder|produces?|hersteller)\b|"
        r"which company|\bwho (?:makes|sells)\b",
        r"manufactur|marketing authori[sz]ation|\b(?:ltd|gmbh|inc|s\.?a|plc|limited|ag|b\.v|llc)\b|hersteller",
        demanded=True,
    ),
    _type(
        r"\bhow (?:much|heavy)\b.*\b(?:weighs?|heavy)\b|\bhow heavy\b|\bwiegt\b",
        r"\b(?:weigh(?:s|t)?|wiegt|gewicht)\b",
        demanded=True,
    ),
    _type(
        r"how many (?:patients|people|subjects|participants|volunteers)",
        rf"\b{_NUMBER}[\d,. ]*\s+(?:\w+\s+){{0,3}}(?:patients|people|subjects|participants|volunteers|adults|"
        r"children|women|men)\b|\bn\s*=\s*\d",
        demanded=True,
    ),
    _type(
        r"\bwhat\b.*\b(?:given|administered|done)\b|\bhow\b.*\btreated\b|antidote|was wird gegeben",
        r"\b(?:given|administer\w*|inject\w*|infus\w*|antidote|treat(?:ed|ment) with|gegeben|gegenmittel)\b",
    ),
    _type(r"temperature|how (?:cold|warm|hot)|temperatur", r"°|degrees|\bcelsius\b"),
    _type(
        r"when (?:in|during) the day|what time|time of (?:the )?day|with (?:or without )?food|"
        r"before or after|morning or evening|empty stomach|tageszeit",
        r"\b(?:morning|evening|noon|night|bedtime|breakfast|meals?|food|stomach|lunch|dinner|morgens|"
        r"abends|mahlzeit\w*|nüchtern)\b",
    ),
    _type(
        r"how (?:long|fast|quickly|soon|far apart)|how many (?:days|hours|weeks|months|minutes|years)|"
        r"shelf.?life|how .* wait|when should .* before|wie lange|wie schnell",
        rf"\b{_NUMBER}(?:\s*(?:to|-|–|bis)\s*{_NUMBER})?\s+{_SPAN}",
    ),
    _type(
        r"how (?:often|many times)|wie oft",
        r"\b(?:once|twice|times|daily|every|a day|per day|weekly|einmal|zweimal|täglich|mal)\b",
    ),
    _type(
        r"how much|how many (?:mg|milligrams|tablets|puffs|drops)|\bdos(?:e|es|age)\b|\bmaximum\b|"
        r"\b(?:highest|lowest|largest|most)\b|wie viel|dosis",
        r"\d\s*(?:mg|g|ml|micrograms?|µg|μg|mcg|units?|iu|%|tablets?|puffs?|drops?|mmol)\b|"
        r"\b(?:tablets?|puffs?)\b",
    ),
    _type(
        r"\bcolou?rs?\b|\blooks? like\b|\bfarbe\b",
        r"\b(?:white|yellow|pink|red|blue|brown|green|orange|grey|purple|beige|colourless|weiß\w*|gelb\w*)\b",
    ),
    _type(r"at what .*level|which .*level|\bvalue\b|threshold", r"\d"),
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """The types that a question asks for; without any, every statement will do."""

    types: tuple[AnswerType, ...]

    def met(self, statement: str) -> bool:
        """Whether a statement tells one of the types."""
        return any(one.told.search(statement) for one in self.types)

    def lacking(self, statement: str) -> bool:
        """Whether a statement lacks what is demanded."""
        return any(one.demanded and not one.told.search(statement) for one in self.types)


def expected(question: str) -> Expectation:
    """What a question wants to be told."""
    return Expectation(tuple(one for one in _TYPES if one.asked.search(question)))
