"""Which section of a medicine's document a piece of text stands in.

Headings are recognised line by line from tables of phrases: EU product information (numbered 4.1 to
6.6) and package leaflets (English, German,
Dutch), FDA labels and FDA "Drug Facts". A sentence that merely
contains such a phrase is not a heading: the whole line must be one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from core.domain.documents import Page, Section

_Number: TypeAlias = tuple[int, ...]

_LONGEST_HEADING = 100  # characters
_LONGEST_UNKNOWN = 60  # characters of a numbered heading whose words no table knows

_TITLES = {
    "indications": "Indications",
    "posology": "Dose",
    "contraindications": "Contraindications",
    "warnings": "Warnings",
    "interactions": "Interactions",
    "pregnancy": "Pregnancy and breast-feeding",
    "driving": "Driving and machines",
    "adverse_reactions": "Side effects",
    "overdose": "Overdose",
    "storage": "Storage",
    "pharmacology": "Pharmacology",
    "composition": "Composition",
    "": "Other",
}
SECTION_CODES = tuple(code for code in _TITLES if code)

# Whole lines, compared in lower case without numbering and final colon.
_PHRASES = {
    "indications": r"(therapeutic |approved )?indications?( and usage| for use)?|uses?|purposes?"
    r"|anwendungsgebiete?"
    r"|(therapeutische )?indicaties?",
    "posology": r"posology( and method of administration)?|dosage( and administration)?"
    r"|(recommended|usual) (dose|dosage)s?|method of administration|directions( for use)?"
    r"|dosierung( und art der anwendung| mit art und dauer der anwendung)?|art der anwendung"
    r"|dosering( en wijze van toediening)?|wijze van toediening",
    "contraindications": r"contra-?indications?|gegenanzeigen|do not use"
    r"|contra-?indicaties?",
    "warnings": r"(special )?warnings?( and (special )?precautions)?( for use)?"
    r"|(boxed|general) warning|(general )?precautions"
    r"|(besondere )?warnhinweise( und vorsichtsmaßnahmen)?"
    r"( für die anwendung)?|vorsichtsmaßnahmen|when using this product"
    r"|laboratory tests|information for patients|carcinogenesis.*"
    r"|(stop use and )?(ask|consult) a doctor( or pharmacist)?( before use)?"
    r"( if( you (have|are))?)?"
    r"|(bijzondere )?waarschuwingen( en voorzorgen)?( bij gebruik)?"
    r"|wanneer moet u extra voorzichtig zijn.*",
    "interactions": r"(drug |medicine )?interactions?( with other (medicinal products|medicines))?"
    r"( and other forms of interactions?)?|wechselwirkungen( mit anderen (arznei)?mitteln)?"
    r"( und sonstige wechselwirkungen)?|drug/laboratory test interactions|other medicines"
    r"|interacties( met andere geneesmiddelen)?( en andere vormen van interactie)?",
    "pregnancy": r"(fertility, )?pregnancy(,? (and )?(breast-?feeding|lactation|nursing mothers))?"
    r"(,? (and )?fertility)?|(breast-?feeding|lactation|nursing mothers)|labor and delivery"
    r"|(fertilität, )?schwangerschaft(,? und stillzeit|, stillzeit und .*)?|stillzeit"
    r"|(vruchtbaarheid, )?zwangerschap(,? (en )?borstvoeding)?(,? en vruchtbaarheid)?|borstvoeding",
    "driving": r"(effects on ability to )?driv(e|ing) and (use|using|operating) machine(s|ry)"
    r"|verkehrstüchtigkeit( und .*)?|auswirkungen auf die verkehrstüchtigkeit.*"
    r"|beïnvloeding van de rijvaardigheid.*|rijvaardigheid( en het gebruik van machines)?",
    "adverse_reactions": r"(possible )?side[- ]effects|undesirable effects"
    r"|adverse (drug )?reactions|adverse (effects|events)"
    r"|(mögliche )?nebenwirkungen|welche nebenwirkungen sind möglich\??"
    r"|(mogelijke )?bijwerkingen",
    "overdose": r"over-?dos(e|age)|überdosierung"
    r"|overdosering",
    "storage": r"storage( and handling)?|(special )?precautions for storage|other information"
    r"|how supplied( ?/ ?storage and handling)?|shelf[- ]life|(dauer der )?haltbarkeit"
    r"|special precautions for disposal.*|lagerung"
    r"|besondere vorsichtsmaßnahmen für die aufbewahrung"
    r"|houdbaarheid|speciale voorzorgsmaatregelen bij bewaren|bewaarcondities"
    r"|speciale voorzorgsmaatregelen voor het verwijderen.*",
    "pharmacology": r"(clinical )?pharmacolog(y|ical properties)"
    r"|pharmaco(dynamic|kinetic) properties|pharmaco(dynamics|kinetics)"
    r"|mechanism of action|clinical studies"
    r"|(non|pre)-?clinical (safety data|toxicology)|pharmakologische eigenschaften"
    r"|pharmako(dynamische|kinetische) eigenschaften"
    r"|farmacologische eigenschappen|farmaco(dynamische|kinetische) eigenschappen"
    r"|gegevens uit het preklinisch veiligheidsonderzoek",
    "composition": r"(qualitative and quantitative )?composition|description|list of excipients"
    r"|(in)?active ingredients?|contents of the pack( and other information)?"
    r"|dosage forms( and strengths)?|pharmaceutical form|nature and contents of container"
    r"|(qualitative und quantitative )?zusammensetzung|liste der sonstigen bestandteile"
    r"|inhalt der packung( und weitere informationen)?"
    r"|(kwalitatieve en kwantitatieve )?samenstelling|lijst van hulpstoffen|farmaceutische vorm"
    r"|inhoud van de verpakking( en overige informatie)?|aard en inhoud van de verpakking",
    "": r"abstract|introduction|background|(materials and )?methods|results|discussion|conclusions?"
    r"|references|related work|acknowledge?ments?|use in specific populations|(pedi|geri)atric use"
    r"|patient information|package[ /]label.*|principal display panel( [-–] .*)?"
    r"|(clinical|pharmaceutical) particulars"
    r"|patient counseling information|drug abuse and dependence|marketing authorisation.*",
}

# Whole lines with the medicine's name in them. A name has no words of a sentence in it, which tells
# "Do not take Ibuprofen" from "Do not take Ibuprofen with alcohol".
_NAME_WORD = (
    r"(?!(?:if|with|for|more|after|before|until|unless|when|while|without|than|on|in|at|to|or|do|not"
    r"|longer|again|any|double|the|your|twice|once)\b)[^\s.:;,?!]+"
)
_NAME = rf"{_NAME_WORD}(?: {_NAME_WORD}){{0,4}}"
_VERB = r"(?:take|use|give|receive|inject|apply|are given|are taking|were given)"
_NAMED_PHRASES = {
    "indications": r"what .{1,70} (is|are) and what (it is|they are) used.*"
    r"|was ist .{1,70} und wofür wird .*"
    r"|waarvoor (wordt|worden) .{1,70} gebruikt\??"
    r"|(wat is|wat zijn) .{1,70} en waarvoor .*",
    "posology": rf"how (to|you should) {_VERB} {_NAME}"
    rf"|how .{{1,50}} is (given|taken|used)|if you (forget|stop|miss) .{{1,70}}"
    r"|wie (ist|wird|sind) .{1,60} (einzunehmen|anzuwenden|angewendet|eingenommen)\??"
    r"|wenn sie die (einnahme|anwendung) .{1,60} (vergessen haben|abbrechen)"
    r"|hoe (gebruikt|neemt) u .{1,60}\?"
    r"|bent u vergeten .{1,60}|als u stopt met .{1,60}",
    "contraindications": rf"do not {_VERB} {_NAME}|you (must|should) not {_VERB} {_NAME}"
    r"|.{1,60} darf nicht (eingenommen|angewendet) werden"
    r"|wanneer mag u .{1,60} niet (gebruiken|innemen|toegediend krijgen)( of moet u .{1,60})?\??",
    "warnings": rf"what you need to know before .{{0,70}}|before you {_VERB} {_NAME}"
    r"|take special care with .{1,50}"
    r"|was sollten sie vor der (einnahme|anwendung) .{0,60}beachten\??"
    r"|wanneer moet u .{0,60} extra voorzichtig .*",
    "interactions": rf"other medicines and {_NAME}|(taking|using) other medicines"
    rf"|(taking|using) {_NAME} with (other medicines|food|alcohol).{{0,40}}"
    rf"|{_NAME} with (food|alcohol).{{0,40}}"
    r"|(bei )?(einnahme|anwendung) von .{1,60} (zusammen )?mit .{1,60}"
    r"|(gebruikt|neemt) u nog andere geneesmiddelen\??",
    "overdose": rf"if you (have )?({_VERB}|taken|used) (too much|more) .{{0,50}}"
    r"|wenn sie eine größere menge .{1,80}"
    r"|heeft u te veel .{1,60}",
    "storage": r"how to store .{1,60}|wie ist .{1,60} aufzubewahren\??"
    r"|hoe bewaart u .{1,60}\?",
    "composition": r"what .{1,60} (contains|looks like).{0,40}|was .{1,60} enthält",
}

# EU product information has these numbers in every language (EMA, QRD template for SmPCs).
_SMPC_NUMBERS: dict[_Number, str] = {
    (2,): "composition",
    (3,): "composition",
    (4, 1): "indications",
    (4, 2): "posology",
    (4, 3): "contraindications",
    (4, 4): "warnings",
    (4, 5): "interactions",
    (4, 6): "pregnancy",
    (4, 7): "driving",
    (4, 8): "adverse_reactions",
    (4, 9): "overdose",
    (5,): "pharmacology",
    (6, 1): "composition",
    (6, 3): "storage",
    (6, 4): "storage",
    (6, 5): "composition",
    (6, 6): "storage",
}
_SMPC_SIGN = re.compile(
    r"^[ \t]*4\.(1\s+(therapeutic indications|anwendungsgebiete|therapeutische indicaties)"
    r"|2\s+(posology|dosierung|dosering)|3\s+(contraindications|gegenanzeigen|contra-indicaties)"
    r"|8\s+(undesirable effects|nebenwirkungen|bijwerkingen))",
    re.IGNORECASE | re.MULTILINE,
)

_PHRASE_PATTERNS = [(code, re.compile(pattern)) for code, pattern in _PHRASES.items()]
_NAMED_PATTERNS = [(code, re.compile(pattern)) for code, pattern in _NAMED_PHRASES.items()]
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?P<mark>[.)]?)\s+(?P<words>\S.*)")
_ROMAN = re.compile(r"[IVX]{1,5}\.\s+(?P<words>\S.*)")


class _Heading(NamedTuple):
    code: str
    text: str


@dataclass
class _Outline:
    """What the headings so far say about the next one."""

    smpc: bool
    last: _Number = ()
    codes: dict[_Number, str] = field(default_factory=dict)

    def accept(self, number: _Number, code: str) -> str:
        """Note a numbered heading; a subsection that says nothing itself has its parent's code."""
        parents = (number[:length] for length in range(len(number) - 1, 0, -1))
        code = code or next((self.codes[p] for p in parents if self.codes.get(p)), "")
        self.last = number
        self.codes[number] = code
        return code

    def continues(self, number: _Number) -> bool:
        """Whether `number` can follow the last heading; a step "2." of an instruction cannot."""
        if not self.last:
            return number == (1,)
        nexts = [(*self.last[:i], self.last[i] + 1) for i in range(len(self.last))]
        return number in nexts or number == (*self.last, 1)


