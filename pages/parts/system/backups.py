"""Backups made, downloaded and deleted; one restored at the next start."""

from __future__ import annotations

import shutil
import uuid
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from core.domain.conversations import LOCAL_USER
from core.errors import MateriaError
from core.maintenance.backup.jobs import BACKUP, RESTORE
from core.maintenance.backup.restoring import read_backup
from core.maintenance.backup.swap import discard, is_staged, read_state
from core.maintenance.backup.writing import BackupFile, kept_backups
from pages.parts.shared.login import page_user
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace
from pages.parts.shared.text import file_size, plain
from pages.parts.system.upkeep_jobs import is_running, show_job

_ASKED = "restore_asked"  # name of the backup that is to be restored, until it is confirmed
_ROUND = "restore_round"


def backups() -> None:
    """All of it; of several users none may have the others' conversations."""
    if page_user() != LOCAL_USER:
        st.caption(
            "Several people share this Materia. Whoever runs it makes backups on the command line: "
            "python -m core backup FILE"
        )
        return
    _make()
    for one in kept_backups(workspace().settings):
        _kept(one)
    _from_elsewhere()
    show_job(RESTORE)


def _make() -> None:
    settings = workspace().settings
    st.caption(
        "One file with documents, originals, vectors, graph and conversations; made while you go on, then "
        "read back and checked. Not in it: keys and passwords, jobs that wait or run, models, logs. Settings "
        "are listed in it, and not restored. What you delete later stays in the backups that have it."
    )
    if settings.uses_neo4j:
        st.caption("What Neo4j keeps is read from there and comes along.")
    if st.button(
        "Make a backup", icon=":material/save:", key="backup_make", disabled=is_running(BACKUP)
    ):
        workspace().jobs.submit(BACKUP, "Backup", keep=False)
        st.rerun()
    show_job(BACKUP)


def _kept(one: BackupFile) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{one.made_at:%Y-%m-%d %H:%M} UTC**, {file_size(one.bytes)}")
            st.link_button(
                "Download",
                f"/api/system/backups/{one.name}",
                icon=":material/download:",
                key=f"get_{one.name}",
            )
            if st.button(
                "Restore",
                icon=":material/settings_backup_restore:",
                key=f"restore_{one.name}",
                disabled=is_running(RESTORE) or is_staged(workspace().settings.root),
            ):
                st.session_state[_ASKED] = one.name
            with st.popover("Delete", icon=":material/delete:", key=f"delete_{one.name}"):
                st.markdown("The file is removed for good.")
                if st.button(":red[Delete this backup]", key=f"remove_{one.name}"):
                    one.path.unlink(missing_ok=True)
                    st.rerun()
        if st.session_state.get(_ASKED) == one.name:
            _confirm(one.path, uploaded=False)


def _from_elsewhere() -> None:
    with st.expander("Restore a backup from a file", icon=":material/upload_file:"):
        round_ = st.session_state.get(_ROUND, 0)
        given = st.file_uploader("A backup (ZIP)", type=["zip"], key=f"restore_file_{round_}")
        st.caption("A larger one restores the command line: python -m core restore FILE")
        if given is None:
            return
        place = workspace().settings.root / "backups" / f"uploaded-{given.file_id[:40]}"
        if not place.exists():
            place.parent.mkdir(exist_ok=True)
            part = place.with_name(uuid.uuid4().hex)
            with part.open("wb") as writer:
                shutil.copyfileobj(given, writer)
            part.replace(place)
        _confirm(place, uploaded=True)


def _confirm(path: Path, *, uploaded: bool) -> None:
    """What is in it, and what happens."""
    try:
        manifest = read_backup(path)
    except MateriaError as error:
        show_error(error)
        return
    st.markdown(f"Of {_moment(manifest.made_at)}: {plain(manifest.words)}.")
    st.markdown(
        "It is unpacked and verified beside the present library now, and **takes its place when Materia "
        "starts again**. Everything that is in the library then, also what you add until then, is replaced."
    )
    with st.container(horizontal=True):
        if st.button("Get it ready", type="primary", key="restore_go"):
            params = {"path": str(path), "uploaded": uploaded}
            workspace().jobs.submit(RESTORE, "Restoring a backup", params, keep=False)
            st.session_state.pop(_ASKED, None)
            st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
            st.rerun()
        if st.button("Cancel", key="restore_not"):
            st.session_state.pop(_ASKED, None)
            if uploaded:
                path.unlink(missing_ok=True)
                st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
            st.rerun()


def restored_waits() -> None:
    """That a restored library takes the present one's place at the next start; nothing where none does."""
    if page_user() != LOCAL_USER:
        return
    root = workspace().settings.root
    if not is_staged(root):
        return
    state = read_state(root)
    st.warning(
        f"A backup of {_moment(str(state.get('made_at')))} is ready ({plain(str(state.get('words')))}). Stop "
        "Materia and start it again: it takes the place of the present library then.",
        icon=":material/restart_alt:",
    )
    if st.button("Keep the present library", icon=":material/undo:", key="restore_discard"):
        discard(root)
        st.rerun()


def _moment(made_at: str) -> str:
    """``2026-11-23 09:30 UTC``."""
    try:
        return f"{datetime.fromisoformat(made_at).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return plain(made_at)
