"""Addresses of papers, made from identifiers that can exist; any other is no link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

# https://info.arxiv.org/help/arxiv_identifier.html: YYMM.number since April 2007, before that
# archive/YYMMnumber. Months are 01 to 12, numbers begin with 1.
_ARXIV = re.compile(
    r"(?:arxiv:)?(?:https?://(?:www\.)?arxiv\.org/abs/)?"
    r"(?P<id>(?P<new>\d\d(?:0[1-9]|1[0-2])\.(?!0+(?:v|$))\d{4,5})(?:v[1-9]\d*)?"
    r"|[a-z][a-z-]*(?:\.[A-Z]{2})?/(?P<old>\d\d(?:0[1-9]|1[0-2])(?!000)\d{3})(?:v[1-9]\d*)?)",
    re.IGNORECASE,
)
# The DOI Handbook, 2.2: prefix 10. and the registrant, a slash, any printable characters; a doi.org address
# is taken apart first.
_DOI = re.compile(
    r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(?P<doi>10\.\d{4,9}/[^\s\"<>{}|\\^`]+)", re.I
)
# Numbers of PubMed have one to eight digits and no leading zero.
_PMID = re.compile(
    r"(?:pmid:?\s*|https?://pubmed\.ncbi\.nlm\.nih\.gov/)?(?P<pmid>[1-9]\d{0,7})/?", re.I
)
_FIRST_NEW, _LAST_OLD = 704, 703  # YYMM


def arxiv_id(text: str) -> str:
    """The arXiv identifier that a text or address is; "" where it cannot be one."""
    found = _ARXIV.fullmatch(text.strip())
    if found is None:
        return ""
    if new := found["new"]:
        return found["id"] if int(new[:4]) >= _FIRST_NEW else ""
    month = int(found["old"][:4])
    return found["id"] if month >= 9107 or month <= _LAST_OLD else ""


def doi(text: str) -> str:
    """The DOI that a text or address is; "" where it cannot be one."""
    found = _DOI.fullmatch(text.strip())
    return found["doi"].rstrip(".,;") if found else ""


def pmid(text: str) -> str:
    """The PubMed number that a text or address is; "" where it cannot be one."""
    found = _PMID.fullmatch(text.strip())
    return found["pmid"] if found else ""


def links(metadata: Mapping[str, str]) -> list[tuple[str, str]]:
    """What a document says of where it is published: name of the place and address, of those that can exist.

    Args:
        metadata: ``url``, ``doi``, ``pmid``, in any case.
    """
    known = {name.casefold(): value for name, value in metadata.items()}
    found = []
    if paper := arxiv_id(known.get("url", "")):
        found.append(("arXiv", f"https://arxiv.org/abs/{paper}"))
    if number := doi(known.get("doi", "")):
        found.append(("DOI", f"https://doi.org/{quote(number, safe='/():;.-_')}"))
    if article := pmid(known.get("pmid", "")):
        found.append(("PubMed", f"https://pubmed.ncbi.nlm.nih.gov/{article}/"))
    return found
