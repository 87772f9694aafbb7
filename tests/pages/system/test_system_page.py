"""The System page in trouble: a part that hangs, a backup and its way back, an error by its id."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.domain.health import PartHealth
from core.logs import correlation, get_logger
from core.maintenance.backup.swap import is_staged
from core.maintenance.backup.writing import kept_backups
from core.maintenance.state.watch import HealthWatch
from core.workspace import Workspace

OpenPage = Callable[..., AppTest]


def text(app: AppTest) -> str:
    parts = (app.markdown, app.text, app.caption, app.error, app.warning, app.success, app.info)
    return "\n".join(str(one.value) for kind in parts for one in kind).replace("\\", "")


def ended(workspace: Workspace, app: AppTest) -> AppTest:
    (newest, *_) = workspace.jobs.jobs()
    workspace.jobs.wait(newest.id, 60)
    return app.run()


def test_the_page_is_drawn_while_a_part_hangs(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    going = threading.Event()

    def hangs() -> PartHealth:
        going.wait(60)
        return PartHealth("Knowledge graph", False, "It is away.", advice="Start it.")

    workspace = make_workspace()
    workspace.watch = HealthWatch({"Knowledge graph": hangs})
    begun = time.monotonic()
    app = open_page(workspace, "system.py")
    assert time.monotonic() - begun < 50 and not app.exception
    assert "being asked" in text(app) and app.tabs
    going.set()
    workspace.watch.now(30)
    app.run()
    assert "Knowledge graph does not work" in text(app) and "Start it" in text(app)


def test_backup_restore_and_errors(
    make_workspace: Callable[..., Workspace], open_page: OpenPage, pdf: Callable[..., Path]
) -> None:
    workspace = make_workspace()
    workspace.library.ingest(pdf("Zolvetrin.pdf", "Zolvetrin is taken with water."))
    app = open_page(workspace, "system.py")
    app.button(key="backup_make").click().run()
    ended(workspace, app)
    (kept,) = kept_backups(workspace.settings)
    assert not app.exception
    workspace.library.delete(workspace.library_store.documents()[0].id)
    app.button(key=f"restore_{kept.name}").click().run()
    assert "takes its place when Materia starts again" in text(app) and "1 document," in text(app)
    app.button(key="restore_go").click().run()
    ended(workspace, app)
    assert is_staged(workspace.settings.root) and "Stop Materia and start it again" in text(app)
    assert not workspace.library_store.documents(), "nothing has changed yet"

    with correlation("abc123def456"):
        get_logger("jobs").warning("job_failed", code="DISK_FULL", message="The disk is full.")
    app.text_input(key="error_id").set_value("abc123def456").run()
    (table,) = (one.value for one in app.dataframe if "Correlation id" in one.value)
    assert list(table["What"]) == ["The disk is full."]
    app.text_input(key="error_id").set_value("<b>").run()
    assert "INVALID_CORRELATION_ID" in text(app)

    workspace.close()
    with closing(make_workspace()) as again:
        assert [one.file for one in again.library_store.documents()] == ["Zolvetrin.pdf"]
        assert again.verifier.run().findings == ()
