"""Fine-tunes the bundled model to read a question and a statement together: does it answer?

``make train-reader`` first fits it to public questions (SQuAD 2.0, MedQuAD, BioASQ: ../shared/data), then to
what the product finds for the questions of train/questions: the right statements of a question against the
likeliest wrong ones, those with another patient's number always among them; at last to first questions on a
medicine ("dosage of X") among twice as many of the others. It is fitted once to one half of
the documents, so that `make train` sees scores of documents it has not seen, those of the other half
(build/train/pairs.npz), and once to all: core/encoders/int8/statements-5.onnx. Each then goes on with what is
asked of papers, among other questions: papers-1.onnx. The hashes are pinned in core/encoders/fine_tuned.py.
What ships of the first went on from that (train/going_on.py). Seeds are fixed; train/README.md says how long it
takes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from sklearn.feature_extraction.text import TfidfVectorizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from core.encoders.bert_graph import bert_pair_model
from core.encoders.fine_tuned import PAPERS, STATEMENT_TOKENS, STATEMENTS
from core.encoders.sentence_transformer import BundledEncoder
from train.examples import DATA, WORK, Array, Example, all_examples
from train.fine_tuning import array_of, drop_from_a_bank, take_step, tokenizer_in, write_int8
from train.relevance import applied, fit_choice

FOLDS = 2
_SCORED = 8  # statements of a clause that are scored for `make train`
_ROUNDS, _ROUNDS_BEFORE = 2, 1
_RATE, _HEAD_RATE, _DECAY = 7e-5, 1e-3, 0.01
_LAST_ROUNDS = 2
_LAST_RATES = 3e-5, 1e-4  # of the body and of the head, in the last rounds
_BESIDE_FIRST = 2  # other questions in such a round, for each of them
_PAPER_RATES = 4e-5, 2e-4  # of the rounds on papers
_BESIDE_PAPERS = 0.6  # other questions in such a round, for each of them
FIRST = "first"
"""Kind of the questions that are the first on a medicine: its dose, its side effects, no patient's."""
PAPER = "paper, "
"""How kinds of the questions on papers begin."""
_WARMING, _LEAST_RATE = 0.08, 0.02  # shares of the steps, and of the rate at the end
_AT_ONCE = 8  # questions of a step
_PARTS = 3  # of a step, by length
_RIGHT, _FORBIDDEN, _HARD = 3, 3, 4  # statements of a question, at most
_WRONG = 6  # filled up to, from the rest
_MEDQUAD = 1_500  # questions
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])")
console = Console(width=120)


@dataclass(frozen=True, slots=True)
class Group:
    """A question with texts of which some answer it."""

    question: str
    texts: tuple[str, ...]
    right: tuple[bool, ...]


