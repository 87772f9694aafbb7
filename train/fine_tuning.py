"""What fine-tuning copies of the bundled model has in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

Array = NDArray[np.float32]

_MOST_GRADIENT = 1.0  # of all weights together


def tokenizer_in(folder: Path, max_tokens: int) -> Tokenizer:
    """The model's tokenizer, without padding."""
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.enable_truncation(max_tokens)
    return found


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
