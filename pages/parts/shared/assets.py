"""Style and script files of components, which stand beside the module that draws them."""

from __future__ import annotations

from pathlib import Path


def asset(module_file: str, suffix: str) -> str:
    """Text of the file that is called like a module, as ``.js`` or ``.css``.

    Read when the module is imported and handed on as it is: what a component shows goes to it as data.
    (Streamlit takes a path only of components that are installed as packages.)

    Args:
        module_file: the module's ``__file__``.
    """
    return Path(module_file).with_suffix(suffix).read_text("utf-8")
