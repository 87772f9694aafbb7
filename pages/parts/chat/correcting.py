"""What was understood of a question, corrected: a dialog whose sentence changes with every choice."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st

from core.domain.conversations import Turn
from core.domain.plans import Condition, Correction, Gap, Named, Plan, Selection, Want
from core.errors import InputError, MateriaError
from core.questions.correcting.corrections import Corrections, Link
from core.questions.correcting.places import Place, conditions_of, set_at
from core.questions.wording import noun
from pages.parts.chat.asking import ask
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import plain

_REQUESTED = (
    "correction_requested"  # id of the turn whose plan is to be corrected, and which of its plans
)
_DRAFT = "correction_draft"
_WANTED = {
    Want.LIST: "A list",
    Want.COUNT: "Their number",
    Want.MOST: "The one with the most",
    Want.LEAST: "The one with the fewest",
}
_COLUMNS = (10, 12)
_NAME_HELP = "Choose another, or type a name and press Enter."
_T = TypeVar("_T")


@dataclass
class _Draft:
    """A plan being corrected.

    Attributes:
        number: which of the turn's plans it is.
        before: as it was when the dialog was opened.
        typed: what was typed in place of a name and is not in the graph, and what is like it, by the key
            of its widget.
        changes: how many there were; each has widgets of its own, which show the plan as it is then.
    """

    turn: Turn
    number: int
    before: Plan
    plan: Plan
    typed: dict[str, tuple[str, tuple[Named, ...]]] = field(default_factory=dict)
    changes: int = 0
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def change(self, plan: Plan) -> None:
        self.plan, self.typed = plan, {}
        self.changes += 1


def request_correction(turn_id: str, number: int = 0) -> None:
    """Open the dialog when the panel is drawn next, on one of a turn's plans; a callback of widgets."""
    st.session_state[_REQUESTED] = turn_id, number
    st.session_state.pop(_DRAFT, None)


def show_requested_correction(turns: Sequence[Turn]) -> bool:
    """Open the dialog on one of the turns, if it was asked for and is not done with; whether it is open."""
    wanted, number = st.session_state.get(_REQUESTED, ("", 0))
    turn = next((one for one in turns if one.id == wanted), None)
    if turn is None or number >= len(turn.answer.each_plan):
        return False
    _correct(turn, number)
    return True


def _done() -> None:
    st.session_state.pop(_REQUESTED, None)
    st.session_state.pop(_DRAFT, None)
    close_dialog()


@st.dialog("Change what was understood", width="medium", on_dismiss=_done)
def _correct(turn: Turn, number: int) -> None:
    open_dialog()
    draft: _Draft | None = st.session_state.get(_DRAFT)
    if draft is None or (draft.turn.id, draft.number) != (turn.id, number):
        plan = turn.answer.each_plan[number].plan
        draft = st.session_state[_DRAFT] = _Draft(turn, number, plan, plan)
    try:
        _form(draft, workspace().corrections)
    except MateriaError as error:
        show_error(error)


def _form(draft: _Draft, corrections: Corrections) -> None:
    plan = draft.plan
    st.caption(f"Asked: {plain(draft.turn.question)}")
    # Above the choices, and made after them: a name may be drawn that is gone by now.
    sentence = st.container()
    above, beside = st.columns(_COLUMNS)
    if len(corrections.wants(plan)) > 1:
        with above:
            _wanted(draft, corrections)
    else:
        beside = above
    if plan.want is not Want.COMPARE:
        for number, subject in enumerate(plan.subjects):
            _subject(draft, corrections, number, subject)
    for number, selection in enumerate(plan.sets):
        with beside if len(plan.sets) == 1 else st.container():
            _kind(draft, corrections, (number,), selection)
        _conditions(draft, corrections, (number,), selection)
    if plan.want in _WANTED:
        _more(draft, corrections, plan.sets[0])
    _left_over(draft, corrections)
    problem = _problem(draft, corrections)
    with sentence:
        st.markdown(f"**{plain(corrections.said(plan))}**")
    if problem:
        st.caption(f":material/info: {plain(problem)}")
    unchanged = corrections.complete(plan) == draft.before
    if st.button(
        "Ask so", key="correction_ask", type="primary", disabled=bool(problem) or unchanged
    ):
        _ask(draft)


