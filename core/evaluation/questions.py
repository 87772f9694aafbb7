"""A set of questions with what is known of their answers, as JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from core.errors import InputError

SAMPLE_SET = Path(__file__).resolve().parents[2] / "data" / "evaluation" / "sample.jsonl"
_ADVICE = "docs/guide/evaluation_and_figures.md lists the fields; data/evaluation/sample.jsonl is an example."

_LONGEST_SHOWN = 200  # characters of the file that a message repeats

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Page = Annotated[int, Field(ge=1)]


class Question(BaseModel):
    """A question and what is known of its answer; what is not known is not judged.

    Attributes:
        answer: strings that all must appear in the answer.
        document: name of the file that has the answer.
        pages: pages of `document`, any of which is right.
        also: other files that tell the same, with their pages; citing them is no mistake.
        section: code of the section that has the answer; for the reader of a report.
        entities: the exact set of names that a list must have.
        forbidden: strings that no answer may hold: another patient group's dose, another medicine's.
        answerable: False when the only right answer is the refusal.
        lang, kind: groups that a report counts apart.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: _Text
    question: _Text
    answer: tuple[_Text, ...] = ()
    document: _Text | None = None
    pages: tuple[_Page, ...] = ()
    also: Mapping[_Text, tuple[_Page, ...]] = {}
    section: str = ""
    entities: tuple[_Text, ...] | None = None
    forbidden: tuple[_Text, ...] = ()
    answerable: bool = Field(default=True, strict=True)
    lang: str = ""
    kind: str = ""

    @field_validator("answer", "forbidden", mode="before")
    @classmethod
    def _one_string(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.pages and self.document is None:
            raise ValueError("pages are given without a document")
        if not self.answerable and (self.answer or self.document or self.entities):
            raise ValueError("a question that must be refused has no answer, document or entities")
        return self

    def is_right_page(self, file: str, page: int) -> bool:
        """Whether a page of a file is one of those that have the answer."""
        return (file == self.document and page in self.pages) or page in self.also.get(file, ())


def read_questions(path: Path) -> list[Question]:
    """The questions of a JSON Lines file, one object a line; empty lines are passed over.

    Raises:
        InputError: the file is not there (``FILE_NOT_FOUND``), or a line is not a question
            (``EVALUATION_FORMAT``, names the line and the field).
    """
    try:
        # Not splitlines(): a JSON string may hold U+2028 as it is.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise _unreadable("The question set is not text in UTF-8.") from None
    except OSError:
        raise InputError(
            f"The question set {_shown(path.name)} cannot be read.",
            advice="Name a JSON Lines file, or “sample” for the set that comes with the program.",
            code="FILE_NOT_FOUND",
        ) from None
    questions: list[Question] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        question = _parsed(line, number)
        if question.id in seen:
            raise _unreadable(
                f"Line {number}: id “{_shown(question.id)}” is on line {seen[question.id]} already."
            )
        seen[question.id] = number
        questions.append(question)
    if not questions:
        raise _unreadable("The question set holds no questions.")
    return questions


def _parsed(line: str, number: int) -> Question:
    try:
        return Question.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        where = f"Line {number}, {_shown(field)}" if field else f"Line {number}"
        raise _unreadable(f"{where}: {_shown(first['msg'])}.") from None


def _shown(text: str) -> str:
    """A text from the file, short and without control characters."""
    return "".join(c if c.isprintable() else " " for c in text[:_LONGEST_SHOWN])


def _unreadable(message: str) -> InputError:
    return InputError(message, advice=_ADVICE, code="EVALUATION_FORMAT")
