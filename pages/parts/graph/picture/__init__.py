"""Small pictures of the graph in answers, drawn by streamlit-agraph."""