class _Model(nn.Module):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.body = BertModel.from_pretrained(folder, attn_implementation="eager")
        # What words mean is known; it would be half of what is learned.
        self.body.embeddings.word_embeddings.weight.requires_grad_(False)
        self.head = nn.Linear(self.body.config.hidden_size, 2)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        hidden = self.body(
            input_ids=ids, token_type_ids=types, attention_mask=mask
        ).last_hidden_state.float()
        mean = (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        found: Tensor = self.head(mean)
        return found


class Reader:
    """The model while it is fitted."""

    def __init__(self, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self._chance = random.Random(seed)
        self._folder = BundledEncoder().folder
        self._tokenizer = tokenizer_in(self._folder, STATEMENT_TOKENS)
        self._model = _Model(self._folder)

    def state(self) -> dict[str, Tensor]:
        """What it has learned so far."""
        return {name: one.clone() for name, one in self._model.state_dict().items()}

    def begin_with(self, state: dict[str, Tensor]) -> None:
        """Go on from there."""
        self._model.load_state_dict(state)

    def fit(
        self,
        rounds: Sequence[Sequence[Group]],
        name: str,
        rates: tuple[float, float] = (_RATE, _HEAD_RATE),
    ) -> None:
        """Fit to the groups of each round in turn.

        Args:
            rates: of learning, of the body and of the head, where they are greatest.
        """
        model = self._model
        body = [one for one in model.body.parameters() if one.requires_grad]
        optimizer = torch.optim.AdamW(
            [
                {"params": body, "lr": rates[0]},
                {"params": list(model.head.parameters()), "lr": rates[1]},
            ],
            weight_decay=_DECAY,
            fused=True,
        )
        steps = sum(math.ceil(len(groups) / _AT_ONCE) for groups in rounds)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer,
            lambda step: (
                min(1.0, (step + 1) / (_WARMING * steps)) * max(_LEAST_RATE, 1 - step / steps)
            ),
        )
        model.train()
        for number, groups in enumerate(rounds, start=1):
            total = 0.0
            mixed = self._chance.sample(groups, len(groups))
            for begin in range(0, len(mixed), _AT_ONCE):
                batch = mixed[begin : begin + _AT_ONCE]
                loss = self._loss(batch)
                total += take_step(model, optimizer, schedule, loss) * len(batch)
            console.print(f"{name}: round {number} of {len(rounds)}, loss {total / len(mixed):.3f}")
        model.eval()

    def _loss(self, groups: Sequence[Group]) -> Tensor:
        """Of each question: its right texts against the others, and whether each text answers."""
        pairs = [(one.question, text) for one in groups for text in one.texts]
        scores = self._scores(pairs)
        total, begin = torch.zeros(()), 0
        for one in groups:
            own = scores[begin : begin + len(one.texts)]
            begin += len(one.texts)
            right = torch.tensor(one.right)
            if right.any():
                among = own[:, 0]
                total = total + torch.logsumexp(among, 0) - torch.logsumexp(among[right], 0)
            total = total + functional.binary_cross_entropy_with_logits(own[:, 1], right.float())
        return total / len(groups)

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        """Shape (pairs, 2); those of like length together."""
        read = self._tokenizer.encode_batch(list(pairs))
        order = sorted(range(len(read)), key=lambda place: len(read[place].ids))
        size = math.ceil(len(order) / _PARTS)
        found: list[Tensor] = [torch.zeros(())] * len(read)
        for begin in range(0, len(order), size):
            places = order[begin : begin + size]
            longest = len(read[places[-1]].ids)
            ids, types = (torch.zeros(len(places), longest, dtype=torch.long) for _ in range(2))
            mask = torch.zeros(len(places), longest)
            for row, place in enumerate(places):
                length = len(read[place].ids)
                ids[row, :length] = torch.tensor(read[place].ids)
                types[row, :length] = torch.tensor(read[place].type_ids)
                mask[row, :length] = 1
            with torch.autocast("cpu", torch.bfloat16):
                scores = self._model(ids, types, mask).float()
            for row, place in enumerate(places):
                found[place] = scores[row]
        return torch.stack(found)

    @torch.no_grad()
    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Of each text beside a question, shape (n, 2)."""
        found: NDArray[np.float32] = self._scores([(question, one) for one in texts]).numpy()
        return found

    def write(self, target: Path) -> None:
        """Write the int8 copy."""
        head = array_of(self._model.head.weight).T, array_of(self._model.head.bias)
        graph = partial(bert_pair_model, head=head)
        write_int8(self._folder, self._model.body, graph, target)


# -- what it is fitted to --------------------------------------------------------------------------


def public_groups(chance: random.Random) -> list[Group]:
    """Sentences of SQuAD 2.0, with questions that none of a paragraph answers; beginnings of MedQuAD's answers,
    against those to other questions on the same subject; sentences of BioASQ's snippets, against others with
    like words."""
    return [*_of_squad(chance), *_of_medquad(chance), *_of_bioasq(chance)]


def _lines(name: str) -> Iterator[dict[str, object]]:
    with lzma.open(DATA / "qa" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _of_squad(chance: random.Random) -> Iterator[Group]:
    for row in _lines("squad2_part"):
        text = str(row["context"])
        ends = [match.start() for match in _SENTENCE.finditer(text)] + [len(text)]
        begins = [0, *(match.end() for match in _SENTENCE.finditer(text))]
        starts = [one["start"] for one in row["answers"]]  # type: ignore[attr-defined]
        parts = [
            (f"{row['title']}: {text[begin:end]}", any(begin <= one < end for one in starts))
            for begin, end in zip(begins, ends, strict=True)
        ]
        right = [one for one in parts if one[1]]
        if right or row["impossible"]:
            wrong = [one for one in parts if not one[1]]
            yield _group(str(row["question"]), right, chance.sample(wrong, min(5, len(wrong))))


def _of_medquad(chance: random.Random) -> Iterator[Group]:
    rows = [row for row in _lines("medquad") if row.get("answer")]
    by_focus, by_type = defaultdict(list), defaultdict(list)
    for row in rows:
        by_focus[row["focus"]].append(row)
        by_type[row["type"]].append(row)

    def part(row: dict[str, object]) -> str:
        sentences = _SENTENCE.split(" ".join(str(row["answer"]).split()))
        begin = chance.randrange(max(1, min(3, len(sentences))))
        return f"{row['focus']}: {' '.join(sentences[begin : begin + 2])}"[:500]

    for row in chance.sample(rows, _MEDQUAD):
        others = [one for one in by_focus[row["focus"]] if one["type"] != row["type"]]
        same = [
            one
            for one in chance.sample(by_type[row["type"]], min(2, len(by_type[row["type"]])))
            if one["focus"] != row["focus"]
        ]
        wrong = [*chance.sample(others, min(4, len(others))), *same]
        if wrong:
            yield _group(
                str(row["question"]), [(part(row), True)], [(part(one), False) for one in wrong]
            )


def _of_bioasq(chance: random.Random) -> Iterator[Group]:
    folder = DATA / "retrieval" / "bioasq7to11b_snippets"
    texts, questions = (
        {row["_id"]: row["text"] for row in map(json.loads, (folder / name).open(encoding="utf-8"))}
        for name in ("corpus.jsonl", "queries.jsonl")
    )
    relevant = defaultdict(set)
    for line in (folder / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        relevant[query].add(document)
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    ids = list(texts)
    rows = words.fit_transform([texts[one] for one in ids])
    for query, own in relevant.items():
        if query not in questions:
            continue
        asked = words.transform([questions[query]])
        like = np.asarray((rows @ asked.T).todense()).ravel()
        near = [ids[place] for place in np.argsort(-like)[:30] if ids[place] not in own][:12]

        def sentence(text: str, asked: object = asked) -> str:
            parts = _SENTENCE.split(text)
            shares = np.asarray((words.transform(parts) @ asked.T).todense()).ravel()  # type: ignore[attr-defined]
            return str(parts[int(shares.argmax())])

        right = [
            (sentence(texts[one]), True) for one in chance.sample(sorted(own), min(2, len(own)))
        ]
        wrong = [(sentence(texts[one]), False) for one in chance.sample(near, min(5, len(near)))]
        yield _group(questions[query], right, wrong)


def _group(
    question: str, right: Sequence[tuple[str, bool]], wrong: Sequence[tuple[str, bool]]
) -> Group:
    parts = [*right, *wrong]
    return Group(question, tuple(text for text, _ in parts), tuple(one for _, one in parts))


def own_groups(
    given: Sequence[Example], choice: dict[str, Array], chance: random.Random
) -> list[Group]:
    """Of each clause its right statements and wrong ones: those with what must not be told, the likeliest by
    `choice`, and some of the rest.

    What is right because its paragraph is told with it is neither where another says it in its own words.
    """
    found = []
    for one in given:
        right = one.right > 0
        if one.question.answerable and not right.any():
            continue
        by_themselves = right & (one.says > 0)
        told = by_themselves if by_themselves.any() else right
        wrong = ~right & ~one.unsure
        order = np.argsort(-applied(choice, one.signals.statements))
        forbidden = [place for place in order if wrong[place] and one.forbidden[place]][:_FORBIDDEN]
        others = [place for place in order if wrong[place] and place not in forbidden]
        rest = others[_HARD:]
        more = min(max(0, _WRONG - _HARD - len(forbidden)), len(rest))
        chosen = [*forbidden, *others[:_HARD], *chance.sample(rest, more)]
        found.append(
            _group(
                one.asked,
                [(one.texts[place], True) for place in order if told[place]][:_RIGHT],
                [(one.texts[place], False) for place in chosen],
            )
        )
    return found


def fit_to(
    reader: Reader,
    given: Sequence[Example],
    choice: dict[str, Array],
    chance: random.Random,
    name: str,
) -> None:
    """Fit to what is not the first question on a medicine, then to those, among others; to none on papers."""
    given = [one for one in given if not is_on_paper(one)]
    first = [one for one in given if one.question.kind == FIRST]
    rest = [one for one in given if one.question.kind != FIRST]
    reader.fit([own_groups(rest, choice, chance) for _ in range(_ROUNDS)], name)
    rounds = _rounds_among(first, rest, _BESIDE_FIRST, choice, chance)
    reader.fit(rounds, f"{name}, first questions", _LAST_RATES)


def fit_to_papers(
    reader: Reader,
    given: Sequence[Example],
    choice: dict[str, Array],
    chance: random.Random,
    name: str,
) -> None:
    """Go on with what is asked of papers, among others."""
    papers = [one for one in given if is_on_paper(one)]
    rest = [one for one in given if not is_on_paper(one)]
    rounds = _rounds_among(papers, rest, _BESIDE_PAPERS, choice, chance)
    reader.fit(rounds, f"{name}, papers", _PAPER_RATES)


def _rounds_among(
    some: Sequence[Example],
    rest: Sequence[Example],
    beside: float,
    choice: dict[str, Array],
    chance: random.Random,
) -> list[list[Group]]:
    """The last rounds, each over some examples among so many times as many others, drawn anew."""
    count = min(round(beside * len(some)), len(rest))
    return [
        own_groups([*some, *chance.sample(rest, count)], choice, chance)
        for _ in range(_LAST_ROUNDS)
    ]


def is_on_paper(one: Example) -> bool:
    """Whether the question is on a paper."""
    return one.question.kind.startswith(PAPER)


def main() -> None:
    """Fit to one half and to all; write the scores of the other half, and the models."""
    given = all_examples()
    choice = fit_choice(given)
    chance = random.Random(1)
    drop_from_a_bank()
    reader = Reader()
    reader.fit([public_groups(chance)] * _ROUNDS_BEFORE, "public questions")
    begun = reader.state()
    reader.begin_with(begun)
    seen, left_out = (
        [one for one in given if (one.fold(FOLDS) != 0) is so] for so in (True, False)
    )
    fit_to(reader, seen, choice, chance, "without one half")
    scores = {one.key: np.full((len(one.texts), 2), np.nan, np.float32) for one in seen}
    scores |= {one.key: _scored(reader, one, choice) for one in left_out if not is_on_paper(one)}
    fit_to_papers(reader, seen, choice, chance, "without one half")
    scores |= {one.key: _scored(reader, one, choice) for one in left_out if is_on_paper(one)}
    np.savez(WORK / "pairs.npz", allow_pickle=False, **scores)
    reader.begin_with(begun)
    fit_to(reader, given, choice, chance, "all")
    reader.write(STATEMENTS)
    fit_to_papers(reader, given, choice, chance, "all")
    reader.write(PAPERS)
    for file in (STATEMENTS, PAPERS):
        console.print(f"{file.name}: sha256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


def _scored(reader: Reader, one: Example, choice: dict[str, Array]) -> NDArray[np.float32]:
    """The scores of the likeliest statements, shape (n, 2); NaN for the others."""
    found = np.full((len(one.texts), 2), np.nan, np.float32)
    likeliest = np.argsort(-applied(choice, one.signals.statements))[:_SCORED]
    found[likeliest] = reader.scores(one.asked, [one.texts[place] for place in likeliest])
    return found


if __name__ == "__main__":
    main()
