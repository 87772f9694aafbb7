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
        entities: ids. Relationships among them alone, and documents that mention one of them, are evidence;
            what is computed from the graph has no other members.
    """

    documents: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.documents or self.sections or self.entities)

    def has_document(self, document_id: str) -> bool:
        return not self.documents or document_id in self.documents

    def has_section(self, section: str) -> bool:
        return not self.sections or section in self.sections

    def has_entity(self, entity_id: str) -> bool:
        return not self.entities or entity_id in self.entities

    def said(self, titles: Sequence[str]) -> str:
        """``in: Metformin.pdf, Contraindications``; nothing where all is searched.

        Args:
            titles: of the sections.
        """
        part = [f"{len(self.entities):,} entities of the graph"] if self.entities else []
        return f"in: {', '.join((*part, *self.files, *titles))}" if self else ""


EVERYTHING = Within()
