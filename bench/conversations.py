"""Questions of conversations over labels, leaflets and papers: ``make bench-conversations``.

They were written from these documents alone. Each question is asked twice: in its conversation, as it was
written, and as the whole question that its author says it stands for, alone. What the second gives and the
first does not is lost by reading the conversation; what neither gives is lost elsewhere. Sets 1 and 2 share no
document, and have both been looked at; set 3 judges, over the documents of set 2, by a third author.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.table import Table

from bench.inputs import ROOT
from bench.labels import DATA, fill_once, kept_settings
from core.domain.answers import Answer, DocumentCitation, State
from core.evaluation.judging import has_string
from core.workspace import Workspace, open_workspace
from train.label_pdfs import make_label_pdfs

OF_FIRST = (
    ("baclofen", "cladribine", "dalfampridine", "fingolimod", "gabapentin", "interferon_beta-1a",
     "methylprednisolone", "mitoxantrone", "modafinil", "ocrelizumab", "ozanimod", "siponimod",
     "teriflunomide", "tizanidine"),
    ("aia4p_DrugA", "aia4p_DrugB", "aia4p_adalimumab", "mahi_Acetaminophen", "mahi_Amoxicillin",
     "mahi_Ibuprofen"),
    ("Amoxicillin", "Ibuprofen", "Lisinopril", "Methotrexate", "Sertraline"),
)  # fmt: skip
"""Of the first set: labels, other drug sheets, leaflets of the sample; its papers lie beside."""
OF_OTHERS = (
    ("alemtuzumab", "corticotropin", "dimethyl_fumarate", "diroximel_fumarate", "glatiramer_acetate",
     "interferon_beta-1b", "monomethyl_fumarate", "natalizumab", "ofatumumab", "peginterferon_beta-1a",
     "ponesimod", "ublituximab"),
    (),
    ("Atorvastatin", "Levothyroxine", "Metformin", "Salbutamol", "Warfarin"),
)  # fmt: skip
"""The same of the others."""
_LOOKED_AT = (1, 2)
_KEPT = ROOT / "build" / "bench-conversations"
console = Console(width=170)


class Said(BaseModel):
    """A question of a conversation.

    Attributes:
        standalone: the whole question that it stands for.
        lean: how it leans on what was asked before.
        documents: files of which any has the answer; `pages`, theirs.
        answer: strings that the answer has, each with alternatives between strokes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    conversation: str
    question: str
    standalone: str
    lean: str
    documents: tuple[str, ...]
    pages: tuple[int, ...] = ()
    answer: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    answerable: bool
    lang: str


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer held against what is known of it.

    Attributes:
        page, strings, forbidden: it cites a right page, has all strings, has one that it must not have.
        sure: it is called an answer; `elsewhere`: so is it, and it cites none of the right files.
    """

    said: Said
    answer: Answer
    page: bool
    strings: bool
    sure: bool
    elsewhere: bool
    forbidden: bool


def judged(said: Said, answer: Answer) -> Judged:
    """An answer held against its question."""
    places = [(c.file, c.page) for c in answer.citations if isinstance(c, DocumentCitation)]
    of_right = [page for file, page in places if file in said.documents]
    sure = answer.state is State.ANSWERED
    return Judged(
        said,
        answer,
        page=not answer.refused and any(page in said.pages for page in of_right),
        strings=not answer.refused
        and all(any(has_string(answer.text, s) for s in one.split("|")) for one in said.answer),
        sure=sure,
        elsewhere=sure and bool(places) and not of_right,
        forbidden=any(has_string(answer.text, one) for one in said.forbidden),
    )


def asked_in_turn(workspace: Workspace, said: Sequence[Said]) -> list[Judged]:
    """Each question in its conversation."""
    found = []
    sessions: dict[str, str] = {}
    for one in said:
        with workspace.conversations.passing():
            if one.conversation not in sessions:
                sessions[one.conversation] = workspace.conversations.open(None, one.question)[0].id
            found.append(
                judged(one, workspace.chat.answer(one.question, sessions[one.conversation]))
            )
    for session in sessions.values():
        workspace.conversations.delete(session)
    return found


def asked_alone(workspace: Workspace, said: Sequence[Said]) -> list[Judged]:
    """What each question stands for, in a conversation of its own."""
    found = []
    for one in said:
        with workspace.conversations.passing():
            session = workspace.conversations.open(None, one.standalone)[0].id
            found.append(judged(one, workspace.chat.answer(one.standalone, session)))
            workspace.conversations.delete(session)
    return found


def print_table(title: str, groups: dict[str, list[tuple[Judged, Judged]]]) -> None:
    """How many of each group are right, in their conversation and alone."""
    table = Table(title=title)
    for head in (
        "", "answerable", "right page", "alone", "strings", "alone", "refused", "alone", "of another file",
        "alone", "forbidden", "no answer", "refused", "alone", "sure", "alone",
    ):  # fmt: skip
        table.add_column(head, justify="left" if not head else "right", overflow="fold")
    for name, pairs in groups.items():
        known = [pair for pair in pairs if pair[0].said.answerable]
        unknown = [pair for pair in pairs if not pair[0].said.answerable]
        row = [name, str(len(known))]
        for what in ("page", "strings", "refused", "elsewhere"):
            row += _both(known, what)
        row += [_both(known, "forbidden")[0], str(len(unknown))]
        row += [*_both(unknown, "refused"), *_both(unknown, "sure")]
        table.add_row(*row)
    console.print(table)


def _both(pairs: Iterable[tuple[Judged, Judged]], what: str) -> list[str]:
    """How many have it, in their conversation and alone."""
    pairs = list(pairs)

    def has(one: Judged) -> bool:
        return one.answer.refused if what == "refused" else bool(getattr(one, what))

    return [str(sum(has(pair[side]) for pair in pairs)) for side in (0, 1)]


def main(
    only: Annotated[int, typer.Option(help="One of the sets, 1 to 3.", min=1, max=3)] = 3,
    keep: Annotated[Path, typer.Option(help="Folder of the libraries; filled once.")] = _KEPT,
    out: Annotated[
        Path | None, typer.Option(help="Write each answer there, of a set that is looked at.")
    ] = None,
) -> None:
    """Fill a library with the documents of a set, ask its conversations, print what came."""
    path = ROOT / "bench" / "questions" / f"conversations_{only}.jsonl"
    said = [Said.model_validate_json(line) for line in path.read_text("utf-8").split("\n") if line]
    folder = "first" if only == 1 else "others"
    keep = keep / folder
    labels, pdfs, leaflets = OF_FIRST if only == 1 else OF_OTHERS
    files = make_label_pdfs(DATA / "labels" / "fda_labels.json", labels, keep / "labels")
    files += [DATA / "pdfs" / "drug" / f"{name}.pdf" for name in pdfs]
    files += [ROOT / "data" / "leaflets" / f"{name}.pdf" for name in leaflets]
    files += sorted((ROOT / "bench" / "papers" / folder).glob("*.pdf"))
    with closing(open_workspace(kept_settings(keep))) as workspace:
        fill_once(workspace, files)
        pairs = list(zip(asked_in_turn(workspace, said), asked_alone(workspace, said), strict=True))
    by_lean: dict[str, list[tuple[Judged, Judged]]] = defaultdict(list)
    by_lang: dict[str, list[tuple[Judged, Judged]]] = defaultdict(list)
    for pair in pairs:
        by_lean[pair[0].said.lean].append(pair)
        by_lang[pair[0].said.lang].append(pair)
    print_table(f"set {only}", {**by_lean, **by_lang, "all": pairs})
    if out is not None and only in _LOOKED_AT:
        out.write_text("\n".join(json.dumps(_line(*pair)) for pair in pairs), "utf-8")


def _line(inside: Judged, alone: Judged) -> dict[str, object]:
    line: dict[str, object] = inside.said.model_dump()
    for name, one in (("inside", inside), ("alone", alone)):
        line[name] = {
            "read_as": one.answer.read_as, "state": str(one.answer.state), "confidence": one.answer.confidence,
            "page": one.page, "strings": one.strings, "elsewhere": one.elsewhere, "text": one.answer.text,
            "places": [c.place for c in one.answer.citations if isinstance(c, DocumentCitation)],
        }  # fmt: skip
    return line


if __name__ == "__main__":
    typer.run(main)
