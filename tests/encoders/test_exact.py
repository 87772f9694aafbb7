"""Sums of bytes are whole on every processor, by the quicker kernels where these cut nothing off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx import TensorProto, helper, numpy_helper

from core.encoders import exact
from core.encoders.exact import PRODUCTS, exact_options
from core.encoders.fine_tuned import STATEMENTS
from core.encoders.onnx_int8 import SHIPPED

CPU = ["CPUExecutionProvider"]
SLOWER = "session.x64quantprecision"


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
    session = onnxruntime.InferenceSession(_bytes_of(graph), exact_options(), providers=CPU)
    (sums,) = session.run(None, {"bytes": np.full((3, size), 255, np.uint8)})
    assert (sums == 255 * 127 * size).all()


@pytest.mark.parametrize(("path", "output"), [(SHIPPED, "embeddings"), (STATEMENTS, "scores")])
def test_shipped_models_say_what_the_slower_kernels_say(path: Path, output: str) -> None:
    ids = np.array([[101, *range(2000, 2060), 102]], np.int64)

    def told(options: Any) -> Any:
        session = onnxruntime.InferenceSession(str(path), options, providers=CPU)
        inputs = {
            one.name: ids if one.name == "input_ids" else ids * 0 for one in session.get_inputs()
        }
        return session.run([output], inputs)[0]

    whole = onnxruntime.SessionOptions()
    whole.add_session_config_entry(SLOWER, "1")
    np.testing.assert_array_equal(told(exact_options()), told(whole))


def test_the_probe_is_what_it_says() -> None:
    """Built anew, so that nobody has to trust 72 bytes."""
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "b"], ["c"])],
        "p",
        [
            helper.make_tensor_value_info("a", TensorProto.UINT8, None),
            helper.make_tensor_value_info("b", TensorProto.INT8, None),
        ],
        [helper.make_tensor_value_info("c", TensorProto.INT32, None)],
    )
    assert _bytes_of(graph) == PRODUCTS


@pytest.mark.parametrize(("cut_off", "asked_for"), [(True, True), (False, False)])
def test_slower_kernels_are_asked_for_where_sums_are_cut_off(
    monkeypatch: pytest.MonkeyPatch, cut_off: bool, asked_for: bool
) -> None:
    """The edge of the machine: a processor that this one is not."""
    whole = 255 * 127 * 64

    class Processor:
        def __init__(self, *_given: object, **_named: object) -> None: ...

        def run(self, *_given: object) -> list[Any]:
            return [np.full((8, 32), whole - cut_off, np.int32)]

    monkeypatch.setattr(onnxruntime, "InferenceSession", Processor)
    exact._adds_up_whole.cache_clear()
    try:
        options = exact_options()
        if asked_for:
            assert options.get_session_config_entry(SLOWER) == "1"
        else:
            with pytest.raises(RuntimeError):
                options.get_session_config_entry(SLOWER)
    finally:
        exact._adds_up_whole.cache_clear()


def _bytes_of(graph: Any) -> bytes:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    model.ir_version = 10
    made: bytes = model.SerializeToString()
    return made
