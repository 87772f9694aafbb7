"""Question sets as they come: good ones are read whole, bad ones name the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.evaluation.questions import Question, read_questions

_WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: bool(text.strip())
)
_PAGES = st.lists(st.integers(1, 999), min_size=1, max_size=4).map(tuple)


def _write(folder: Path, *lines: object) -> Path:
    path = folder / "set.jsonl"
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(written), encoding="utf-8")
    return path


@given(
    st.lists(
        st.builds(
            Question,
            id=_WORDS,
            question=_WORDS,
            answer=st.lists(_WORDS, max_size=3).map(tuple),
            document=_WORDS,
            pages=_PAGES,
            also=st.dictionaries(_WORDS, _PAGES, max_size=2),
            entities=st.none() | st.lists(_WORDS, max_size=3).map(tuple),
            lang=st.sampled_from(["", "en", "de"]),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda question: question.id,
    )
)
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, questions: list[Question]
) -> None:
    path = tmp_path_factory.mktemp("set") / "set.jsonl"
    lines = [json.dumps(question.model_dump(), ensure_ascii=False) for question in questions]
    path.write_bytes(("\r\n\n".join(lines) + "\n").encode())
    assert read_questions(path) == questions


def test_only_an_id_and_a_question_are_needed(tmp_path: Path) -> None:
    (question,) = read_questions(_write(tmp_path, {"id": "a", "question": "What?"}))
    assert question.answerable and question.entities is None and question.pages == ()


def test_a_single_answer_needs_no_list(tmp_path: Path) -> None:
    line = {"id": "a", "question": "What?", "answer": "500 mg"}
    assert read_questions(_write(tmp_path, line))[0].answer == ("500 mg",)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "Line 2"),
        ("[1]", "Line 2"),
        ('{"id": "b"}', "Line 2, question"),
        ('{"id": "b", "question": "   "}', "Line 2, question"),
        ('{"id": "b", "question": "Q", "pages": [0], "document": "a.pdf"}', "Line 2, pages.0"),
        ('{"id": "b", "question": "Q", "answerable": "no"}', "Line 2, answerable"),
        ('{"id": "b", "question": "Q", "anwser": ["x"]}', "Line 2, anwser"),
        ('{"id": "b", "question": "Q", "pages": [1]}', "without a document"),
        ('{"id": "b", "question": "Q", "answerable": false, "answer": ["x"]}', "must be refused"),
        ('{"id": "a", "question": "Q"}', "on line 1 already"),
        ('{"id": "b", "question": ' + "[" * 5000, "Line 2"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, named: str) -> None:
    path = _write(tmp_path, {"id": "a", "question": "What?"}, line)
    with pytest.raises(InputError) as caught:
        read_questions(path)
    assert caught.value.code == "EVALUATION_FORMAT"
    assert named in caught.value.message and "\n" not in caught.value.message
    assert caught.value.advice


def test_no_file_no_text_and_no_questions(tmp_path: Path) -> None:
    with pytest.raises(InputError) as missing:
        read_questions(tmp_path / "nowhere.jsonl")
    assert missing.value.code == "FILE_NOT_FOUND" and str(tmp_path) not in missing.value.message
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").write_text("\n\n")
    for name in ("bytes", "empty"):
        with pytest.raises(InputError) as caught:
            read_questions(tmp_path / name)
        assert caught.value.code == "EVALUATION_FORMAT"
