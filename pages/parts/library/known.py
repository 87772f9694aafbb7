"""Files that the library had before, each with the document that has the same content."""

from __future__ import annotations

import streamlit as st

from core.domain.jobs import Job
from pages.parts.library.opened import open_document
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain, short

_KNOWN = "ALREADY_PRESENT"  # the code of such a file
_MOST = 5
_LONGEST = 40  # characters of a name on a button


def known_before(job: Job) -> None:
    """Name a job's files whose content was there, and offer to open what is there."""
    known = [item for item in job.items if item.code == _KNOWN]
    for number, item in enumerate(known[:_MOST]):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            said = f"**{plain(item.file)}** was not added. {plain(item.message)}"
            st.markdown(f":material/content_copy: {said}", width="content")
            there = workspace().catalogue.document(item.document_id) if item.document_id else None
            if there is not None and st.button(
                f"Open {plain(short(there.file, _LONGEST))}",
                key=f"known_{job.id}_{number}",
                icon=":material/open_in_new:",
                type="tertiary",
            ):
                open_document(there.id)
                st.rerun()
    if len(known) > _MOST:
        names = ", ".join(short(item.file, _LONGEST) for item in known[_MOST:])
        st.caption(plain(f"Likewise: {names}"))
