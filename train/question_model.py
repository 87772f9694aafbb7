"""Fine-tunes the bundled model to tell what a question to the graph asks, and which of its words narrow it.

Two heads are fitted with it: the kind of the question over its mean token vector (of the kinds with the same
names and `NONE`), and whether a token narrows over that token's vector beside the mean. What comes out are
an int8 ONNX copy and two tables of weights. Seeds are fixed; some ten minutes on two cores.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from core.encoders.bert_graph import bert_embedding_model
from core.encoders.fine_tuned import QUESTION_TOKENS
from core.encoders.sentence_transformer import BundledEncoder
from core.questions.closest.kinds import NONE
from train.fine_tuning import Array, array_of, take_step, tokenizer_in, write_int8
from train.phrasings import Example

_BATCH = 48
_AT_ONCE = 20  # batches that are sorted by length together
_RATE, _HEAD_RATE, _DECAY = 8e-5, 2e-3, 0.01
_WARMING = 0.06  # share of the steps
_LEAST_RATE = 0.02  # share of the rate at the end
_KIND_SCALE, _TOKEN_SCALE = 10.0, 5.0  # of unit vectors, so that a head's weights begin small
_IMPOSSIBLE = -1e4
_UNKNOWN = -1
console = Console(width=120)


@dataclass(frozen=True, slots=True)
class Heads:
    """What the heads learned, over unit vectors.

    Attributes:
        kinds: shape (dimension, labels); kind_base of shape (labels,).
        narrows: shape (2 * dimension,): of the token, and of the question.
    """

    labels: tuple[str, ...]
    kinds: Array
    kind_base: Array
    narrows: Array
    narrow_base: float


@dataclass(frozen=True, slots=True)
class _Row:
    """An example as tokens.

    Attributes:
        narrows: of each token 1, 0, or `_UNKNOWN`.
        label: `_UNKNOWN` where it is not learned.
        fits: 0 for each label that has these names, else `_IMPOSSIBLE`.
    """

    ids: list[int]
    narrows: list[float]
    label: int
    fits: Tensor


class _Model(nn.Module):
    def __init__(self, folder: Path, labels: int) -> None:
        super().__init__()
        self.body = BertModel.from_pretrained(folder, attn_implementation="sdpa")
        size = self.body.config.hidden_size
        self.kind = nn.Linear(size, labels)
        self.token = nn.Linear(2 * size, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        whole = functional.normalize((hidden * mask.unsqueeze(-1)).sum(1), dim=-1)
        tokens = functional.normalize(hidden, dim=-1)
        both = torch.cat([tokens, whole.unsqueeze(1).expand_as(tokens)], -1)
        return self.kind(whole * _KIND_SCALE), self.token(both * _TOKEN_SCALE).squeeze(-1)


class Fitting:
    """The model while it is fitted.

    Args:
        given: examples of each round; `more` are as many again, others each round.
    """

    def __init__(self, given: Sequence[Example], more: Sequence[Example], seed: int = 1) -> None:
        torch.manual_seed(seed)
        self._chance = random.Random(seed)
        self._folder = BundledEncoder().folder
        self._tokenizer = tokenizer_in(self._folder, QUESTION_TOKENS)
        self.labels = tuple(sorted({one.kind for one in given}))
        self._slots: dict[str, tuple[str, ...]] = {}
        for one in given:
            if one.kind != NONE:
                self._slots.setdefault(one.kind, one.slots)
        self._given = [self._row(one) for one in given]
        self._more = [self._row(one) for one in more]
        self._model = _Model(self._folder, len(self.labels))

    def _row(self, one: Example) -> _Row:
        read = self._tokenizer.encode(one.text)
        narrows = [
            float(_UNKNOWN)
            if special or one.spans is None
            else float(any(start < last and end > first for first, last in one.spans))
            for (start, end), special in zip(read.offsets, read.special_tokens_mask, strict=True)
        ]
        known = one.kind in self.labels and self._slots.get(one.kind, one.slots) == one.slots
        fits = torch.tensor(
            [
                0.0 if label == NONE or self._slots[label] == one.slots else _IMPOSSIBLE
                for label in self.labels
            ]
        )
        label = self.labels.index(one.kind) if known else _UNKNOWN
        return _Row(read.ids, narrows, label, fits)

    def fit(self, rounds: int) -> Heads:
        """Fit, and what the heads learned."""
        model = self._model
        heads = [*model.kind.parameters(), *model.token.parameters()]
        optimizer = torch.optim.AdamW(
            [
                {"params": list(model.body.parameters()), "lr": _RATE},
                {"params": heads, "lr": _HEAD_RATE},
            ],
            weight_decay=_DECAY,
        )
        beside = min(len(self._more), len(self._given))
        steps = rounds * math.ceil((len(self._given) + beside) / _BATCH)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer,
            lambda step: min(1.0, step / (_WARMING * steps)) * max(_LEAST_RATE, 1 - step / steps),
        )
        model.train()
        for number in range(rounds):
            total = 0.0
            rows = self._given + self._chance.sample(self._more, beside)
            for batch in self._batches(rows):
                loss = self._loss(batch)
                total += take_step(model, optimizer, schedule, loss) * len(batch)
            console.print(f"round {number + 1} of {rounds}: loss {total / len(rows):.4f}")
        model.eval()
        return Heads(
            self.labels,
            array_of(model.kind.weight).T * np.float32(_KIND_SCALE),
            array_of(model.kind.bias),
            array_of(model.token.weight)[0] * np.float32(_TOKEN_SCALE),
            float(model.token.bias.detach()[0]),
        )

    def _batches(self, rows: Sequence[_Row]) -> Iterator[list[_Row]]:
        """Rows in any order, those of a batch of like length."""
        rows = self._chance.sample(rows, len(rows))
        batches = []
        for begin in range(0, len(rows), _BATCH * _AT_ONCE):
            some = sorted(rows[begin : begin + _BATCH * _AT_ONCE], key=lambda row: len(row.ids))
            batches += [some[place : place + _BATCH] for place in range(0, len(some), _BATCH)]
        self._chance.shuffle(batches)
        yield from batches

    def _loss(self, batch: Sequence[_Row]) -> Tensor:
        longest = max(len(row.ids) for row in batch)
        ids = torch.zeros(len(batch), longest, dtype=torch.long)
        mask = torch.zeros(len(batch), longest)
        narrows = torch.full((len(batch), longest), float(_UNKNOWN))
        for place, row in enumerate(batch):
            length = len(row.ids)
            ids[place, :length] = torch.tensor(row.ids)
            mask[place, :length] = 1
            narrows[place, :length] = torch.tensor(row.narrows)
        labels = torch.tensor([row.label for row in batch])
        fits = torch.stack([row.fits for row in batch])
        with torch.autocast("cpu", torch.bfloat16):
            kinds, tokens = self._model(ids, mask)
        told, marked = labels != _UNKNOWN, narrows != _UNKNOWN
        loss = torch.zeros(())
        if told.any():
            loss = loss + functional.cross_entropy((kinds.float() + fits)[told], labels[told])
        if marked.any():
            loss = loss + functional.binary_cross_entropy_with_logits(
                tokens.float()[marked], narrows[marked]
            )
        return loss

    def write(self, target: Path) -> None:
        """Write the int8 copy."""
        write_int8(self._folder, self._model.body, bert_embedding_model, target)
