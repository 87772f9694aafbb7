"""An answer as text with clickable citation marks and entity names.

The component builds its elements with `textContent` alone: whatever a document, the graph or a model
says stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import streamlit as st

from core.domain.answers import Answer, GraphCitation, Sentence, Support
from core.domain.graph import Mention
from pages.parts.shared.text import citation_label

_SUPPORT_TITLES = {
    Support.DOCUMENT: "Supported by a document",
    Support.GRAPH: "Supported by the graph",
    Support.BOTH: "Supported by a document and the graph",
    Support.UNSUPPORTED: "Not supported by the evidence",
}

_CSS = """
:host, .answer { font-family: var(--st-font); color: var(--st-text-color); }
.answer { font-size: .93rem; line-height: 1.55; }
/* A hue takes something of the text's colour: darker on a light page, lighter on a dark one. */
.sentence { margin: 0 0 .55rem; padding-left: .6rem; border-left: 3px solid var(--mark);
  --mark: color-mix(in srgb, var(--hue) 72%, var(--st-text-color)); }
.document { --hue: #2563c9; } .graph { --hue: #7c3aed; } .both { --hue: #0f766e; }
.unsupported { --hue: #c62828; }
.refused .sentence { --hue: #64748b; }
button { font: inherit; border: 0; background: none; padding: 0; cursor: pointer; color: inherit; }
button.entity { text-decoration: underline; text-decoration-color: #94b8b3;
  text-underline-offset: 2px; text-align: left; }
button.entity:hover { color: var(--st-primary-color); }
button.cite { font-size: .7rem; font-weight: 600; line-height: 1; vertical-align: .25em;
  color: var(--mark); padding: .15rem .3rem; margin-left: .1rem; border-radius: 4px;
  background: color-mix(in srgb, var(--mark) 11%, transparent); }
button.cite:hover { background: color-mix(in srgb, var(--mark) 26%, transparent); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
/* A wrong sentence stands out as a block; a note on a right one is quiet. */
.sentence.unsupported { background: color-mix(in srgb, var(--mark) 7%, transparent);
  padding: .3rem .5rem .35rem .6rem; border-radius: 0 6px 6px 0; }
.problem, .note { display: block; font-size: .8rem; line-height: 1.4; margin-top: .15rem; }
.problem { color: var(--mark); font-weight: 600; }
.note { color: color-mix(in srgb, var(--st-text-color) 72%, transparent); }
.wrong { color: var(--mark); font-weight: 600; text-decoration: underline wavy 1px;
  text-underline-offset: 3px; }
"""

_JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  // The same answer stays as it is, so that a mark keeps the keyboard's focus while the panel is drawn anew.
  const { intoView, ...shown } = data;
  const content = JSON.stringify(shown);
  const present = parentElement.querySelector('.answer');
  if (present && present.dataset.content === content) return;
  if (present) present.remove();
  const root = document.createElement('div');
  root.dataset.content = content;
  root.className = data.refused ? 'answer refused' : 'answer';
  root.setAttribute('role', 'article');
  root.setAttribute('aria-label', 'Answer');
  // The evidence opens in a dialog; when it closes, the keyboard is where it was.
  const comeBack = (button) => {
    let opened = false;
    if (root.watch) root.watch.disconnect();
    root.watch = new MutationObserver(() => {
      const dialog = document.querySelector('[role="dialog"]');
      opened = opened || Boolean(dialog);
      if (!opened || dialog) return;
      root.watch.disconnect();
      setTimeout(() => button.focus({ preventScroll: true }), 100);
    });
    root.watch.observe(document.body, { childList: true, subtree: true });
  };
  const cite = (n, label) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cite';
    button.textContent = String(n);
    button.title = label;
    button.setAttribute('aria-label', 'Evidence ' + n + ': ' + label);
    button.onclick = () => {
      comeBack(button);
      setTriggerValue('clicked', { kind: 'citation', n });
    };
    return button;
  };
  for (const sentence of data.sentences) {
    const paragraph = document.createElement('p');
    paragraph.className = 'sentence ' + sentence.support;
    if (sentence.title) {
      paragraph.title = sentence.title;
      paragraph.setAttribute('role', 'group');
      paragraph.setAttribute('aria-label', sentence.title);
    }
    for (const part of sentence.parts) {
      if (part.cite) {
        paragraph.append(cite(part.cite, data.labels[part.cite] || ''));
      } else if (part.entity) {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'entity';
        button.textContent = part.text;
        button.title = 'Open in the explorer';
        button.onclick = () => setTriggerValue('clicked', { kind: 'entity', id: part.entity });
        paragraph.append(button);
      } else if (part.wrong) {
        const wrong = document.createElement('span');
        wrong.className = 'wrong';
        wrong.textContent = part.text;
        paragraph.append(wrong);
      } else {
        paragraph.append(document.createTextNode(part.text));
      }
    }
    const isWrong = sentence.support === 'unsupported';
    sentence.problems.forEach((problem, i) => {
      const told = document.createElement('span');
      told.className = isWrong ? 'problem' : 'note';
      const head = i > 0 ? '' : isWrong ? '\\u26a0 Not supported: ' : '\\u2139 Note: ';
      told.textContent = head + problem;
      paragraph.append(told);
    });
    root.append(paragraph);
  }
  parentElement.append(root);
  if (intoView) {
    // A new answer is read from its beginning: the log has followed its end while it grew. Only the
    // log is scrolled, never the sidebar around it.
    const host = parentElement.host || parentElement;
    const log = host.closest('.st-key-chat_log');
    const message = host.closest('[data-testid="stChatMessage"]') || host;
    const toTop = () => {
      log.scrollTop += message.getBoundingClientRect().top - log.getBoundingClientRect().top - 8;
    };
    if (log) setTimeout(toTop, 150);
  }
}
"""

_component = st.components.v2.component("materia_answer", css=_CSS, js=_JS)


def answer_view(
    answer: Answer, find: Callable[[str], list[Mention]], key: str, into_view: bool = False
) -> dict[str, Any] | None:
    """Draw an answer; what was clicked in this run: a citation (`n`) or an entity (`id`), or None.

    Args:
        find: places of entity names in a text.
        into_view: scroll so that the answer's beginning is seen.
    """
    result = _component(
        key=key,
        data={
            "refused": answer.refused,
            "intoView": into_view,
            "labels": {str(c.n): citation_label(c) for c in answer.citations},
            "sentences": [_sentence(sentence, answer, find) for sentence in answer.sentences],
        },
        on_clicked_change=lambda: None,
    )
    clicked: dict[str, Any] | None = result.get("clicked")
    return clicked


def _sentence(
    sentence: Sentence, answer: Answer, find: Callable[[str], list[Mention]]
) -> dict[str, Any]:
    return {
        "support": str(sentence.support),
        "title": "" if answer.refused else _SUPPORT_TITLES[sentence.support],
        "problems": list(sentence.problems),
        "parts": _parts(sentence, answer, find),
    }


def _parts(
    sentence: Sentence, answer: Answer, find: Callable[[str], list[Mention]]
) -> list[dict[str, Any]]:
    """Text, entity names and citation marks in order.

    The mark of a relationship stands behind the name that only it explains; all others at the end.
    """
    behind = _marks_behind(sentence, answer)
    placed: set[int] = set()
    parts: list[dict[str, Any]] = []
    position = 0
    wrong = _wrong_numbers(sentence)
    for mention in find(sentence.text):
        parts.extend(_plain_parts(sentence.text, position, mention.start, wrong))
        parts.append({"text": mention.text, "entity": mention.entity_id})
        position = mention.end
        number = behind.get(mention.entity_id)
        if number is not None and number not in placed:
            placed.add(number)
            parts.append({"cite": number})
    parts.extend(_plain_parts(sentence.text, position, len(sentence.text), wrong))
    parts.extend({"cite": number} for number in sentence.citations if number not in placed)
    return parts


def _plain_parts(
    text: str, start: int, end: int, wrong: Sequence[tuple[int, int]]
) -> Iterator[dict[str, Any]]:
    """A piece of a sentence without names, its wrong numbers apart."""
    for first, last in wrong:
        if start <= first and last <= end:
            if first > start:
                yield {"text": text[start:first]}
            yield {"text": text[first:last], "wrong": True}
            start = last
    if end > start:
        yield {"text": text[start:end]}


def _wrong_numbers(sentence: Sentence) -> list[tuple[int, int]]:
    """Where the numbers stand that the problems of a sentence begin with, as "35 mg is not in ..."."""
    if sentence.support is not Support.UNSUPPORTED:
        return []
    found: list[tuple[int, int]] = []
    for problem in sentence.problems:
        words = problem.removeprefix("the limit at ").split()
        for length in range(len(words), 0, -1):
            written = r"\s+".join(map(re.escape, words[:length]))
            match = re.search(rf"(?<!\w){written}(?!\w)", sentence.text)
            if match and re.search(r"\d", match[0]):
                found.append(match.span())
                break
    found.sort()
    return [one for i, one in enumerate(found) if not i or one[0] >= found[i - 1][1]]


def _marks_behind(sentence: Sentence, answer: Answer) -> dict[str, int]:
    """Entity id -> the one graph citation of the sentence that it is an end of."""
    ends: dict[str, list[int]] = {}
    for number in sentence.citations:
        citation = answer.citation(number)
        if isinstance(citation, GraphCitation):
            for entity_id in (citation.source_id, citation.target_id):
                ends.setdefault(entity_id, []).append(number)
    if len([n for n in sentence.citations if isinstance(answer.citation(n), GraphCitation)]) < 2:
        return {}
    return {entity_id: found[0] for entity_id, found in ends.items() if len(found) == 1}
