"""The visible text of HTML, line by line as a browser shows it.

Everything visible stays: guessing what the main content is could lose a warning. Nothing is fetched
or run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_UNSEEN = frozenset(  # title, desc and metadata also stand inside drawings
    "head title desc metadata script style template noscript iframe object embed canvas audio video".split()
)
_PARAGRAPHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure form fieldset hr".split()
)
_LINES = frozenset(
    "div section article aside header footer main nav address li dt dd tr caption figcaption legend "
    "details summary option optgroup thead tbody tfoot center body svg text".split()
)
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_UNSEEN_CHARACTERS = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
# 10<sup>9</sup> must not become 109.
_HIGH = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ"
_RAISED = str.maketrans("0123456789+-−–=()n", _HIGH)
_EMPTY_ROW = re.compile(r"^[ |]*\|[ |]*$\n?", re.MULTILINE)
_CELLS = " | "


class _Writer:
    """Words in, lines out: white space collapses, breaks merge."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._gap = 0  # line ends that stand before the next word
        self._space = False
        self._bullet = ""

    def break_lines(self, count: int) -> None:
        self._gap = max(self._gap, count)

    def new_line(self) -> None:
        """One more line end, as <br> asks for; two make an empty line."""
        self._gap = min(self._gap + 1, 2)

    def start_item(self) -> None:
        self.break_lines(1)
        self._bullet = "• "

    def space(self) -> None:
        self._space = True

    def separate_cells(self) -> None:
        self._put(_CELLS.strip(), spaced=True)
        self._space = True

    def write(self, text: str) -> None:
        words = text.translate(_UNSEEN_CHARACTERS).split()
        if words:
            self._put(" ".join(words), spaced=text[0].isspace())
        self._space = (self._space and not words) or (bool(text) and text[-1].isspace())

    def write_lines(self, text: str) -> None:
        """Preformatted text: its line ends stay."""
        for place, line in enumerate(text.split("\n")):
            if place:
                self.new_line()
            self.write(line)

    def _put(self, text: str, *, spaced: bool) -> None:
        if self._gap or not self.parts:
            before = "\n" * self._gap if self.parts else ""
        else:
            before = " " if spaced or self._space else ""
        self.parts.append(f"{before}{self._bullet}{text}")
        self._gap, self._space, self._bullet = 0, False, ""


def html_text(html: str) -> tuple[str, str]:
    """The text that a reader of the page sees, and its title ("" without one).

    Headings, paragraphs, list items ("• ") and table rows (cells apart by " | ") are lines of their
    own; an empty line stands around headings, paragraphs, lists and tables. Characters that are set
    high are written as Unicode's superscripts where there are such.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    writer = _Writer()
    cells = _Cells()
    raised: list[Any] = []
    for node, entering in _walk(tree.root):
        tag = node.tag
        if tag == "-text":
            _write_text(writer, node, raised=bool(raised))
        elif tag in ("td", "th"):
            cells.cross(writer, node, entering)
        elif tag == "sup":
            raised.append(node) if entering else raised.pop()
        elif cells.within:
            if tag == "br" or tag in _PARAGRAPHS or tag in _LINES:
                writer.space()
        elif tag == "br":
            if entering:
                writer.new_line()
        elif tag == "li" and entering:
            writer.start_item()
        elif tag in _PARAGRAPHS and not (tag in ("p", "ul", "ol") and _in_item(node)):
            writer.break_lines(2)
        elif tag in _PARAGRAPHS or tag in _LINES:
            writer.break_lines(1)
    found = tree.css_first("head > title")
    title = " ".join(found.text().split()) if found else ""
    lines = (line.rstrip() for line in "".join(writer.parts).split("\n"))
    return _EMPTY_ROW.sub("", "\n".join(lines)).strip(), title


class _Cells:
    """Whether the walk is inside a cell of a table of data, whose rows are single lines."""

    def __init__(self) -> None:
        self.within = 0

    def cross(self, writer: _Writer, cell: Any, entering: bool) -> None:
        if not self.within and _is_layout(cell):
            writer.break_lines(1)
        elif not entering:
            self.within -= 1
        else:
            if self.within:
                writer.space()
            elif _element_before(cell):
                writer.separate_cells()
            self.within += 1


def _is_layout(cell: Any) -> bool:
    """Cells that hold headings or tables arrange the page; their blocks are lines as elsewhere."""
    return cell.css_first(f"{_HEADINGS}, table") is not None


def _element_before(node: Any) -> bool:
    before = node.prev
    while before is not None and before.tag not in ("td", "th"):
        before = before.prev
    return before is not None


def _in_item(node: Any) -> bool:
    return node.parent is not None and node.parent.tag in ("li", "dd")


def _write_text(writer: _Writer, node: Any, *, raised: bool) -> None:
    text = node.text_content or ""
    if raised:
        high = text.strip().translate(_RAISED)
        if set(high) <= set(_HIGH):
            text = high
    if node.parent is not None and node.parent.tag in ("pre", "textarea"):
        writer.write_lines(text)
    else:
        writer.write(text)


def _walk(root: Any) -> Iterator[tuple[Any, bool]]:
    """Every visible node on the way in, and elements again on the way out; never recursive."""
    stack = [(root, True)]
    while stack:
        node, entering = stack.pop()
        if entering and _is_unseen(node):
            continue
        yield node, entering
        if entering and not node.is_text_node:
            stack.append((node, False))
            child = node.last_child
            while child is not None:
                stack.append((child, True))
                child = child.prev


def _is_unseen(node: Any) -> bool:
    tag = node.tag
    if not node.is_element_node:
        return bool(tag not in ("-text", "-document"))
    if tag in _UNSEEN:
        return True
    attributes = node.attributes
    return "hidden" in attributes or bool(_HIDDEN.search(attributes.get("style") or ""))