def _problem(draft: _Draft, corrections: Corrections) -> str:
    """Why the plan cannot be carried out as it is; empty where it can."""
    try:
        corrections.checked(corrections.complete(draft.plan))
    except InputError as error:
        return str(error)
    return ""


def _ask(draft: _Draft) -> None:
    plan = workspace().corrections.complete(draft.plan)
    answer = draft.turn.answer
    ask(answer.question, answer.wider, Correction(plan, draft.turn.id, draft.number))
    _done()
    st.rerun()  # of the whole page, which is what closes a dialog


# -- the parts of a plan ---------------------------------------------------------------------------


def _wanted(draft: _Draft, corrections: Corrections) -> None:
    _select(
        draft,
        "Wanted",
        corrections.wants(draft.plan),
        draft.plan.want,
        _WANTED.__getitem__,
        "want",
        lambda want: corrections.wanting(draft.plan, want),
    )


def _subject(draft: _Draft, corrections: Corrections, number: int, subject: Named) -> None:
    types: Collection[str] = ()
    if draft.plan.want is Want.YES_NO:
        ends = [one.of for one in draft.plan.sets[number].all_conditions()]
        types = [name for end in ends for name in _types_of(end)]
    _name(
        draft,
        corrections,
        subject,
        types,
        f"subject_{number}",
        lambda named: corrections.about(draft.plan, number, named),
    )


def _kind(draft: _Draft, corrections: Corrections, place: Place, selection: Selection) -> None:
    """Of which type the members are; of what is asked about a subject, the subject tells it."""
    if draft.plan.want is Want.YES_NO and len(place) == 1:
        return
    choices = corrections.types(draft.plan, place)
    if len(choices) > 1:
        _select(
            draft,
            "Of which kind",
            choices,
            selection.types,
            lambda types: noun(types).capitalize(),
            f"types_{'_'.join(map(str, place))}",
            lambda types: corrections.of_types(draft.plan, place, types),
        )
    else:
        st.caption(noun(selection.types).capitalize())


def _conditions(
    draft: _Draft, corrections: Corrections, place: Place, selection: Selection
) -> None:
    several = sum(1 for _ in selection.all_conditions()) > 1
    for at, condition in conditions_of(place, selection):
        if at[-1] or at[-2]:
            st.caption("or" if at[-1] else "and")
        _condition(draft, corrections, at, condition, several)


def _condition(
    draft: _Draft, corrections: Corrections, at: Place, condition: Condition, removable: bool
) -> None:
    key = "_".join(map(str, at))
    link, end = st.columns(_COLUMNS)
    links = corrections.links(draft.plan, at)
    with link:
        _select(
            draft,
            "Relationship",
            links,
            links[0],
            _said,
            f"link_{key}",
            lambda chosen: corrections.linked(draft.plan, at, chosen),
        )
    with end, st.container(horizontal=True, wrap=False, gap="small"):
        with st.container():
            _end(draft, corrections, at, condition.of)
        if removable:
            st.button(
                "",
                key=_key(draft, f"remove_{key}"),
                icon=":material/close:",
                type="tertiary",
                help="Leave this condition out",
                on_click=lambda: draft.change(corrections.without(draft.plan, at)),
            )
    if isinstance(condition.of, Selection):
        with st.container(border=True):
            _conditions(draft, corrections, at, condition.of)


def _more(draft: _Draft, corrections: Corrections, selection: Selection) -> None:
    """One more condition on the set that is asked for, by the name of its other end; how that is linked,
    and whether it is denied, is chosen once it is there."""
    key = _key(draft, "more")
    typed, like = draft.typed.get("more", ("", ()))

    def add() -> None:
        name = str(st.session_state[key]).strip()
        meant = corrections.meant(name, selection.types) if name else None
        if meant is not None and meant.exact:
            draft.change(corrections.with_name(draft.plan, meant.exact[0]))
        elif meant is not None:
            draft.typed["more"] = name, meant.close
            draft.changes += 1

    st.text_input(
        "One more condition",
        key=key,
        placeholder="One more condition: what it names, and Enter",
        label_visibility="collapsed",
        on_change=add,
    )
    if typed:
        _not_called(typed, ())
    for label, named in _labels(like).items():
        st.button(
            f"Add {plain(label)}",
            key=_key(draft, f"more_{'_'.join(named.ids)}"),
            icon=":material/add:",
            on_click=draft.change,
            args=(corrections.with_name(draft.plan, named),),
        )


