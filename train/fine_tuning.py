"""What fine-tuning copies of the bundled model has in common."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

Array = NDArray[np.float32]

_BANK = 1 << 24
_MOST_GRADIENT = 1.0  # of all weights together


def tokenizer_in(folder: Path, max_tokens: int) -> Tokenizer:
    """The model's tokenizer, without padding."""
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.enable_truncation(max_tokens)
    return found


def drop_from_a_bank(share: float = 0.1, seed: int = 7) -> None:
    """Dropout of this process from now on takes its dice from a bank that is thrown once: to throw them anew
    was a quarter of the time of a step.

    Args:
        share: that is dropped, of all dropouts.
    """
    kept = (torch.rand(_BANK, generator=torch.Generator().manual_seed(seed)) > share).float() / (
        1 - share
    )
    banks = {torch.float32: kept, torch.bfloat16: kept.bfloat16()}
    chance = random.Random(seed)

    def dropout(
        values: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
    ) -> Tensor:
        if not training or p == 0:
            return values
        if not math.isclose(p, share):
            raise ValueError(f"the bank drops {share}, not {p}")
        begin = chance.randrange(_BANK - values.numel())
        return values * banks[values.dtype][begin : begin + values.numel()].view(values.shape)

    functional.dropout = dropout  # type: ignore[assignment]


def take_step(model: nn.Module, optimizer: Optimizer, schedule: LRScheduler, loss: Tensor) -> float:
    """Change the weights once; the loss as a number."""
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.parameters(), _MOST_GRADIENT)
    optimizer.step()
    schedule.step()
    return float(loss.detach())


def array_of(tensor: Tensor) -> Array:
    """A weight as an array."""
    found: Array = tensor.detach().float().numpy()
    return found


def write_int8(
    folder: Path,
    body: nn.Module,
    graph: Callable[[Mapping[str, Array], Mapping[str, Any]], ModelProto],
    target: Path,
) -> None:
    """Write the int8 copy.

    Args:
        folder: of the bundled model, whose ``config.json`` is read.
        graph: makes the model of the weights of `body` and the configuration.
    """
    config = json.loads((folder / "config.json").read_text("utf-8"))
    weights = {name: array_of(one) for name, one in body.state_dict().items()}
    quantize_dynamic(
        graph(weights, config),
        target,
        weight_type=QuantType.QInt8,
        per_channel=True,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
