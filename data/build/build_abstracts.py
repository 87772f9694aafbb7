"""Build the sample abstracts: data/build/abstracts.md -> data/abstracts/arxivData.json.

Run from the project's root: python data/build/build_abstracts.py

The result has the keys and the quirks of the arXiv file on Kaggle: author, link and tag are
Python literals inside strings, and summaries are wrapped with line breaks.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "abstracts.md"
TARGET = HERE.parent / "abstracts" / "arxivData.json"

WIDTH = 79
SCHEME = "http://arxiv.org/schemas/atom"


def record(number: int, text: str) -> dict[str, object]:
    """One record from a block of the source: title, tag line and summary."""
    title, tags, summary = text.strip().split("\n", 2)
    # Month 00 does not exist on arXiv, so that no real paper bears such a number.
    identifier = f"0000.{number:05d}v1"
    links = [
        {
            "rel": "alternate",
            "href": f"http://arxiv.org/abs/{identifier}",
            "type": "text/html",
        }
    ]
    terms = [
        {"term": term, "scheme": SCHEME, "label": None}
        for term in tags.removeprefix("tags: ").split()
    ]
    return {
        "author": str([{"name": "Materia sample"}]),
        "day": (number - 1) % 28 + 1,
        "id": identifier,
        "link": str(links),
        "month": (number - 1) % 12 + 1,
        "summary": textwrap.fill(summary, WIDTH, break_on_hyphens=False),
        "tag": str(terms),
        "title": title,
        "year": 2024,
    }


def main() -> None:
    """Build the file."""
    blocks = ("\n" + SOURCE.read_text(encoding="utf-8")).split("\n# ")[1:]
    records = [record(number, block) for number, block in enumerate(blocks, 1)]
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(records), encoding="utf-8")
    print(f"{TARGET.name}: {len(records)} abstracts")


if __name__ == "__main__":
    main()
