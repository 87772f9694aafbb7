"""What tests of whole answers share: questions, and what is true of every answer."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import fpdf
import numpy as np
import pypdf

from core.domain.answers import Answer, DocumentCitation, GraphCitation, Sentence
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.fake_openai import Reply, text

HEADLINE = "Which drugs treat type 2 diabetes, and when must metformin not be taken?"
WHEN_NOT = "When must metformin not be taken?"
UNANSWERABLE = ("What is the maximum daily dose of Xarelto?", "What is the capital of France?")


def documents(answer: Answer) -> list[DocumentCitation]:
    return [c for c in answer.citations if isinstance(c, DocumentCitation)]


def documents_of(answer: Answer, sentence: Sentence) -> list[DocumentCitation]:
    return [c for c in documents(answer) if c.n in sentence.citations]


def relationships(answer: Answer) -> list[GraphCitation]:
    return [c for c in answer.citations if isinstance(c, GraphCitation)]


def letters(words: str) -> str:
    """What two readers of one PDF agree on: letters and digits."""
    return "".join(re.findall(r"\w", words.casefold()))


def assert_true(citation: DocumentCitation, workspace: Workspace, folder: Path) -> None:
    """The passage stands where it is said to stand: in the store, and in the file itself."""
    page = workspace.library_store.page(citation.document_id, citation.page)
    assert page is not None
    assert page.text[citation.start : citation.end] == citation.quote
    assert citation.quote.strip()
    # Another library reads the file: the page number is the file's, not the store's.
    read = pypdf.PdfReader(folder / citation.file).pages[citation.page - 1].extract_text()
    assert letters(citation.quote) in letters(read)
    found = workspace.library_store.chunks_by_id([citation.chunk_id])[citation.chunk_id]
    assert found[1].id == citation.document_id and found[0].page == citation.page


def assert_evidence(
    answer: Answer, workspace: Workspace, folder: Path = SAMPLE / "leaflets"
) -> None:
    """Every citation is true, and numbered as the sentences say."""
    for citation in documents(answer):
        assert_true(citation, workspace, folder)
    for citation in relationships(answer):
        facts = workspace.graph.facts(citation.source_id, citation.relationship)
        assert (citation.source, citation.target, citation.target_id) in {
            (fact.source.name, fact.target.name, fact.target.id) for fact in facts
        }
    used = [n for sentence in answer.sentences for n in sentence.citations]
    assert list(dict.fromkeys(used)) == [c.n for c in answer.citations]
    assert [c.n for c in answer.citations] == list(range(1, len(answer.citations) + 1))


def contraindications(leaflet: str) -> list[str]:
    source = (SAMPLE / "build" / "leaflets" / f"{leaflet}.md").read_text("utf-8")
    section = source.split(f"## Do not take {leaflet}")[1].split("##")[0]
    return re.findall(r"^- (.+)$", section, re.MULTILINE)


def evidence_number(user: str, *words: str) -> int:
    """The number of the first item of evidence in a prompt that has all the words."""
    for item in re.split(r"^(?=\[\d+\] )", user, flags=re.MULTILINE):
        flat = " ".join(item.split())
        if item.startswith("[") and all(word in flat for word in words):
            return int(item[1 : item.index("]")])
    raise AssertionError(f"no evidence has {words}")


def quoting(*sentences: tuple[str, tuple[str, ...]]) -> Reply:
    """A model that says sentences, each with the number of the evidence that has the given words."""

    def content(body: dict[str, list[dict[str, str]]]) -> str:
        user = body["messages"][-1]["content"]
        return " ".join(f"{said} [{evidence_number(user, *words)}]." for said, words in sentences)

    return text(content)


def make_leaflet(folder: Path, file: str, *lines: str) -> Path:
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=12)
    pdf.add_page()
    for line in lines:
        pdf.multi_cell(0, 8, line, new_x="LMARGIN", new_y="NEXT")
    folder.mkdir(exist_ok=True)
    pdf.output(str(folder / file))
    return folder / file


def bag_of_words(words: str) -> list[float]:
    """A vector in which texts with common words are near."""
    vector = np.full(1536, 1e-3)
    for word in re.findall(r"\w{3,}", words.casefold()):
        vector[zlib.crc32(word.encode()) % 1536] += 1.0
    found: list[float] = vector.tolist()
    return found
