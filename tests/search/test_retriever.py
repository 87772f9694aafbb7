"""Searching real stores: by words with a toy model, by meaning with the real one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.index_model import mismatch
from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.domain.documents import Chunk, Filling, Index, Page, Profile, SearchResult
from core.domain.vectors import Vectors
from core.errors import EmbeddingMismatch, InputError, NotFound
from core.search.options import MODES, SearchOptions
from core.workspace import Workspace
from tests.support.fakes import HashEncoder
from tests.support.shelf import Shelf, open_shelf, unfinished

TOPICS = ("warfarin bleeding", "metformin glucose", "aspirin pain", "ibuprofen fever", "insulin")


def add(shelf: Shelf, index: str, name: str, text: str) -> str:
    shelf.library.ensure_index(index, Profile.LEAFLET)
    document = replace(unfinished(f"{index}-{name}", index, f"{name}.pdf"), title=name)
    shelf.library.add_texts([(document, [Page(1, text)])], index)
    return document.id


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Two indexes with the same topics; read only."""
    made = open_shelf(tmp_path_factory.mktemp("shelf"))
    for number in range(15):
        topic = TOPICS[number % len(TOPICS)]
        add(made, LEAFLETS, f"l{number}", f"Leaflet {number} speaks of {topic} in adults.")
        add(made, "papers", f"p{number}", f"Paper {number} speaks of {topic} in mice.")
    return made


queries = st.lists(
    st.sampled_from([*" ".join(TOPICS).split(), "adults", "mice", "unknown", "*", '"', "AND"]),
    min_size=1,
    max_size=5,
).map(" ".join)


@pytest.mark.req("KG-2", "KG-3", "AX-8")
@given(query=queries, k=st.integers(1, 100), mode=st.sampled_from(MODES))
def test_at_most_k_hits_in_descending_score(shelf: Shelf, query: str, k: int, mode: str) -> None:
    result = shelf.retriever.search(query, SearchOptions(k=k, mode=mode))
    scores = [hit.score for hit in result.hits]
    assert len(scores) <= k and scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for score in scores)
    assert all(-1 <= hit.similarity <= 1 for hit in result.hits)
    assert len({hit.chunk.id for hit in result.hits}) == len(scores)
    assert (result.mode, result.searched) == (mode, 30) and result.elapsed_ms > 0
    if mode == "semantic":
        assert len(scores) == min(k, 30), "every passage has a similarity"


@pytest.mark.req("AX-13")
@given(query=queries, k=st.integers(1, 30))
def test_semantic_mode_ranks_by_cosine_alone(shelf: Shelf, query: str, k: int) -> None:
    encoder = HashEncoder()
    vector = encoder.encode([query])[0]
    cosines = {
        chunk.id: float(encoder.encode([chunk.embedding_text])[0] @ vector)
        for chunk in shelf.store.all_chunks()
    }
    result = shelf.retriever.search(query, SearchOptions(k=k, mode="semantic"))
    best = sorted(cosines.values(), reverse=True)[:k]
    assert [hit.similarity for hit in result.hits] == pytest.approx(best, abs=1e-4)
    for hit in result.hits:
        assert hit.similarity == pytest.approx(cosines[hit.chunk.id], abs=1e-4)
        assert hit.score == pytest.approx(max(0.0, hit.similarity))


@pytest.mark.req("KB-7")
@given(query=queries, name=st.sampled_from([LEAFLETS, "papers"]), mode=st.sampled_from(MODES))
def test_results_come_from_the_index_asked(shelf: Shelf, query: str, name: str, mode: str) -> None:
    result = shelf.retriever.search(query, SearchOptions((name,), k=50, mode=mode))
    assert {hit.document.index for hit in result.hits} <= {name}
    assert all(hit.chunk.document_id == hit.document.id for hit in result.hits)
    assert result.searched == 15


