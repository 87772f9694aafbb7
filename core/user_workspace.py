"""The server's workspace as one user sees it: what pages and the API work with."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from core.workspace import Workspace, shared_workspace


def workspace_of(user: str) -> Workspace:
    """The server's workspace for a user, who has conversations, exports, views and runs of his own.

    Documents, graph, models and jobs are everybody's. What is opened, closed or maintained is the shared
    workspace.

    Args:
        user: the key, see `core.domain.conversations`.
    """
    shared = shared_workspace()
    one = copy(shared)
    one.conversations = shared.conversations.of_user(user)
    one.exports = shared.exports.of_user(user)
    one.views = shared.views.of_user(user)
    one.recall = shared.recall.of_user(user)
    one.earlier = replace(shared.earlier, recall=one.recall, conversations=one.conversations)
    one.chat = shared.chat.of_user(one.conversations)
    one.runs = shared.runs.of_user(user, lambda: one.chat, one.conversations)
    return one