def _end(draft: _Draft, corrections: Corrections, at: Place, of: Named | Selection) -> None:
    """What the members are linked to: an entity, or those of a kind."""
    if isinstance(of, Selection):
        _kind(draft, corrections, at, of)
        return
    _name(
        draft,
        corrections,
        of,
        set_at(draft.plan, at[:-2]).types,
        f"name_{'_'.join(map(str, at))}",
        lambda named: corrections.naming(draft.plan, at, named),
    )


def _left_over(draft: _Draft, corrections: Corrections) -> None:
    left = draft.plan.left_over
    if not left:
        return
    words = ", ".join(f"“{plain(one.text)}”" for one in left)
    st.caption(f"Not understood, and left out if you ask so: {words}")
    names = [one.instead for one in left if one.gap is Gap.NAME and one.instead is not None]
    names += [choice for one in left for choice in one.choices]
    for named in names:
        added = corrections.with_name(draft.plan, named)
        if draft.plan.sets and added != draft.plan:
            st.button(
                f"Add {plain(named.name)}",
                key=_key(draft, f"add_{'_'.join(named.ids)}"),
                icon=":material/add:",
                on_click=draft.change,
                args=(added,),
            )


# -- widgets ---------------------------------------------------------------------------------------


def _select(
    draft: _Draft,
    label: str,
    options: Sequence[_T],
    now: _T,
    said: Callable[[_T], str],
    name: str,
    changed: Callable[[_T], Plan],
) -> None:
    """A choice of which the plan has one."""
    key = _key(draft, name)
    st.selectbox(
        label,
        options,
        index=list(options).index(now),
        format_func=said,
        key=key,
        label_visibility="collapsed",
        disabled=len(options) == 1,
        on_change=lambda: draft.change(changed(st.session_state[key])),
    )


def _name(
    draft: _Draft,
    corrections: Corrections,
    named: Named,
    types: Collection[str],
    name: str,
    changed: Callable[[Named], Plan],
) -> None:
    """An entity: those that it could be, or one that is typed."""
    typed, like = draft.typed.get(name, ("", ()))
    options = _labels((named, *like) if like else corrections.alike(named, types))
    key = _key(draft, name)

    def choose() -> None:
        chosen = str(st.session_state[key] or "")
        found = options.get(chosen)
        if found is None and chosen:
            meant = corrections.meant(chosen, types)
            if not meant.exact:
                draft.typed[name] = chosen, meant.close
                draft.changes += 1
                return
            found = meant.exact[0]
        if found is not None:
            draft.change(changed(found))

    st.selectbox(
        "Name",
        list(options),
        key=key,
        label_visibility="collapsed",
        accept_new_options=True,
        help=_NAME_HELP,
        on_change=choose,
    )
    if typed:
        _not_called(typed, like)


def _not_called(typed: str, like: Collection[Named]) -> None:
    other = "; what is called nearly so is in the list" if like else ""
    st.caption(f"Nothing here is called “{plain(typed)}”{other}.")


def _key(draft: _Draft, name: str) -> str:
    return f"correction_{draft.id}_{draft.changes}_{name}"


def _labels(found: Sequence[Named]) -> dict[str, Named]:
    """Entities by what they are called: with their type, and with their id behind one called the same."""
    labels: dict[str, Named] = {}
    for one in found:
        kind = noun((one.type,), 1)
        label = f"{one.name} ({kind})"
        labels[f"{one.name} ({kind}, {one.ids[0]})" if label in labels else label] = one
    return labels


def _said(link: Link) -> str:
    return link.said


def _types_of(of: Named | Selection) -> tuple[str, ...]:
    return (of.type,) if isinstance(of, Named) else of.types
