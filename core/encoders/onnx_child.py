"""Makes the int8 copy in a process of its own: ``python -m core.encoders.onnx_child [MODEL TARGET]``.

Without arguments the shipped one, from the bundled weights.

The check against the original needs torch, which would stay in the server's memory (500 MB).
The process ends with status 0 only when the copy at TARGET has passed the check.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from core.encoders.bert_graph import bert_embedding_model
from core.encoders.onnx_int8 import SHIPPED, OnnxSession
from core.encoders.sentence_transformer import BundledEncoder
from core.resources import read_text

_MEAN_COSINE, _WORST_COSINE = 0.99, 0.95  # measured on 160 chunks of real PDFs: .993 and .980

_SENTENCES = read_text(__file__, "onnx_child.txt").splitlines()
# Each alone, each with those that follow it, and some beyond the 256 tokens that the model reads.
SAMPLES = (
    *_SENTENCES,
    *(" ".join(_SENTENCES[start : start + 5]) for start in range(11)),
    *(" ".join(_SENTENCES[start:] * 3) for start in range(4)),
)


def main(folder: Path, target: Path) -> None:
    """Write the copy of the model in `folder` to `target`, checked.

    Raises:
        ModelError: the weights are not the pinned ones.
        RuntimeError: the copy's vectors are too far from the original's.
    """
    original = BundledEncoder()
    expected = original.encode(SAMPLES)  # checks the weights' hash, too

    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text("utf-8"))
    model = bert_embedding_model(load_file(folder / "model.safetensors"), config)
    quantize_dynamic(
        model,
        target,
        weight_type=QuantType.QInt8,
        per_channel=True,
        # What standard shape inference cannot tell behind ONNX Runtime's own operators.
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    copy = OnnxSession(target, folder / "tokenizer.json", original.max_tokens)
    cosines = [
        float(copy.encode([text])[0] @ vector)
        for text, vector in zip(SAMPLES, expected, strict=True)
    ]
    mean, worst = sum(cosines) / len(cosines), min(cosines)
    print(f"cosine with the original: mean {mean:.4f}, worst {worst:.4f}")
    if not (mean >= _MEAN_COSINE and worst >= _WORST_COSINE):
        raise RuntimeError(f"the int8 copy differs: mean {mean:.4f}, worst {worst:.4f}")


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        main(BundledEncoder().folder, SHIPPED)
