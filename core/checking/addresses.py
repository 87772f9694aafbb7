"""Addresses that a model's text has and its evidence does not print: links out of nowhere.

A link may carry what was asked to whoever owns it, or lead the analyst to a page that an attacker
wrote. A leaflet's own ("www.ema.europa.eu") stands in the leaflet, letter by letter.
"""

from __future__ import annotations

import re
import string

from core.resources import read_table
from core.text.function_words import FUNCTION_WORDS

REMOVED = "(address removed)"

_TABLE = read_table(__file__, "addresses.toml")
_DOMAINS = frozenset(" ".join(_TABLE.values()).split())
_LABELS = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)"
_END = "|".join(sorted(_DOMAINS))
# "shock.in patients" is a full stop without its space.
_PLAIN_END = "|".join(sorted(_DOMAINS - FUNCTION_WORDS))
_ADDRESS = re.compile(
    rf"""
      (?:[a-z][a-z0-9+.-]{{1,15}}://|mailto:|javascript:|data:[a-z]+/|www\.)[^\s<>"”“‘’|]{{1,2000}}
    | [\w.%+-]{{1,64}}@{_LABELS}{{1,8}}[a-z]{{2,24}}\b
    | (?<![\w@.-]){_LABELS}{{0,8}}[a-z0-9-]{{3,63}}\.(?:
          (?:{_END})(?=[/?\#:])[^\s<>"”“‘’|]{{1,2000}} | (?:{_PLAIN_END})(?![\w-]|\.\w) )
    | (?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d{{1,5}})?/[^\s<>"”“‘’|]{{0,2000}}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TRAILING = re.compile(r"(?:[.,;:!?'*_`\]\[…)]|(?<=\W)\()+$")
_BEGINS = ("://", "www.", "mailto:", "javascript:", "@")
_LETTERS = string.ascii_letters + string.digits + ".:/?#@%&=_+([*-"
_PREFIX = re.compile(r"(?:https?://)?(?:www\.)?", re.IGNORECASE)


class AddressFilter:
    """Takes a text in pieces and gives it, in pieces, without the addresses that nothing prints.

    Args:
        printed: all texts that may have one: the evidence, the question.
    """

    def __init__(self, printed: str) -> None:
        self._printed = printed
        self._letters = "".join(printed.split()).casefold()
        self._held = ""  # may be the beginning of an address
        self.removed = 0

    def feed(self, piece: str) -> str:
        """What a further piece lets be shown."""
        text = self._held + piece
        keep = _begun(text)
        self._held = text[keep:]
        return self._without(text[:keep])

    def end(self) -> str:
        """The rest, when no further piece comes."""
        text, self._held = self._held, ""
        return self._without(text)

    def restart(self) -> None:
        """Forget what is held and what was removed: it belongs to a text that is withdrawn."""
        self._held = ""
        self.removed = 0

    def _without(self, text: str) -> str:
        return _ADDRESS.sub(self._judged, text)

    def _judged(self, match: re.Match[str]) -> str:
        found = match[0]
        trailing = _TRAILING.search(found)
        address = found[: trailing.start()] if trailing else found
        bare = address[_PREFIX.match(address).end() :].rstrip("/")  # type: ignore[union-attr]
        if not address or (bare.casefold() in self._letters and _is_printed(bare, self._printed)):
            return found
        self.removed += 1
        return REMOVED + found[len(address) :]


def _begun(text: str) -> int:
    """Where an address begins that may go on behind the text's end; the end when none does."""
    word = "" if text[-1:].isspace() else next(iter(text.rsplit(maxsplit=1)[-1:]), "")
    if any(sign in word.casefold() for sign in _BEGINS):
        return len(text) - len(word)
    return len(text.rstrip(_LETTERS))


def _is_printed(address: str, text: str) -> bool:
    """Whether a text has an address, also where a line's end divides it."""
    letters = r"\s*".join(map(re.escape, address))
    found = rf"(?<![\w@-])(?<!\w\.)(?:www\.)?{letters}(?![\w@%=&-]|[./?#:]\w)"
    return re.search(found, text, re.IGNORECASE) is not None
