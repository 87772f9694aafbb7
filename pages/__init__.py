"""Streamlit pages: short scripts that show what the workspace hands them."""
