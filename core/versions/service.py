"""Documents of the library compared, by their ids."""

from __future__ import annotations

from core.documents.library.catalogue import Catalogue
from core.domain.documents import Document, DocumentState
from core.errors import InputError, NotFound
from core.versions.comparing import compared
from core.versions.differences import VersionComparison


def compare_documents(catalogue: Catalogue, old_id: str, new_id: str) -> VersionComparison:
    """Two documents of the library, compared.

    Raises:
        NotFound: one is not in the library, or not ready (``DOCUMENT_NOT_FOUND``).
        InputError: they are one and the same (``SAME_DOCUMENT``).
    """
    old, new = _ready(catalogue, old_id), _ready(catalogue, new_id)
    if old.id == new.id:
        raise InputError(
            "A document cannot be compared with itself.",
            advice="Choose another one.",
            code="SAME_DOCUMENT",
        )
    return compared(old, catalogue.pages(old.id), new, catalogue.pages(new.id))


def _ready(catalogue: Catalogue, document_id: str) -> Document:
    document = catalogue.document(document_id)
    if document is None or document.state is not DocumentState.READY:
        raise NotFound(
            "This document is not in the library.",
            advice="List the documents for their ids.",
            code="DOCUMENT_NOT_FOUND",
        )
    return document
