"""Choosing the language model: provider, address, model, key; a test; none at all."""

from __future__ import annotations

import streamlit as st

from core.errors import MateriaError
from core.llm.choice import ModelChoice
from core.settings import PROVIDERS, Provider
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain, short

_NONE = "none"
_LABELS = {
    _NONE: "None: quote the evidence (offline)",
    Provider.OPENAI: "OpenAI",
    Provider.DEEPSEEK: "DeepSeek",
    Provider.GEMINI: "Gemini",
    Provider.OLLAMA: "Ollama (on this machine)",
    Provider.CUSTOM: "Custom address",
}
_OFFERED = "models_offered"  # (provider, address) -> names, for this browser session
_SAID = 60  # characters shown of what a tested model said


def model_choice() -> None:
    """The section on the System page."""
    _in_force()
    with st.container(border=True):
        chosen, key = _fields()
        with st.container(horizontal=True, vertical_alignment="center"):
            use = st.button("Use", type="primary", key="model_use", icon=":material/check:")
            test = listed = False
            if chosen.provider is not None:
                test = st.button("Test", key="model_test", icon=":material/network_ping:")
                listed = st.button("List models", key="model_list", icon=":material/list:")
        try:
            if use:
                _use(chosen, key)
            elif test:
                _test(chosen, key)
            elif listed:
                _list(chosen, key)
        except MateriaError as error:
            show_error(error)


def _in_force() -> None:
    models = workspace().models
    current = models.choice
    if current.provider is None:
        st.markdown("Answers quote the evidence; no language model is asked.")
    else:
        name = plain(models.settings.chat_model)
        st.markdown(f"Answers are written by **{name}** ({_LABELS[current.provider]}).")
    if models.needs_key:
        st.warning("The model that was chosen needs its key again.", icon=":material/key:")
    if models.decided_by_environment:
        st.caption("The environment names the model. A choice here holds until Materia stops.")


def _fields() -> tuple[ModelChoice, str]:
    """What is chosen, and the key that is typed."""
    current = workspace().models.choice
    options = list(_LABELS)
    picked = st.selectbox(
        "Provider",
        options,
        index=options.index(current.provider or _NONE),
        format_func=lambda option: _LABELS[option],
        key="model_provider",
    )
    if picked == _NONE:
        return ModelChoice(None), ""
    provider = Provider(picked)
    own_url, own_model = PROVIDERS[provider]
    same = provider is current.provider
    address = st.text_input(
        "Base URL",
        value=current.base_url if same else "",
        placeholder=own_url or ("https://..." if provider is Provider.CUSTOM else "OpenAI's own"),
        key=f"model_url_{provider}",
        max_chars=300,
    )
    offered = st.session_state.get(_OFFERED, {}).get((provider, address), [])
    typed = st.session_state.get(f"model_typed_{provider}", "")
    named = typed or (current.model if same else "")
    model: str | None
    if offered:
        model = st.selectbox(
            "Model",
            list(dict.fromkeys(filter(None, [named, own_model, *offered]))),
            accept_new_options=True,
            key=f"model_name_{provider}",
        )
    else:
        # What is typed here counts without Enter.
        model = st.text_input(
            "Model",
            value=named or own_model,
            placeholder="Type a name, or list the provider's models",
            key=f"model_typed_{provider}",
            max_chars=200,
        )
    key = st.text_input(
        "Key",
        type="password",
        key=f"model_key_{provider}",
        autocomplete="off",
        max_chars=500,
        help="Set OPENAI_API_KEY or MATERIA_LLM_API_KEY in the environment to keep it.",
    )
    st.caption(
        "The key stays in memory until Materia stops and is never written down. Left empty, the key that "
        "is known for this address is used."
    )
    return ModelChoice(provider, address, model or ""), key


def _use(chosen: ModelChoice, key: str) -> None:
    workspace().models.choose(chosen, key)
    model = workspace().models.current
    by = f"by {plain(model.name)}" if model else "with quoted evidence"
    st.toast(f"The next question is answered {by}.", icon=":material/check:")
    st.rerun()


def _test(chosen: ModelChoice, key: str) -> None:
    with st.spinner("Waiting for the model ..."):
        done = workspace().models.test(chosen, key)
    st.success(
        f"{plain(done.model)} answers: the first token came after {done.first_token_seconds:.2f} s. "
        f"It said: {plain(short(done.text, _SAID))}",
        icon=":material/check_circle:",
    )


def _list(chosen: ModelChoice, key: str) -> None:
    with st.spinner("Asking for the models ..."):
        names = workspace().models.available(chosen, key)
    offered = st.session_state.setdefault(_OFFERED, {})
    offered[chosen.provider, chosen.base_url] = names
    st.toast(f"{len(names)} models; choose one under Model.", icon=":material/list:")
    st.rerun()
