"""The parent of the processes that are killed, see `tests.crash.worker`."""

from __future__ import annotations

from tests.crash.migration import migrate_back, migrate_there
from tests.crash.upkeep import resume_upkeep, upkeep, work_with_a_page_open
from tests.crash.worker import ACTIONS, serve

if __name__ == "__main__":
    serve(
        {
            **ACTIONS,
            "work-seen": work_with_a_page_open,
            "upkeep": upkeep,
            "resume-upkeep": resume_upkeep,
            "migrate-there": migrate_there,
            "migrate-back": migrate_back,
        }
    )
