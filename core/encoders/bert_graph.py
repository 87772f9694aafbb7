"""The bundled BERT as an ONNX graph, built from its weights without torch.

The architecture is that of Devlin et al. 2019, in the order that transformers' ``BertModel`` computes
it, followed by mean pooling over the tokens that the mask keeps and division by the length. Used
only by `core.encoders.onnx_child`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import ModelProto

_OPSET = 20  # the first with Gelu; LayerNormalization came with 17
_IR_VERSION = 10  # older than the newest, so that the pinned ONNX Runtime reads it
_FAR_BELOW = -1e9  # added to the score of a padding token: exp of it is 0
_SMALLEST_LENGTH = 1e-9  # keeps 0/0 out of a text without tokens

Weights = Mapping[str, NDArray[np.float32]]


def bert_embedding_model(weights: Weights, config: Mapping[str, Any]) -> ModelProto:
    """The sentence embedding model as one graph.

    Inputs ``input_ids`` and ``attention_mask``, int64 of shape (texts, tokens); outputs
    ``embeddings``, float32 of shape (texts, hidden size), each row of length 1, and ``tokens``, the
    last layer, of shape (texts, tokens, hidden size).

    Args:
        weights: tensors by their names in the model file.
        config: the model's ``config.json``.
    """
    import onnx
    from onnx import TensorProto, helper

    graph = _Graph(weights)
    hidden = _embeddings(graph, float(config["layer_norm_eps"]))
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    padding = graph.node("Mul", graph.node("Sub", graph.floats(1), mask), graph.floats(_FAR_BELOW))
    padding = graph.node("Unsqueeze", padding, graph.integers(1, 2))  # (texts, 1, 1, tokens)
    for number in range(config["num_hidden_layers"]):
        hidden = _layer(graph, f"encoder.layer.{number}", hidden, padding, config)
    graph.node("Identity", _pooled(graph, hidden, mask), output="embeddings")
    graph.node("Identity", hidden, output="tokens")

    shape = ["texts", "tokens"]
    made = helper.make_graph(
        graph.nodes,
        "bert_embedding",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, shape),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, shape),
        ],
        [
            helper.make_tensor_value_info(
                "embeddings", TensorProto.FLOAT, ["texts", config["hidden_size"]]
            ),
            helper.make_tensor_value_info(
                "tokens", TensorProto.FLOAT, [*shape, config["hidden_size"]]
            ),
        ],
        graph.initializers,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR_VERSION
    onnx.checker.check_model(model, full_check=True)
    return model


class _Graph:
    """Nodes and constants in the order they are added; every method gives back a tensor's name."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def node(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        from onnx import helper

        output = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def constant(self, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        name = f"constant_{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def floats(self, *values: float) -> str:
        return self.constant(np.array(values, dtype=np.float32))

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def linear(self, hidden: str, *names: str) -> str:
        """One multiplication for the layers of these names, their outputs side by side."""
        matrix = np.concatenate([self.weights[f"{name}.weight"].T for name in names], axis=1)
        bias = np.concatenate([self.weights[f"{name}.bias"] for name in names])
        product = self.node("MatMul", hidden, self.constant(matrix))
        return self.node("Add", product, self.constant(bias))

    def normalised(self, hidden: str, name: str, epsilon: float) -> str:
        scale, bias = (self.weights[f"{name}.{part}"] for part in ("weight", "bias"))
        return self.node(
            "LayerNormalization",
            hidden,
            self.constant(scale),
            self.constant(bias),
            axis=-1,
            epsilon=epsilon,
        )


def _embeddings(graph: _Graph, epsilon: float) -> str:
    """Words and positions; a single text is all of token type 0, so that row is a constant."""
    prefix = "embeddings"
    words = graph.constant(graph.weights[f"{prefix}.word_embeddings.weight"])
    places = (
        graph.weights[f"{prefix}.position_embeddings.weight"]
        + graph.weights[f"{prefix}.token_type_embeddings.weight"][0]
    )
    tokens = graph.node("Shape", "input_ids", start=1, end=2)
    first = graph.node("Slice", graph.constant(places), graph.integers(0), tokens)
    both = graph.node("Add", graph.node("Gather", words, "input_ids"), first)
    return graph.normalised(both, f"{prefix}.LayerNorm", epsilon)


def _layer(graph: _Graph, prefix: str, hidden: str, padding: str, config: Mapping[str, Any]) -> str:
    epsilon = float(config["layer_norm_eps"])
    attended = _attention(graph, f"{prefix}.attention.self", hidden, padding, config)
    attended = graph.linear(attended, f"{prefix}.attention.output.dense")
    hidden = graph.normalised(
        graph.node("Add", attended, hidden), f"{prefix}.attention.output.LayerNorm", epsilon
    )
    inner = graph.node("Gelu", graph.linear(hidden, f"{prefix}.intermediate.dense"))
    outer = graph.linear(inner, f"{prefix}.output.dense")
    return graph.normalised(graph.node("Add", outer, hidden), f"{prefix}.output.LayerNorm", epsilon)


def _attention(
    graph: _Graph, prefix: str, hidden: str, padding: str, config: Mapping[str, Any]
) -> str:
    size, heads = config["hidden_size"], config["num_attention_heads"]
    together = graph.linear(hidden, *(f"{prefix}.{part}" for part in ("query", "key", "value")))
    shape = graph.integers(0, 0, heads, size // heads)  # 0 keeps the input's own length
    query, key, value = (
        graph.node(
            "Transpose",
            graph.node(
                "Reshape",
                graph.node(
                    "Slice",
                    together,
                    graph.integers(part * size),
                    graph.integers((part + 1) * size),
                    graph.integers(2),
                ),
                shape,
            ),
            # Keys are turned once more, so that the product is over what a head holds.
            perm=[0, 2, 3, 1] if part == 1 else [0, 2, 1, 3],
        )
        for part in range(3)
    )
    scores = graph.node("MatMul", query, key)
    scores = graph.node("Mul", scores, graph.floats((size / heads) ** -0.5))
    weight = graph.node("Softmax", graph.node("Add", scores, padding), axis=-1)
    mixed = graph.node("Transpose", graph.node("MatMul", weight, value), perm=[0, 2, 1, 3])
    return graph.node("Reshape", mixed, graph.integers(0, 0, size))


def _pooled(graph: _Graph, hidden: str, mask: str) -> str:
    kept = graph.node("Unsqueeze", mask, graph.integers(2))
    # The sum points where the mean does, and only the direction is left.
    total = graph.node("ReduceSum", graph.node("Mul", hidden, kept), graph.integers(1), keepdims=0)
    length = graph.node("ReduceL2", total, graph.integers(1), keepdims=1)
    return graph.node("Div", total, graph.node("Max", length, graph.floats(_SMALLEST_LENGTH)))