def section_title(code: str) -> str:
    """The name that is shown for a section code; "Other" for an unknown one."""
    return _TITLES.get(code, _TITLES[""])


def sections(pages: Sequence[Page]) -> dict[int, tuple[Section, ...]]:
    """Sections of every page, by page number.

    A page's sections cover its text without gaps, from 0 to ``len(text)``; an empty page has none.
    A heading's line begins its section. What runs at the end of a page runs on at the next one's
    beginning, under the same heading.
    """
    outline = _Outline(smpc=any(_SMPC_SIGN.search(page.text) for page in pages))
    running = _Heading("", "")
    found: dict[int, tuple[Section, ...]] = {}
    for page in pages:
        parts: list[Section] = []
        start = 0
        for offset, heading in _headings(page.text, outline):
            if offset > start:
                parts.append(Section(running.code, running.text, start, offset))
            running, start = heading, offset
        if start < len(page.text):
            parts.append(Section(running.code, running.text, start, len(page.text)))
        found[page.number] = tuple(parts)
    return found


def _headings(text: str, outline: _Outline) -> Iterator[tuple[int, _Heading]]:
    lines = text.split("\n")
    offset = 0
    for i, line in enumerate(lines):
        following = next((after.strip() for after in lines[i + 1 : i + 3] if after.strip()), "")
        code = _heading_code(line, following, outline)
        if code is not None:
            yield offset, _Heading(code, " ".join(line.split()))
        offset += len(line) + 1


