"""The hub that models are fetched from by name, kept quiet."""

from __future__ import annotations

import os
from pathlib import Path


def quiet_hub(name_or_folder: str) -> None:
    """Set up the hub's client; to be called before sentence_transformers is imported."""
    # A local folder must never make the client look things up on the network.
    if Path(name_or_folder).is_dir():
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TQDM_DISABLE", "1")  # a log is no place for progress bars
