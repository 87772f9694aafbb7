"""Ways to write a word that differ between British and American English, and hyphens."""

from __future__ import annotations

# What one side writes, and the other; either may stand in a name or in what people type.
SPELLINGS = (
    ("ae", "e"), ("oe", "e"), ("our", "or"), ("isation", "ization"), ("ise", "ize"), ("yse", "yze"),
    ("lys", "lyz"), ("tre", "ter"), ("-", " "),
)  # fmt: skip


def in_one_spelling(text: str) -> str:
    """A text in lower case with all of these written in the one way; only for comparing, it is no English."""
    for one, other in SPELLINGS:
        text = text.replace(one, other)
    return text


def american(word: str) -> list[str]:
    """A British word in lower case as Americans may spell it, with one change each, or as it is."""
    found = [word.replace(one, other) for one, other in SPELLINGS if one != "-" and one in word]
    return found or [word]


def written_alike(name: str) -> list[str]:
    """A name as one may find it written elsewhere: with "oe" or "ae" for an "e" or the other way, and as one or
    several ("diarrhea" and "diarrhoea", "hallucination" and "hallucinations")."""
    folded = name.casefold()
    forms = {folded}
    for place, letter in enumerate(folded):
        if letter == "e":
            forms |= {f"{folded[:place]}{one}{folded[place:]}" for one in "oa"}
            if place and folded[place - 1] in "oa":
                forms.add(f"{folded[: place - 1]}{folded[place:]}")
    forms |= {one[:-1] if one.endswith("s") else f"{one}s" for one in forms}
    return sorted(forms - {folded})