def _heading_code(line: str, following: str, outline: _Outline) -> str | None:
    """The section code of a line that is a heading ("" when unknown); None for any other line."""
    bare = " ".join(unicodedata.normalize("NFKC", line).split())
    if not 3 <= len(bare) <= _LONGEST_HEADING or bare[-1] in ".,;" or "..." in bare:
        return None
    runs_on = following[:1].islower() and not following.startswith("if ")
    numbered = _NUMBERED.fullmatch(bare)
    words = numbered["words"] if numbered else bare
    if not words[0].isupper():
        return None
    code = _known_code(words, runs_on)
    if numbered is None:
        roman = _ROMAN.fullmatch(bare)
        return "" if code is None and roman and roman["words"].isupper() else code
    number = tuple(int(part) for part in numbered["number"].split("."))
    if code is None and outline.smpc and len(bare) <= _LONGEST_UNKNOWN:
        code = _SMPC_NUMBERS.get(number) if outline.continues(number) else None
    # "4 tablets" is a line of a table: a lone number needs its mark, 4.1 says enough without.
    marked = bool(numbered["mark"]) or len(number) > 1
    if code is None and not (
        outline.continues(number) and _looks_like_title(words, marked, runs_on)
    ):
        return None
    return outline.accept(number, code or "")


def _known_code(words: str, runs_on: bool) -> str | None:
    lower = words.lower()
    plain = lower.removesuffix(":").rstrip()
    for code, pattern in _PHRASE_PATTERNS:
        if pattern.fullmatch(plain):
            return code
    if runs_on:
        return None
    for code, pattern in _NAMED_PATTERNS:
        if pattern.fullmatch(lower):
            return code
    return None


def _looks_like_title(words: str, marked: bool, runs_on: bool) -> bool:
    if len(words) > _LONGEST_UNKNOWN or words[-1] in ":?!" or runs_on:
        return False
    return words.isupper() or (marked and sum(c.isdigit() for c in words) <= len(words) // 4)
