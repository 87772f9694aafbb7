"""Scores that mean the same in every search."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.shelves import LEAFLETS
from core.domain.documents import Page, Profile
from core.search.coverage import coverage, query_stems
from core.search.fusion import absolute_scores, share_of_best
from core.search.options import SearchOptions
from core.workspace import Workspace
from tests.support.fakes import HashEncoder
from tests.support.shelf import Shelf, open_shelf, unfinished

candidates = st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 1)), max_size=12)


@given(pairs=candidates, weight=st.floats(0, 1))
def test_a_score_is_the_own_one_or_that_of_the_hit_before(
    pairs: list[tuple[float, float]], weight: float
) -> None:
    order = [str(n) for n in range(len(pairs))]
    cosines = {key: pair[0] for key, pair in zip(order, pairs, strict=True)}
    covered = {key: pair[1] for key, pair in zip(order, pairs, strict=True)}
    scores = list(absolute_scores(order, cosines, covered, weight).values())
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)
    own = [weight * max(0.0, cosine) + (1 - weight) * share for cosine, share in pairs]
    assert scores == pytest.approx([min(own[: n + 1]) for n in range(len(own))])


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 50), max_size=9))
def test_shares_of_the_best(scores: dict[str, float]) -> None:
    shares = share_of_best(scores)
    assert shares.keys() == scores.keys() and all(0 <= share <= 1 for share in shares.values())
    if any(scores.values()):
        assert max(shares.values()) == 1


def test_coverage_counts_stems_and_no_function_words() -> None:
    stems = query_stems("When must the tablets not be stored in fridges?")
    assert coverage(stems, "Store a tablet here.") == pytest.approx(2 / 3)
    assert coverage(stems, "nothing") == 0 == coverage(frozenset(), "x")
    assert coverage(query_stems("to be or not to be"), "not to be, or to be") == 1
    assert coverage(query_stems("???"), "x") == 0


@pytest.mark.parametrize("query", ["What is the capital of France?", "asdf qwer zxcv", "%%%"])
def test_a_senseless_query_gets_low_scores(sample_workspace: Workspace, query: str) -> None:
    result = sample_workspace.retriever.search(query, SearchOptions((LEAFLETS,)))
    assert result.hits and result.hits[0].score < 0.25
    good = sample_workspace.retriever.search(
        "How should salbutamol be stored?", SearchOptions((LEAFLETS,))
    )
    assert good.hits[0].score > 0.6


def named(tmp_path: Path, texts: dict[str, str]) -> Shelf:
    """A shelf with a document for each title."""
    shelf = open_shelf(tmp_path)
    shelf.library.ensure_index(LEAFLETS, Profile.LEAFLET)
    for title, text in texts.items():
        document = replace(unfinished(title, LEAFLETS, f"{title}.pdf"), title=title)
        shelf.library.add_texts([(document, [Page(1, text)])], LEAFLETS)
    return shelf


def test_function_words_count_only_where_there_are_no_others(tmp_path: Path) -> None:
    """They would find passages that only chat."""
    shelf = named(
        tmp_path, {"meant": "Warfarin 5 mg.", "chatter": "What is this? This is what you see."}
    )
    lexical = SearchOptions(mode="lexical", k=5)

    def titles(query: str) -> list[str]:
        return [hit.document.title for hit in shelf.retriever.search(query, lexical).hits]

    assert titles("what is the warfarin for you") == ["meant"]
    assert titles("what is for you") == ["chatter"]


def test_the_words_of_what_the_vectors_found_count_however_deep_full_text_ranks_them(
    tmp_path: Path,
) -> None:
    """Otherwise a passage of about the same meaning but without the words would come first."""
    padding = " ".join(f"padding{number}" for number in range(40))
    texts = {f"many{number}": "warfarin bleeding" for number in range(9)}
    texts |= {"near": f"warfarin bleeding {padding}", "plain": "anticoagulant haemorrhage"}
    shelf = named(tmp_path, texts)
    near, plain = HashEncoder().encode([f"near {texts['near']}", f"plain {texts['plain']}"])
    options = SearchOptions(k=4, candidates=2, diverse=False)
    vector = (near + 1.1 * plain) / np.linalg.norm(near + 1.1 * plain)
    assert float(vector @ plain) > float(vector @ near)
    hits = shelf.retriever.search("warfarin bleeding", options, vector).hits
    order = [hit.document.title for hit in hits if hit.document.title in ("near", "plain")]
    assert order == ["near", "plain"]


def test_a_refusal_shows_the_same_scores(sample_workspace: Workspace) -> None:
    """Places among the candidates, which sections and subjects raise, are not what is shown."""
    refused = sample_workspace.chat.answer("What is the capital of France?")
    assert refused.refused and refused.nearest
    assert all(one.relevance < 0.25 for one in refused.nearest)
    told = sample_workspace.chat.answer("How should salbutamol be stored?")
    assert 0.3 < max(one.relevance for one in told.citations if one.kind == "document") < 1


def test_what_is_in_scope_is_found_below_hundreds_of_better_matches(tmp_path: Path) -> None:
    shelf = named(tmp_path, {"dull": "A long text that says warfarin once among many other words."})
    shelf.library.ensure_index("loud", Profile.LEAFLET)
    loud = [
        (
            replace(unfinished(f"loud{number}", "loud", f"loud{number}.pdf"), title="loud"),
            [Page(1, "warfarin warfarin")],
        )
        for number in range(450)
    ]
    shelf.library.add_texts(loud, "loud")
    (hit,) = shelf.retriever.search(
        "warfarin", SearchOptions((LEAFLETS,), k=5, mode="lexical")
    ).hits
    assert hit.document.title == "dull"
    everywhere = SearchOptions(k=5, mode="lexical", diverse=False)
    hits = shelf.retriever.search("warfarin", everywhere).hits
    assert [hit.document.title for hit in hits] == ["loud"] * 5
    # Of equal matches the first ones, as always.
    assert [hit.document.id for hit in hits] == [f"loud{number}" for number in range(5)]


_TEXTS = st.lists(
    st.text("dieyskangoß-", min_size=1, max_size=6)
    | st.sampled_from(["dying", "die", "skies", "sky", "Tablets", "store", "STORED", "x"]),
    max_size=8,
).map(" ".join)


@given(query=_TEXTS, text=_TEXTS)
def test_coverage_is_the_share_of_the_querys_stems_in_the_text(query: str, text: str) -> None:
    stems = query_stems(query)
    stemmer = snowballstemmer.stemmer("english")
    there = {stemmer.stemWord(word.casefold()) for word in re.findall(r"[^\W_]+", text)}
    assert coverage(stems, text) == (len(stems & there) / len(stems) if stems else 0)
