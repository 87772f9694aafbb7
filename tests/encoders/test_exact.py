"""Sums of bytes are whole on every processor. Only one without VNNI can fail: elsewhere they always are."""

from __future__ import annotations

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.encoders.onnx_int8 import exact_options


@pytest.mark.req("AX-7")
def test_large_products_of_bytes_are_not_cut_off() -> None:
    size = 64
    weights = np.full((size, size), 127, np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["bytes", "weights"], ["sums"])],
        "sums",
        [helper.make_tensor_value_info("bytes", TensorProto.UINT8, ["rows", size])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, ["rows", size])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    model.ir_version = 10
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), exact_options(), providers=["CPUExecutionProvider"]
    )
    (sums,) = session.run(None, {"bytes": np.full((3, size), 255, np.uint8)})
    assert (sums == 255 * 127 * size).all()