def test_no_index_named_means_all(shelf: Shelf) -> None:
    result = shelf.retriever.search("warfarin", SearchOptions(k=50, mode="lexical"))
    assert {hit.document.index for hit in result.hits} == {LEAFLETS, "papers"}
    assert all("warfarin" in hit.chunk.text for hit in result.hits) and len(result.hits) == 6
    twice = shelf.retriever.search("warfarin", SearchOptions((LEAFLETS, LEAFLETS), k=50))
    assert twice.searched == 15


def test_hybrid_finds_what_either_finds(shelf: Shelf) -> None:
    result = shelf.retriever.search("warfarin adults", SearchOptions(k=5))
    assert result.mode == SearchOptions().mode == "hybrid"
    assert "warfarin" in result.hits[0].chunk.text and "adults" in result.hits[0].chunk.text


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ("", SearchOptions(), "EMPTY_QUERY"),
        (" \n\t", SearchOptions(), "EMPTY_QUERY"),
        ("x", SearchOptions(k=0), "INVALID_K"),
        ("x", SearchOptions(k=-1), "INVALID_K"),
        ("x", SearchOptions(k=101), "INVALID_K"),
        ("x", SearchOptions(mode="guess"), "INVALID_MODE"),
        ("half \ud800", SearchOptions(), "INVALID_TEXT"),
    ],
)
def test_bad_requests_have_codes(
    shelf: Shelf, query: str, options: SearchOptions, expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        shelf.retriever.search(query, options)
    assert caught.value.code == expected and caught.value.message


def test_an_unknown_index_is_named_with_the_known_ones(shelf: Shelf) -> None:
    with pytest.raises(NotFound) as caught:
        shelf.retriever.search("x", SearchOptions((LEAFLETS, "nobody")))
    assert caught.value.status == 404
    assert "nobody" in str(caught.value) and "leaflets, papers" in str(caught.value)


def test_an_empty_library_finds_nothing(tmp_path: Path) -> None:
    result = open_shelf(tmp_path).retriever.search("warfarin", SearchOptions())
    assert (result.hits, result.searched) == ((), 0)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("mode", MODES)
def test_deleted_documents_never_come_back(tmp_path: Path, mode: str) -> None:
    shelf = open_shelf(tmp_path)
    ids = [add(shelf, LEAFLETS, f"d{n}", f"warfarin text number {n}") for n in range(6)]
    options = SearchOptions(k=50, mode=mode)
    for removed in range(6):
        left = set(ids[removed:])
        found = shelf.retriever.search("warfarin text number", options)
        assert {hit.document.id for hit in found.hits} == left and found.searched == len(left)
        for hit in found.hits:
            assert shelf.store.document(hit.document.id) == hit.document
        shelf.library.delete(ids[removed])
    assert shelf.retriever.search("warfarin text number", options).hits == ()


def test_a_document_in_work_does_not_crowd_others_out(tmp_path: Path) -> None:
    """Its vectors are in the store before it is ready, and may all be nearer."""
    shelf = open_shelf(tmp_path)
    ready = add(shelf, LEAFLETS, "ready", "something about warfarin")
    query = HashEncoder().encode(["warfarin"])
    near = query + 0.01 * np.random.default_rng(0).standard_normal((200, 16)).astype(np.float32)
    half = [Chunk(f"half:{n}", "half", n, 1, "", "", 0, 1, "x", "") for n in range(200)]
    shelf.vectors.add(LEAFLETS, half, near)
    assert shelf.vectors.count(LEAFLETS) == 201
    for mode in MODES:
        found = shelf.retriever.search("warfarin", SearchOptions(k=5, mode=mode))
        assert [hit.document.id for hit in found.hits] == [ready], mode


@pytest.mark.req("AX-7")
@pytest.mark.parametrize("other", [HashEncoder("other"), HashEncoder("hash-16", dimension=8)])
def test_a_query_of_another_model_is_refused_not_answered_wrongly(
    tmp_path: Path, other: HashEncoder
) -> None:
    add(open_shelf(tmp_path), LEAFLETS, "a", "warfarin")
    changed = open_shelf(tmp_path, encoder=other)
    for mode in ("hybrid", "semantic"):
        with pytest.raises(EmbeddingMismatch) as caught:
            changed.retriever.search("warfarin", SearchOptions(mode=mode))
        assert "hash-16" in str(caught.value) and other.name in str(caught.value)
    by_words = changed.retriever.search("warfarin", SearchOptions(mode="lexical"))
    assert len(by_words.hits) == 1, "full text needs no model"


# -- indexes of another model ----------------------------------------------------------------------


def made_with(index: Index) -> HashEncoder:
    if index.model == "lost":
        raise mismatch(index, HashEncoder())
    return HashEncoder(index.model, index.dimension)


@pytest.fixture
def mixed(tmp_path: Path) -> Shelf:
    """One index of the configured model, and one of another with another dimension."""
    folder = tmp_path / "data"
    add(open_shelf(folder, encoder=HashEncoder("old", 8)), "papers", "p", "warfarin in mice")
    shelf = open_shelf(folder, encoder_of=made_with)
    add(shelf, LEAFLETS, "l", "warfarin in adults")
    return shelf


@pytest.mark.req("AX-7")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("given_vector", [False, True])
def test_each_index_is_searched_by_its_own_model(
    mixed: Shelf, mode: str, given_vector: bool
) -> None:
    query = "warfarin in" if mode == "exact" else "warfarin in mice"
    vector = HashEncoder().encode([query])[0] if given_vector else None
    result = mixed.retriever.search(query, SearchOptions(k=5, mode=mode), vector)
    assert {hit.document.index for hit in result.hits} == {LEAFLETS, "papers"}
    assert result.searched == 2
    if mode != "exact":
        assert result.hits[0].document.index == "papers"
    if mode not in ("lexical", "exact"):
        for hit in result.hits:
            encoder = HashEncoder("old", 8) if hit.document.index == "papers" else HashEncoder()
            own, asked = encoder.encode([hit.chunk.embedding_text, query])
            assert hit.similarity == pytest.approx(float(own @ asked), abs=1e-4)


def test_the_same_dimension_is_not_the_same_model(tmp_path: Path) -> None:
    add(open_shelf(tmp_path, encoder=HashEncoder("old")), LEAFLETS, "a", "warfarin")
    shelf = open_shelf(tmp_path, encoder_of=lambda index: NamedHash(index.model))
    (hit,) = shelf.retriever.search("anything", SearchOptions(mode="semantic")).hits
    asked = NamedHash("old").encode(["anything"])[0]
    (stored,) = shelf.vectors.query(LEAFLETS, asked, 1)
    assert hit.similarity == pytest.approx(stored[1], abs=1e-5)


class NamedHash(HashEncoder):
    """Models of different names see different words."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        return super().encode([f"{text} {self.name}" for text in texts])


@pytest.mark.req("AX-7")
def test_a_model_that_cannot_be_loaded_is_said_not_answered_wrongly(tmp_path: Path) -> None:
    add(open_shelf(tmp_path, encoder=HashEncoder("lost")), "papers", "p", "warfarin")
    shelf = open_shelf(tmp_path, encoder_of=made_with)
    add(shelf, LEAFLETS, "l", "warfarin")
    for mode in ("hybrid", "semantic"):
        with pytest.raises(EmbeddingMismatch) as caught:
            shelf.retriever.search("warfarin", SearchOptions(mode=mode))
        assert "lost" in str(caught.value) and "papers" in str(caught.value)
        only = shelf.retriever.search("warfarin", SearchOptions((LEAFLETS,), mode=mode))
        assert [hit.document.index for hit in only.hits] == [LEAFLETS]
    assert len(shelf.retriever.search("warfarin", SearchOptions(mode="lexical")).hits) == 2


# -- sections --------------------------------------------------------------------------------------

SECTIONS = ("posology", "contraindications", "")


@pytest.fixture(scope="module")
def sectioned(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Sixty chunks about one drug: few of them are of the section that is asked for."""
    made = open_shelf(tmp_path_factory.mktemp("sectioned"))
    made.library.ensure_index(LEAFLETS, Profile.LEAFLET)
    document = unfinished("d", LEAFLETS)
    chunk = Chunk("", "d", 0, 1, "", "", 0, 1, "", "")
    chunks = [
        replace(
            chunk,
            id=f"d:{n}",
            position=n,
            text=f"warfarin {'never ' * (n % 5)}{n}",
            section="storage" if n % 20 == 7 else SECTIONS[n % 3],
        )
        for n in range(60)
    ]
    made.store.begin_documents([document])
    made.vectors.add(
        LEAFLETS, chunks, HashEncoder().encode([chunk.embedding_text for chunk in chunks])
    )
    made.store.finish_documents([Filling(document, [Page(1, "x")], chunks, {})])
    return made


@given(
    k=st.integers(1, 100),
    wanted=st.lists(st.sampled_from(["posology", "storage", "none"]), max_size=2).map(tuple),
    mode=st.sampled_from(MODES),
    query=st.sampled_from(["warfarin", "warfarin never", "never 7"]),
)
def test_only_the_sections_that_are_asked_for(
    sectioned: Shelf, k: int, wanted: tuple[str, ...], mode: str, query: str
) -> None:
    options = SearchOptions(k=k, mode=mode, sections=wanted)
    hits = sectioned.retriever.search(query, options).hits
    assert len(hits) <= k
    if not wanted:
        assert mode == "exact" or len(hits) >= min(k, 20)
        return
    assert {hit.chunk.section for hit in hits} <= set(wanted)
    if mode == "semantic":
        there = [chunk for chunk in sectioned.store.all_chunks() if chunk.section in wanted]
        assert len(hits) == min(k, len(there)), "those of other sections do not crowd them out"


# -- the real model over the sample ----------------------------------------------------------------


def files(result: SearchResult) -> list[str]:
    return [hit.document.file for hit in result.hits]


@pytest.mark.parametrize(
    ("query", "file", "section"),
    [
        ("when must metformin not be taken", "Metformin.pdf", "contraindications"),
        ("warfarin and ibuprofen together", "Warfarin.pdf", "interactions"),
        ("how to store salbutamol", "Salbutamol.pdf", "storage"),
    ],
)
def test_the_right_leaflet_is_found(
    sample_workspace: Workspace, query: str, file: str, section: str
) -> None:
    result = sample_workspace.retriever.search(query, SearchOptions((LEAFLETS,), k=4))
    assert result.hits[0].document.file == file
    assert section in [hit.chunk.section for hit in result.hits if hit.document.file == file]


@pytest.mark.req("AX-8")
@pytest.mark.parametrize("k", [3, 5, 10, 15])
def test_abstracts_by_meaning(sample_workspace: Workspace, k: int) -> None:
    result = sample_workspace.retriever.search(
        "finding side effects of medicines in spontaneous reports",
        SearchOptions((ABSTRACTS,), k=k, mode="semantic"),
    )
    scores = [hit.score for hit in result.hits]
    assert len(scores) == k and scores == sorted(scores, reverse=True)
    assert all(hit.document.index == ABSTRACTS for hit in result.hits)
    assert len(set(files(result))) >= 2, "several papers are relevant"
    assert "report" in result.hits[0].chunk.text.casefold()


@pytest.mark.req("KB-5", "PR-2")
def test_the_samples_counts_agree_everywhere(sample_workspace: Workspace) -> None:
    for index in sample_workspace.library_store.indexes():
        documents = sample_workspace.library_store.documents(index.name)
        reported = sum(document.chunks for document in documents)
        assert sample_workspace.vectors.count(index.name) == reported > 0
        assert sample_workspace.library_store.count_chunks([index.name]) == reported
