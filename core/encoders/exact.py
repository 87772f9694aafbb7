"""Sums of bytes that are whole on every processor, and no slower than they have to be.

Where a processor has no VNNI (nor AMX), ONNX Runtime adds two products of bytes in sixteen bits, which cuts
large ones off: vectors and scores would be others than elsewhere. It has kernels that do not; where there is
VNNI these take twice as long and give the same. So a large sum is reckoned once, to see.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

import numpy as np

_EXACT = "session.x64quantprecision"
_LARGE = (255, 127, 64)  # a byte without sign, one with, and how many such products are added
# MatMulInteger of a (bytes) and b (signed), opset 20; tests/encoders/test_exact.py makes it anew.
PRODUCTS = base64.b85decode(
    "2nsqr3K$9jVG03a5&>f(4NYNmO?7NZZggd5WpWY$a9Rlp0bvpZ3IYfMS_ujPViE)j0tf?Q2?_yY5(EkY2nIp~3IGrk"
)


def exact_options() -> Any:
    """Options of an ONNX Runtime session that adds bytes up whole, whatever the processor."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    if not _adds_up_whole():
        options.add_session_config_entry(_EXACT, "1")
    return options


@cache
def _adds_up_whole() -> bool:
    """Whether the kernels that ONNX Runtime takes of itself cut nothing off here."""
    import onnxruntime

    one, other, count = _LARGE
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(PRODUCTS, options, providers=["CPUExecutionProvider"])
    (sums,) = session.run(
        None,
        {"a": np.full((8, count), one, np.uint8), "b": np.full((count, 32), other, np.int8)},
    )
    return bool((sums == one * other * count).all())
