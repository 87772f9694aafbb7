"""The part of library and graph that a question is asked of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Within:
    """Documents and sections that passages are taken from, and entities that the question is asked of; none of
    either means all. Documents and sections do not narrow what the graph lists.

    Attributes:
        documents: ids.
        files: what the documents were called when the question was asked, in the same order.
        sections: standard codes (``contraindications``, ...).
        products: titles of the products that something is asked of each of, where files tell of several; none
            means all.
        entities: ids. Relationships among them alone, and documents that mention one of them, are evidence;
            what is computed from the graph has no other members.
    """

    documents: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    products: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.documents or self.sections or self.entities)

    def has_document(self, document_id: str) -> bool:
        return not self.documents or document_id in self.documents

    def has_product(self, title: str) -> bool:
        return not self.products or title in self.products

    def has_section(self, section: str) -> bool:
        return not self.sections or section in self.sections

    def has_entity(self, entity_id: str) -> bool:
        return not self.entities or entity_id in self.entities

    def said(self, titles: Sequence[str], most: int | None = None) -> str:
        """``in: Metformin.pdf, Contraindications``; nothing where all is searched.

        Args:
            titles: of the sections.
            most: files that are named, where not all are.
        """
        part = [f"{len(self.entities):,} entities of the graph"] if self.entities else []
        files = [*self.files[:most]]
        if left := len(self.files) - len(files):
            files.append(f"{left:,} more document{'s' if left > 1 else ''}")
        return f"in: {', '.join((*part, *files, *titles))}" if self else ""


EVERYTHING = Within()
