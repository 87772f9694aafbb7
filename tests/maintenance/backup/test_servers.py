"""Backups where a part is kept on a server: a real Neo4j, and a real Chroma that two installations share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.documents.store.library import LibraryStore
from core.documents.store.vectors import VectorStore
from core.domain.encoder import Encoder
from core.encoders.sentence_transformer import BUNDLED
from core.errors import Conflict
from core.graph.store import EntityVectors
from core.maintenance.backup.restoring import stage
from core.maintenance.backup.writing import write_backup
from core.maintenance.stores import Stores, neo4j_stores
from core.settings import Settings
from core.stores.chroma.chunks import ChromaVectors
from core.stores.neo4j.connection import Neo4j
from core.stores.sqlite.counter import Counter
from core.workspace import Workspace, open_workspace
from tests.maintenance.backup.test_round_trip import silent
from tests.maintenance.chroma_server import ChromaServer
from tests.maintenance.filled import everything, fill
from tests.support.needs import NEO4J

QUESTION = "How should Zolvetrin be taken?"


@dataclass
class _Opened:
    """What a backup is made of, without the rest of a workspace."""

    settings: Settings
    stores: Stores
    library_store: LibraryStore
    vectors: VectorStore
    entity_vectors: EntityVectors


@pytest.mark.needs(NEO4J)
@pytest.mark.parametrize("documents", [True, False])
def test_what_neo4j_keeps_comes_along(
    neo4j: Neo4j, make_settings: Callable[..., Settings], tmp_path: Path, documents: bool
) -> None:
    server = neo4j_stores(neo4j)
    fill(server, documents=documents)
    fields = {"neo4j_uri": "bolt://127.0.0.1:1", "documents_in_neo4j": documents}
    settings = make_settings(**fields)
    with closing(open_workspace(make_settings())) as own:
        own.indexes.create("leaflets" if documents else "here")
        kept = _Opened(
            settings,
            server,
            server.library if documents else own.library_store,
            own.vectors,
            server.entity_vectors,
        )
        place = tmp_path / "kept.zip"
        made = write_backup(kept, place, silent)
    assert made.counts["entities"] == 4 and made.counts["turns"] == 4
    restored = make_settings(data_dir=tmp_path / "restored")
    if documents:
        with pytest.raises(Conflict) as caught:
            stage(make_settings(data_dir=tmp_path / "restored", **fields), place, Workspace, silent)
        assert caught.value.code == "RESTORE_NEEDS_MIGRATION"
        assert made.counts["documents"] == 2, "the unfinished one is not in it"
        return  # the documents of this test have no real text to embed
    stage(restored, place, Workspace, silent)
    with closing(open_workspace(restored)) as workspace:
        assert everything(workspace.stores, documents=False) == everything(server, documents=False)


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path / "chroma-server")
    server.start()
    yield server
    server.kill()


def test_two_installations_share_a_chroma_server(
    chroma: ChromaServer,
    make_settings: Callable[..., Settings],
    encoder: Encoder,
    pdf: Callable[..., Path],
    tmp_path: Path,
) -> None:
    def opened(name: str) -> Workspace:
        workspace = open_workspace(of(name))
        workspace._encoders[BUNDLED] = encoder
        return workspace

    def of(name: str) -> Settings:
        return make_settings(
            data_dir=tmp_path / name, chroma_host="127.0.0.1", chroma_port=chroma.port
        )

    # One from before installations had numbers: its collections keep their names.
    with closing(opened("old")) as old:
        Counter(old.database, "installation").set(0)
    with closing(opened("old")) as old, closing(opened("new")) as new:
        for workspace, text in ((old, "with water"), (new, "with milk")):
            text = f"3. How to take Zolvetrin\nZolvetrin is taken {text}."
            assert workspace.library.ingest(pdf("Zolvetrin.pdf", text)).state == "ready"
        assert old.vectors.collections() == new.vectors.collections() == {"leaflets"}
        old.library.files.incoming.mkdir(exist_ok=True)
        (old.library.files.incoming / "left").touch()  # as after a crash
        old.library.recover()
        new.library.recover()
        assert old.verifier.run(repair=True).findings == ()
        assert new.verifier.run(repair=True).findings == ()
        milk = new.chat.answer(QUESTION).sentences[0].text
        place = tmp_path / "kept.zip"
        write_backup(new, place, silent)
        new.library.delete(new.library_store.documents()[0].id)
    stage(of("new"), place, Workspace, silent)
    with closing(opened("new")) as new, closing(opened("old")) as old:
        assert new.chat.answer(QUESTION).sentences[0].text == milk and "milk" in milk
        assert new.verifier.run().findings == () == old.verifier.run().findings
        assert "water" in old.chat.answer(QUESTION).sentences[0].text
    server = ChromaVectors(tmp_path, "127.0.0.1", chroma.port)
    with closing(server):
        names = {one.name for one in server._chroma.open().list_collections()}
    assert sum(name.endswith(".chunks") for name in names) == 2, "those that were replaced are gone"
