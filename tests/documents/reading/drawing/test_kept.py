"""Pictures of pages, kept while there is room and only while their documents are there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.documents.reading.drawing.kept import PagePictures


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 40)), max_size=60))
def test_no_more_is_kept_than_there_is_room_for(asked: list[tuple[int, int, int]]) -> None:
    pictures = PagePictures(room=100)
    sizes: dict[tuple[str, int], int] = {}
    for document, page, size in asked:
        key = (str(document), page)
        size = sizes.setdefault(key, size)
        drawn = pictures.picture(key[0], page, lambda size=size: bytes(size))  # type: ignore[misc]
        assert len(drawn) == size and pictures.bytes <= 100


def test_a_picture_is_drawn_once_until_its_document_goes() -> None:
    pictures, drawn = PagePictures(room=100), list[str]()

    def draw(name: str) -> bytes:
        drawn.append(name)
        return name.encode()

    for _ in range(2):
        assert pictures.picture("one", 1, lambda: draw("one")) == b"one"
        assert pictures.picture("two", 1, lambda: draw("two")) == b"two"
    assert drawn == ["one", "two"]
    pictures.forget(["one"])
    assert pictures.bytes == 3
    pictures.picture("one", 1, lambda: draw("one"))
    assert drawn == ["one", "two", "one"]
