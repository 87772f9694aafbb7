"""Choosing a language model on the System page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.workspace import Workspace
from tests.support.fake_openai import FakeOpenAI, error, fake_openai, listing, text

KEY = "sk-choice-test-0123456789abcdef"
OpenPage = Callable[..., AppTest]


@pytest.fixture
def provider() -> Iterator[FakeOpenAI]:
    with fake_openai() as fake:
        yield fake


@pytest.fixture
def filled(
    make_workspace: Callable[..., Workspace], open_page: OpenPage, provider: FakeOpenAI
) -> tuple[AppTest, Workspace]:
    """The System page with a custom endpoint typed in, nothing pressed yet."""
    workspace = make_workspace()
    app = open_page(workspace, "system.py")
    app.selectbox(key="model_provider").set_value("custom").run()
    app.text_input(key="model_url_custom").set_value(provider.url).run()
    app.text_input(key="model_key_custom").set_value(KEY).run()
    return app, workspace


def shown(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.success, *app.error, *app.warning, *app.toast]
    return "\n".join(str(part.value) for part in parts)


def test_a_listed_model_is_tested_and_used(
    filled: tuple[AppTest, Workspace], provider: FakeOpenAI
) -> None:
    app, workspace = filled
    assert "no language model is asked" in shown(app)
    provider.play(listing("small-model", "tall-model"), text("ready"))
    app.button(key="model_list").click().run()
    names = app.selectbox(key="model_name_custom")
    assert names.options == ["small-model", "tall-model"]
    names.set_value("tall-model").run()
    app.button(key="model_test").click().run()
    assert "the first token came after" in shown(app) and "tall" in shown(app)
    assert workspace.models.current is None
    app.button(key="model_use").click().run()
    assert not app.exception
    assert workspace.models.current is not None
    assert workspace.models.current.name == "tall-model"
    assert "Answers are written by" in shown(app)
    app.selectbox(key="model_provider").set_value("none").run()
    app.button(key="model_use").click().run()
    assert workspace.models.current is None and "no language model is asked" in shown(app)


def test_what_fails_is_told_with_its_code_and_no_key(
    filled: tuple[AppTest, Workspace], provider: FakeOpenAI
) -> None:
    app, workspace = filled
    provider.play(error(401, f"wrong key {KEY}"))
    app.button(key="model_list").click().run()
    assert "MODEL\\_KEY\\_REFUSED" in shown(app)
    app.button(key="model_use").click().run()  # no model is named
    assert "MODEL\\_CHOICE" in shown(app) and workspace.models.current is None
    assert KEY not in shown(app) and not app.exception
