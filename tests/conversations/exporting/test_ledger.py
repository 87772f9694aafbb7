"""Every claim of a conversation, what it rests on, and what became of that since."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from core.conversations.exporting.blocks import Grid
from core.conversations.exporting.exports import Exports
from core.conversations.exporting.ledger import (
    CLOSEST,
    Basis,
    Ledger,
    ledger_csv,
    ledger_grid,
    ledger_of,
    ledger_to_public,
)
from core.conversations.store import ConversationStore
from core.domain.answers import Sentence, Support
from core.domain.evidence.doubts import AT_ODDS, OPPOSITE, RIVAL
from core.domain.provenance.trace import GraphVersion
from core.errors import StoreUnavailable
from tests.conversations.exporting.conversations import (
    SESSION,
    NoDocuments,
    a_full_answer,
    fill,
)


class GraphAt:
    """A graph of one version, or one that is away."""

    def __init__(self, sha256: str) -> None:
        self.sha256 = sha256

    def fingerprint(self) -> GraphVersion:
        if not self.sha256:
            raise StoreUnavailable("away")
        return GraphVersion(2, 886, 4316, self.sha256)


def the_ledger(store: ConversationStore, *files: str, graph: str = "af" * 32) -> Ledger:
    return ledger_of(Exports(store, NoDocuments(*files), graph=GraphAt(graph)).record(SESSION))


@pytest.fixture
def filled(store: ConversationStore) -> ConversationStore:
    """An answer on a document, the graph and nothing, one that is spoken against, and a refusal."""
    against = (f"{RIVAL} has 20 mg where this has 10 mg", f"{OPPOSITE}: “It is safe.”", AT_ODDS)
    doubtful = replace(
        a_full_answer(),
        sentences=tuple(
            Sentence("=10 mg a day.", Support.BOTH, (1, 2), (problem,)) for problem in against
        ),
    )
    refused = replace(a_full_answer(), refused=True, citations=(), confidence=None)
    fill(store, a_full_answer(), doubtful, refused)
    return store


def test_each_claim_says_what_it_rests_on(filled: ConversationStore) -> None:
    found = the_ledger(filled)
    told = [(claim.number, claim.basis) for claim in found.claims]
    assert told == [
        ("1.1", Basis.DOCUMENT),
        ("1.2", Basis.GRAPH),
        ("1.3", Basis.UNSUPPORTED),
        *((f"2.{place}", Basis.CONTRADICTED) for place in (1, 2, 3)),
    ]
    assert (found.questions, found.refused) == (3, 1)
    (source,) = found.claims[0].sources
    assert (source.name, source.said) == ("Metformin.pdf, p. 3", "Do not exceed 3,000 mg a day.")
    assert found.claims[0].confidence == 0.8125 and found.claims[2].sources == ()


@pytest.mark.parametrize(
    ("files", "graph", "document", "fact"),
    [
        ((), "af" * 32, "deleted", ""),
        (("Metformin.pdf",), "b0" * 32, "replaced by another version", "imported anew"),
        ((), "", "deleted", ""),
    ],
)
def test_it_says_what_changed_since(
    filled: ConversationStore, files: tuple[str, ...], graph: str, document: str, fact: str
) -> None:
    claims = the_ledger(filled, *files, graph=graph).claims
    assert claims[0].changed == (document,)
    assert bool(claims[1].changed) == bool(fact) and fact in "".join(claims[1].changed)


def test_it_is_filtered_by_basis_words_and_change(filled: ConversationStore) -> None:
    found = the_ledger(filled)

    def numbers(*bases: Basis, words: str = "", changed: bool = False) -> list[str]:
        return [claim.number for claim in found.only(bases, words, changed=changed).claims]

    assert numbers(Basis.GRAPH, Basis.UNSUPPORTED) == ["1.2", "1.3"]
    assert numbers(words="METFORMIN.PDF exceed") == ["1.1", "2.1", "2.2", "2.3"]
    assert numbers(Basis.DOCUMENT, words="zzz") == []
    assert numbers(changed=True) == ["1.1", "2.1", "2.2", "2.3"]


def test_what_may_not_answer_is_told_so_with_each_claim(store: ConversationStore) -> None:
    fill(store, a_full_answer(), replace(a_full_answer(), may_not_answer=True))
    found = the_ledger(store)
    assert [bool(claim.caution) for claim in found.claims] == [False] * 3 + [True] * 3
    assert found.unsure == 3 and found.claims[3].basis is Basis.DOCUMENT
    assert [one.number for one in found.only(unsure=True).claims] == ["2.1", "2.2", "2.3"]
    assert [one.number for one in found.only(unsure=False).claims] == ["1.1", "1.2", "1.3"]
    rows = list(csv.DictReader(io.StringIO(ledger_csv(found).decode("utf-8-sig"))))
    assert [row["State of the answer"] for row in rows] == ["answered"] * 3 + [CLOSEST] * 3
    states = [one["state"] for one in ledger_to_public(found)["claims"]]
    assert states == ["answered"] * 3 + ["may_not_answer"] * 3
    grids = [block for block in ledger_grid(found) if isinstance(block, Grid)]
    assert [CLOSEST in row[2] for row in grids[0].rows] == [False] * 3 + [True] * 3


def test_its_table_has_a_row_for_each_source_and_no_formula(filled: ConversationStore) -> None:
    rows = list(csv.DictReader(io.StringIO(ledger_csv(the_ledger(filled)).decode("utf-8-sig"))))
    assert [row["Claim"] for row in rows] == [
        "1.1",
        "1.2",
        "1.3",
        *sorted(["2.1", "2.2", "2.3"] * 2),
    ]
    assert rows[0]["Source"] == "Metformin.pdf" and rows[0]["Page"] == "3"
    assert rows[0]["Changed since"] == "deleted" and rows[3]["Said"] == "'=10 mg a day."
