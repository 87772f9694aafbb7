"""The bundled BERT as an ONNX graph, built from its weights without torch.

The architecture is that of Devlin et al. 2019, in the order that transformers' ``BertModel`` computes
it, followed by mean pooling over the tokens and division by the length, or by a linear layer that scores a pair
of texts. There is no mask: texts that are computed together have the same number of tokens, which the encoder
does one by one. Used by `core.encoders.onnx_child`, and by what is fine-tuned in train/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import ModelProto

_OPSET = 20  # the first with Gelu; LayerNormalization came with 17
_IR_VERSION = 10  # older than the newest, so that the pinned ONNX Runtime reads it
_RUNTIME = "com.microsoft"  # ONNX Runtime's own operators
_SMALLEST_LENGTH = 1e-9  # keeps 0/0 out of a text without tokens

Array = NDArray[np.float32]
Weights = Mapping[str, Array]


def bert_embedding_model(weights: Weights, config: Mapping[str, Any]) -> ModelProto:
    """The sentence embedding model as one graph.

    Input ``input_ids``, int64 of shape (texts, tokens), all of them read; outputs
    ``embeddings``, float32 of shape (texts, hidden size), each row of length 1, and ``tokens``, the
    last layer, of shape (texts, tokens, hidden size).

    Args:
        weights: tensors by their names in the model file.
        config: the model's ``config.json``.
    """
    graph = _Graph(weights)
    hidden = _encoded(graph, config)
    graph.node("Identity", _pooled(graph, hidden), output="embeddings")
    graph.node("Identity", hidden, output="tokens")
    size = config["hidden_size"]
    return _made(
        graph,
        "bert_embedding",
        ["input_ids"],
        {"embeddings": ["texts", size], "tokens": ["texts", "tokens", size]},
    )


def bert_pair_model(
    weights: Weights, config: Mapping[str, Any], head: tuple[Array, Array]
) -> ModelProto:
    """A model that scores pairs of texts as one graph.

    Inputs ``input_ids`` and ``token_type_ids`` (0 in the first text, 1 in the second), int64 of shape (pairs,
    tokens); output ``scores``, float32 of shape (pairs, outputs): a linear layer over the mean of the tokens.

    Args:
        weights, config: as `bert_embedding_model` takes them.
        head: the layer's matrix of shape (hidden size, outputs), and its biases.
    """
    graph = _Graph(weights)
    types = graph.constant(weights["embeddings.token_type_embeddings.weight"])
    hidden = _encoded(graph, config, graph.node("Gather", types, "token_type_ids"))
    mean = graph.node("ReduceMean", hidden, graph.integers(1), keepdims=0)
    product = graph.node("MatMul", mean, graph.constant(head[0]))
    graph.node("Add", product, graph.constant(head[1]), output="scores")
    return _made(
        graph,
        "bert_pair",
        ["input_ids", "token_type_ids"],
        {"scores": ["texts", int(head[1].shape[0])]},
    )


def _made(
    graph: _Graph, name: str, inputs: Sequence[str], outputs: Mapping[str, Sequence[str | int]]
) -> ModelProto:
    import onnx
    from onnx import TensorProto, helper

    made = helper.make_graph(
        graph.nodes,
        name,
        [
            helper.make_tensor_value_info(one, TensorProto.INT64, ["texts", "tokens"])
            for one in inputs
        ],
        [
            helper.make_tensor_value_info(one, TensorProto.FLOAT, shape)
            for one, shape in outputs.items()
        ],
        graph.initializers,
    )
    model = helper.make_model(
        made, opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_RUNTIME, 1)]
    )
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

    def linear(self, hidden: str, name: str) -> str:
        matrix, bias = self.side_by_side(name)
        return self.node("Add", self.node("MatMul", hidden, matrix), bias)

    def side_by_side(self, *names: str) -> tuple[str, str]:
        """Weights of shape (inputs, outputs) and biases of the layers of these names."""
        matrix = np.concatenate([self.weights[f"{name}.weight"].T for name in names], axis=1)
        bias = np.concatenate([self.weights[f"{name}.bias"] for name in names])
        return self.constant(matrix), self.constant(bias)

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


def _encoded(graph: _Graph, config: Mapping[str, Any], types: str | None = None) -> str:
    """The last layer, of shape (texts, tokens, hidden size).

    Args:
        types: the tensor that is added for the types of the tokens; None: all are of type 0.
    """
    hidden = _embeddings(graph, types, float(config["layer_norm_eps"]))
    for number in range(config["num_hidden_layers"]):
        hidden = _layer(graph, f"encoder.layer.{number}", hidden, config)
    return hidden


def _embeddings(graph: _Graph, types: str | None, epsilon: float) -> str:
    """Words, positions and types of tokens; a single text is all of type 0, so that row is a constant."""
    prefix = "embeddings"
    words = graph.constant(graph.weights[f"{prefix}.word_embeddings.weight"])
    places = graph.weights[f"{prefix}.position_embeddings.weight"]
    if types is None:
        places = places + graph.weights[f"{prefix}.token_type_embeddings.weight"][0]
    tokens = graph.node("Shape", "input_ids", start=1, end=2)
    first = graph.node("Slice", graph.constant(places), graph.integers(0), tokens)
    both = graph.node("Add", graph.node("Gather", words, "input_ids"), first)
    if types is not None:
        both = graph.node("Add", both, types)
    return graph.normalised(both, f"{prefix}.LayerNorm", epsilon)


def _layer(graph: _Graph, prefix: str, hidden: str, config: Mapping[str, Any]) -> str:
    epsilon = float(config["layer_norm_eps"])
    attended = _attention(graph, f"{prefix}.attention.self", hidden, config)
    attended = graph.linear(attended, f"{prefix}.attention.output.dense")
    hidden = graph.normalised(
        graph.node("Add", attended, hidden), f"{prefix}.attention.output.LayerNorm", epsilon
    )
    inner = graph.node("Gelu", graph.linear(hidden, f"{prefix}.intermediate.dense"))
    outer = graph.linear(inner, f"{prefix}.output.dense")
    return graph.normalised(graph.node("Add", outer, hidden), f"{prefix}.output.LayerNorm", epsilon)


def _attention(graph: _Graph, prefix: str, hidden: str, config: Mapping[str, Any]) -> str:
    """ONNX Runtime's own node, which spares the copies of queries, keys and values of standard ones."""
    matrix, bias = graph.side_by_side(*(f"{prefix}.{part}" for part in ("query", "key", "value")))
    heads = config["num_attention_heads"]
    return graph.node("Attention", hidden, matrix, bias, domain=_RUNTIME, num_heads=heads)


def _pooled(graph: _Graph, hidden: str) -> str:
    # The sum points where the mean does, and only the direction is left.
    total = graph.node("ReduceSum", hidden, graph.integers(1), keepdims=0)
    length = graph.node("ReduceL2", total, graph.integers(1), keepdims=1)
    return graph.node("Div", total, graph.node("Max", length, graph.floats(_SMALLEST_LENGTH)))
