"""A server with a small graph, for what is seen and done around it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import load_settings
from core.workspace import open_workspace
from tests.browser.conftest import serving

EVIL = "<img src=x onerror=alert(1)>"

_NODES = f"""id,type,name,half_life
DB1,Drug,Alphacillin,about 2 hours
DB2,Drug,Betamycin,
DBX,Drug,{EVIL},
D1,Disease,gout,
D2,Disease,a very long name of a disease that nobody could read in a single line of a drawing,
P1,Protein,PROTA,
"""
_RELATIONSHIPS = """source,type,target
DB1,TREATS,D1
DB2,TREATS,D1
DBX,TREATS,D1
DBX,TREATS,D2
DB2,TARGETS,P1
"""


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> Iterator[str]:
    """A server without documents, with the small graph above, its entities embedded: a server that still
    does so says it above the canvas, and the drawing moves as that comes and goes."""
    folder = tmp_path_factory.mktemp("explored")
    graph_files(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("MATERIA_")]:
            patch.delenv(name)
        settings = load_settings(
            data_dir=folder / "data",
            models_dir=onnx_models,
            sample=False,
            warm_up=False,
            reserve_mb=0,
        )
        workspace = open_workspace(settings)
    workspace.graph_tasks.import_folder(folder)
    workspace.jobs.wait(workspace.graph_tasks.submit_embed())
    assert not workspace.graph_tasks.vector_gaps().lacking
    workspace.close()
    with serving(folder / "data", onnx_models, MATERIA_SAMPLE="false") as address:
        yield f"{address}/explorer"


def graph_files(folder: Path, more_nodes: str = "", more_relationships: str = "") -> list[str]:
    """The two files of the small graph, written into a folder: their paths."""
    nodes, relationships = folder / "nodes.csv", folder / "relationships.csv"
    nodes.write_text(_NODES + more_nodes, encoding="utf-8")
    relationships.write_text(_RELATIONSHIPS + more_relationships, encoding="utf-8")
    return [str(nodes), str(relationships)]
