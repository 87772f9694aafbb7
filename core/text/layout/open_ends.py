"""Lines that end in the middle of a sentence, by their last word: what a word like "of" or "between" needs
stands on the next line, whatever that begins with (a number, or a German noun)."""

from __future__ import annotations

import re

# Articles, conjunctions and prepositions that no sentence, item or heading ends with; not those that are parts
# of verbs, too ("on", "in", "mit", "zu").
_NEVER_LAST = re.compile(
    r"(?<![\w-])(?:the|an?|and|or|of|to|from|than|between|with|und|oder|sowie|der|das|den|dem|des|eine?[nmrs]?|von"
    r"|vom|für|als|bis|zwischen|zum|zur|de|het|een|en|tot|van|tussen|dan)\s*\Z"
)


def leaves_open(line: str) -> bool:
    """Whether a line's last word needs one more."""
    return _NEVER_LAST.search(line) is not None
