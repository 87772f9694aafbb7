"""The part of the library that a question is asked of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Within:
    """Documents and sections that passages are taken from; none of either means all. What the graph lists is
    not narrowed by it.

    Attributes:
        documents: ids.
        files: what the documents were called when the question was asked, in the same order.
        sections: standard codes (``contraindications``, ...).
    """

    documents: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.documents or self.sections)

    def has_document(self, document_id: str) -> bool:
        return not self.documents or document_id in self.documents

    def has_section(self, section: str) -> bool:
        return not self.sections or section in self.sections

    def said(self, titles: Sequence[str]) -> str:
        """``in: Metformin.pdf, Contraindications``; nothing where all is searched.

        Args:
            titles: of the sections.
        """
        return f"in: {', '.join((*self.files, *titles))}" if self else ""


EVERYTHING = Within()
