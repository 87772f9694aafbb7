"""What a long conversation was about, without a model: its subjects, and what was told of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from core.conversations.quotes import REMOVED
from core.domain.answers import Support
from core.domain.conversations import Summary, Turn
from core.domain.graph import NAMED_IN_QUESTION

LONG = 20  # turns; a session with more gets a summary
NEWEST = 200  # turns that one looks at; the cost of a summary has a bound
EVERY = 5  # turns after which it is made anew
_SUBJECTS = 5
_LINES = 10
_QUESTION = 100  # characters of a question
_TOLD = 200  # characters of a sentence


def is_due(turns: int) -> bool:
    """Whether a session that has come to so many turns gets another summary."""
    return turns > LONG and (turns - LONG - 1) % EVERY == 0


def summarise(turns: Sequence[Turn], now: datetime) -> Summary:
    """The subjects most asked about, and the surest answers about each of them, in order.

    Args:
        turns: one or more, in order.
    """
    subjects = Counter(name for turn in turns for name in _named(turn))
    refused = sum(turn.answer.refused for turn in turns)
    first, last = turns[0].position, turns[-1].position
    head = f"Questions {first + 1} to {last + 1}"
    if subjects:
        head += f", about {', '.join(name for name, _ in subjects.most_common(_SUBJECTS))}"
    if refused:
        head += f"; {refused} not answered"
    lines = [_line(turn) for turn in _chosen(turns, [name for name, _ in subjects.most_common()])]
    return Summary("\n".join([f"{head}.", *lines]), first, last, now)


def _named(turn: Turn) -> list[str]:
    """Names of the entities that the question names, each once."""
    named = (one.name for one in turn.answer.entities if one.reason == NAMED_IN_QUESTION)
    return list(dict.fromkeys(named))


def _chosen(turns: Sequence[Turn], subjects: Sequence[str]) -> list[Turn]:
    """The surest answer about each subject, the most frequent first, then the surest of the rest."""
    ranked_turns = sorted(turns, key=lambda turn: (-(turn.answer.confidence or 0.0), turn.position))
    # What was told twice is told once.
    surest = list(
        {told: turn for turn in reversed(ranked_turns) if (told := _decisive(turn))}.values()
    )
    surest.reverse()
    best = [next((t for t in surest if name in _named(t)), None) for name in subjects[:_SUBJECTS]]
    ranked = dict.fromkeys(turn.id for turn in (*best, *surest) if turn is not None)
    wanted = set(list(ranked)[:_LINES])
    return [turn for turn in turns if turn.id in wanted]


def _decisive(turn: Turn) -> str:
    """The first sentence of an answer that rests on something; "" where there is none."""
    if turn.answer.refused:
        return ""
    for sentence in turn.answer.sentences:
        if sentence.support is not Support.UNSUPPORTED and sentence.text != REMOVED:
            return sentence.text
    return ""


def _line(turn: Turn) -> str:
    return (
        f"{turn.position + 1}. {_short(turn.question, _QUESTION)} {_short(_decisive(turn), _TOLD)}"
    )


def _short(text: str, most: int) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
