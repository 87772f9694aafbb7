"""Our splitter of sentences beside kept libraries, on the table in the tests: `python -m bench.sentences`.

The libraries are no part of Materia: `pip install pysbd syntok sentencex sentence-splitter` into an
environment of their own; those that are missing are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from core.text.sentences import sentence_spans

_TABLES = Path(__file__).resolve().parent.parent / "tests" / "text"
_LANGUAGES = ("en", "de", "nl")

Split = Callable[[str], list[str]]


def _table(half: str, language: str) -> list[list[str]]:
    """The texts of a language, each as its sentences."""
    lines = (_TABLES / f"sentences_{half}.txt").read_text("utf-8").splitlines()
    return [line[3:].split(" | ") for line in lines if line.startswith(f"{language} ")]


def _own(language: str) -> Split:
    return lambda text: [text[start:end] for start, end in sentence_spans(text)]


def _pysbd(language: str) -> Split:
    splitter = import_module("pysbd").Segmenter(language=language, clean=False)
    return lambda text: [one.strip() for one in splitter.segment(text)]


def _syntok(language: str) -> Split:
    analyze = import_module("syntok.segmenter").analyze

    def split(text: str) -> list[str]:
        spans = [
            (sentence[0].offset, sentence[-1].offset + len(sentence[-1].value))
            for paragraph in analyze(text)
            for sentence in paragraph
        ]
        return [text[start:end] for start, end in spans]

    return split


def _sentencex(language: str) -> Split:
    segment = import_module("sentencex").segment
    return lambda text: [one.strip() for one in segment(language, text)]


def _sentence_splitter(language: str) -> Split:
    splitter = import_module("sentence_splitter").SentenceSplitter(language=language)
    return lambda text: list(splitter.split(text))


_SPLITTERS: dict[str, Callable[[str], Split]] = {
    "own": _own,
    "pysbd": _pysbd,
    "syntok": _syntok,
    "sentencex": _sentencex,
    "sentence-splitter": _sentence_splitter,
}


def _cuts(sentences: list[str]) -> set[int]:
    """Where sentences end, counted in characters that are no white space."""
    ends, length = set(), 0
    for sentence in sentences:
        length += len("".join(sentence.split()))
        ends.add(length)
    return ends - {length}


def _figures(split: Split, texts: list[list[str]], show: bool) -> tuple[int, int, int]:
    """Texts split exactly, wrong cuts, missed ends."""
    exact = wrong = missed = 0
    for sentences in texts:
        found = [one for one in split(" ".join(sentences)) if one]
        too_many, too_few = _cuts(found) - _cuts(sentences), _cuts(sentences) - _cuts(found)
        exact += not too_many and not too_few
        wrong += len(too_many)
        missed += len(too_few)
        if show and (too_many or too_few):
            print("   ", " | ".join(found))
    return exact, wrong, missed


def _rows(half: str, only: str, show: bool) -> Iterator[str]:
    for name, make in _SPLITTERS.items():
        if only and name != only:
            continue
        cells = []
        for language in _LANGUAGES:
            try:
                split = make(language)
            except ModuleNotFoundError:
                break
            texts = _table(half, language)
            exact, wrong, missed = _figures(split, texts, show)
            cells.append(f"{exact} of {len(texts)} ({wrong}, {missed})")
        if cells:
            yield f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("fit", "held_out"), default="held_out")
    parser.add_argument("--only", default="", help="one splitter")
    parser.add_argument("--show", action="store_true", help="also what is split wrongly")
    arguments = parser.parse_args()
    print("| texts split exactly (wrong cuts, missed ends) | en | de | nl |\n|---|---|---|---|")
    for row in _rows(arguments.half, arguments.only, arguments.show):
        print(row)


if __name__ == "__main__":
    main()
