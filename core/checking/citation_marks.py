"""Citation marks as language models write them, brought to one form: ``[1]``, ``[2-4]``, ``[1, 3]``.

Which numbers in brackets cite:

- in square, lenticular or full-width brackets: all, also ``[^1]``, ``[Source 1]``, ``[1, p. 3]``,
- in round brackets with a word: ``(source 1)``, ``(see [1])``,
- in round brackets alone: only in a text that has no other marks, at a sentence's end, and not where
  they count ("(1) Take it. (2) Wait.") or repeat a number in words ("five (5)").

"(2) doses", "(5-10 mg)", "(n = 12)" and "[2 mg]" are the sentence's own.
"""

from __future__ import annotations

import re

from core.text.sentences import MARK
from core.text.units import NUMBER_WORD, word_value

_JOINT = r"(?:\s{0,3}(?:[,;&+/、，；]|\b(?:and|und|or|oder)\b)\s{0,3}|\s{0,3}[-‐-―−~～]\s{0,3})"
_WORD = (
    r"(?i:(?:sources?|evidence|refs?|references?|passages?|documents?|docs?|citations?|excerpts?|"
    r"quellen?|belege?|nachweise?|dokumente?|textstellen?)\b[.:]?\s{0,3}(?:no\.|nr\.|#)?\s{0,3})"
)
_PAGE = r"(?:\s{0,3}[,:;]?\s{0,3}(?i:pages?|pp?\.|seiten?|s\.)\s{0,3}\d+(?:\s{0,3}[-–]\s{0,3}\d+)?)"
_ONE = rf"(?:[\^#]|{_WORD})?\d+{_PAGE}?"
_LIST = rf"{_ONE}(?:{_JOINT}{_ONE})*"
_LINK = r"(?:\((?:https?:|\#|/)[^()\s]{0,300}\))"
_SQUARE = re.compile(
    rf"(?:<sup>\s{{0,3}})?[\[【［〔]\s{{0,3}}({_LIST})\s{{0,3}}(?:†[^\]】］〕]{{0,40}})?[\]】］〕]{_LINK}?(?:\s{{0,3}}</sup>)?"
)
_NAMED = re.compile(rf"[(（]\s{{0,3}}((?={_WORD}){_LIST})\s{{0,3}}[)）]")
_BARE = r"\d{1,2}(?:\s{0,3}[,;–-]\s{0,3}\d{1,2})*"
_ROUND = re.compile(
    rf"(?<=[\w.!?%)）\"”])(?P<gap>\s{{0,3}})[(（]\s{{0,3}}(?P<numbers>{_BARE})\s{{0,3}}[)）]"
    rf"(?=\s{{0,3}}[(（]\s{{0,3}}{_BARE}\s{{0,3}}[)）]|\s{{0,3}}(?:[.!?。](?!\d)|$)|\s+[A-ZÄÖÜ])",
    re.MULTILINE,
)
_COUNTS = re.compile(r"(?m)(?:^\W*|:\s{0,3})[(（]\s{0,3}1\s{0,3}[)）]\s{0,3}\w")
_REPEATED = re.compile(rf"(?P<word>{NUMBER_WORD})\s{{0,3}}$")
_JOINED = re.compile(r"\](?:\s{0,3}[,;&]\s{0,3}|\s+(?:and|und|or|oder)\s+)(?=\[\d)")
_ENCLOSED = re.compile(
    r"[(（]\s{0,3}(?:(?:see|cf\.?|siehe|vgl\.?|s\.)\s+)?((?:\[[\d,\s-]+\]\s{0,3})+)[)）]",
    re.IGNORECASE,
)


def plain_marks(text: str) -> str:
    """A text with each of its citation marks as ``[1]``, ``[2-4]`` or ``[1, 3]``."""
    text = _NAMED.sub(_plain, _SQUARE.sub(_plain, text))
    if not re.search(MARK, text) and not _COUNTS.search(text):
        text = _ROUND.sub(_read_round, text)
    return _ENCLOSED.sub(r"\1", _JOINED.sub("]", text))


def _plain(mark: re.Match[str]) -> str:
    numbers = re.sub(_PAGE, "", mark[1])
    found = re.findall(r"\d+|[-‐-―−~～]", numbers)
    plain = ""
    for i, part in enumerate(found):
        if not part.isdigit():
            plain += "-"
        else:
            plain += f"{', ' if i and found[i - 1].isdigit() else ''}{int(part[:9])}"
    return f"[{plain}]"


def _read_round(mark: re.Match[str]) -> str:
    before = mark.string[max(0, mark.start() - 30) : mark.start()]
    word = _REPEATED.search(before)
    if word and str(word_value(word["word"])) == mark["numbers"]:
        return mark[0]
    return f"{mark['gap']}[{re.sub('[;–]', lambda sign: ',' if sign[0] == ';' else '-', mark['numbers'])}]"
