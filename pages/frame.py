"""What every page shares: top navigation, the chat (in Streamlit's sidebar), the disclaimer."""

from __future__ import annotations

import streamlit as st

from core.answers.prompts import BANNER
from core.api.users import LoginRequired
from core.errors import MateriaError
from pages.parts.chat.panel import chat
from pages.parts.library.jobs import sample_progress
from pages.parts.shared.links import open_linked_conversation, show_link_problem
from pages.parts.shared.login import log_out_button, login_page, page_user
from pages.parts.shared.page_runs import run_after_restart
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, workspace
from pages.parts.shared.style import ICON, apply_style, logo

st.set_page_config(
    page_title="Materia",
    page_icon=str(ICON),
    layout="wide",
    initial_sidebar_state="collapsed",  # to Streamlit: the chat in it is placed by pages/parts/chat/modes
)
st.logo(str(logo()), size="large")
apply_style()
try:
    page_user()
except LoginRequired:
    login_page()
    st.stop()
run_after_restart()
close_dialog()  # running the whole page has closed it; what opens one below says so again
page = st.navigation(
    [
        st.Page("library.py", title="Library", icon=":material/folder_open:", default=True),
        st.Page("explorer.py", title="Explorer", icon=":material/hub:"),
        st.Page("literature.py", title="Literature", icon=":material/article:"),
        st.Page("boards.py", title="Boards", icon=":material/grid_on:"),
        st.Page("history.py", title="History", icon=":material/history:"),
        st.Page("compare.py", title="Compare", visibility="hidden"),
        st.Page("ledger.py", title="Ledger", visibility="hidden"),
        st.Page("system.py", title="System", icon=":material/settings:"),
    ],
    position="top",
)
with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
    log_out_button()
with st.container(key="page_note"):  # seen while the chat, which has it too, is minimized
    st.caption(f":material/health_and_safety: {BANNER}")
try:
    opened = workspace()
except MateriaError as error:
    show_error(error)
    st.stop()
open_linked_conversation()
with st.sidebar:
    chat()
show_link_problem()
sample_progress()
try:
    page.run()
except MateriaError as error:
    show_error(error)
# Only now, with the page on the screen: loading the model must not delay it.
if opened.settings.warm_up:
    opened.warm_up()
