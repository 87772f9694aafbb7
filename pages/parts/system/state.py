"""Whether everything works: one line, then a card for each part; drawn at once, whatever hangs."""

from __future__ import annotations

import time

import streamlit as st

from core.conversations.usage import Times
from core.domain.health import Health, PartHealth
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain

_REFRESH_SECONDS = 1.0
_SETTLE_SECONDS = 0.3  # a page that waited so long for the answers is still drawn at once
_IN_A_ROW = 3
_TIMES = "step_times"  # when they were counted, and what was found
_TIMES_SECONDS = 30.0
_STEPS = {
    "retrieve": "retrieve",
    "expand": "expand",
    "generate": "generate",
    "model": "language model",
}


def show_state() -> None:
    """Ask every part how it is, and draw what is known; what comes later is drawn when it comes."""
    watch = workspace().watch
    watch.ask()
    watch.settle(_SETTLE_SECONDS)
    if watch.seen().waits:
        _live()
    else:
        _state(watch.seen())


@st.fragment(run_every=_REFRESH_SECONDS)
def _live() -> None:
    found = workspace().watch.seen()
    _state(found)
    if not found.waits:
        st.rerun()


def _state(found: Health) -> None:
    _summary(found)
    for part in found.parts:
        if not part.ok:
            _part(part)
    working = [part for part in found.parts if part.ok]
    for first in range(0, len(working), _IN_A_ROW):
        row = working[first : first + _IN_A_ROW]
        for column, part in zip(st.columns(_IN_A_ROW), row, strict=False):
            with column:
                _part(part)


def _summary(found: Health) -> None:
    broken = [part for part in found.parts if not part.ok]
    with st.container(horizontal=True, vertical_alignment="center"):
        if broken:
            names = ", ".join(part.name for part in broken)
            verb = "does" if len(broken) == 1 else "do"
            st.error(
                f"{plain(names)} {verb} not work; what to do stands below.", icon=":material/error:"
            )
        elif found.waits:
            st.info("Asking every part how it is ...", icon=":material/hourglass_top:")
        else:
            st.success("Everything works.", icon=":material/check_circle:")
        if st.button("Ask again", icon=":material/refresh:", key="ask_parts"):
            workspace().watch.ask(anew=True)
            st.rerun()


def _part(part: PartHealth) -> None:
    with st.container(border=True, height="stretch", gap="xxsmall", key=_key(part)):
        mark = ":green[:material/check_circle:]" if part.ok else ":red[:material/error:]"
        if part.ok and part.waiting_seconds is not None and part.median_ms is None:
            mark = ":gray[:material/hourglass_top:]"
        facts = plain(", ".join(_facts(part)))
        st.markdown(f"{mark} **{plain(part.name)}**", help=facts if part.ok and facts else None)
        st.markdown(plain(part.detail))
        if not part.ok:
            if part.advice:
                st.markdown(f":material/arrow_forward: {plain(part.advice)}")
            if facts:
                st.caption(facts)
        about = " · ".join(filter(None, [part.version, _latency(part)]))
        if about:
            st.caption(plain(about))


def _latency(part: PartHealth) -> str:
    if part.latency_ms is None:
        return ""
    if part.name == "Language model":
        return f"last answer took {_ms(part.latency_ms)}"
    median = "" if part.median_ms is None else f" (median {_ms(part.median_ms)})"
    return f"{_ms(part.latency_ms)}{median}"


def _facts(part: PartHealth) -> list[str]:
    return [
        f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}"
        for name, value in part.facts.items()
    ]


def _ms(milliseconds: float) -> str:
    """``0.42 ms``, ``12 ms``, ``1.3 s``."""
    if milliseconds < 1:
        return f"{milliseconds:.2f} ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 1_000 else f"{milliseconds / 1_000:.1f} s"


def show_step_times() -> None:
    """How long the steps of the kept answers took."""
    found = _step_times()
    if not found:
        return
    steps = " · ".join(
        f"{_STEPS[step]} {_ms(times.median * 1_000)} ({_ms(times.p95 * 1_000)})"
        for step, (times, _) in found.items()
    )
    answers = max(count for _, count in found.values())
    st.markdown(
        f":material/timer: **Answers take** {plain(steps)}",
        help=f"Medians of {answers:,} kept answers; in brackets the time within which 95 of 100 were done.",
    )


def _step_times() -> dict[str, tuple[Times, int]]:
    """Counted over all kept answers, and so not each time that something is pressed."""
    found: dict[str, tuple[Times, int]]
    counted_at, found = st.session_state.get(_TIMES, (-_TIMES_SECONDS, {}))
    if time.monotonic() - counted_at >= _TIMES_SECONDS:
        found = workspace().conversations.step_times()
        st.session_state[_TIMES] = (time.monotonic(), found)
    return found


def _key(part: PartHealth) -> str:
    return f"part_{part.name.replace(' ', '_').lower()}"
