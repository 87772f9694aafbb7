"""What the reader must know of an answer: the first sentence of each notice, the rest folded away."""

from __future__ import annotations

import streamlit as st

from core.domain.evidence.notices import notices_of
from pages.parts.shared.text import plain


def show_notices(text: str) -> None:
    """Draw the notices of an answer or a search; nothing where there are none.

    Args:
        text: as the answer keeps them, see `core.domain.evidence.notices`.
    """
    notices = notices_of(text)
    if not notices:
        return
    said = [plain(one.said) for one in notices]
    with st.container(gap="xsmall"):
        if len(said) == 1:
            st.warning(said[0], icon=":material/info:")
        else:
            st.warning("\n".join(f"- :small[{one}]" for one in said))
        if any(one.more for one in notices):
            with st.expander("More on this"):
                for one in notices:
                    if one.more:
                        before = f"{plain(one.said)} " if len(said) > 1 else ""
                        st.caption(before + plain(one.more))
